// A request is copied as a command that a shell runs.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hasChromium } from '../support/chromium.ts';
import { hasCommand, hasShell } from '../support/missing-tool.ts';
import { clientHeaders, openControlRoom, rowsOf } from '../support/open-control-room.ts';

const hasCurl =
  hasShell('the tests of copied curl commands') && hasCommand('curl', 'the tests of copied curl commands');

const runShell = (command: string) =>
  promisify(execFile)('sh', ['-c', command], {
    env: { PATH: process.env.PATH, NO_PROXY: '*' },
  });

test.skipIf(!hasCurl || !hasChromium)('a request is copied as a command that a shell runs', async () => {
  const { server, page } = await openControlRoom({
    isOwnPage: true,
    scenario: {
      keys: {
        valid: ['key-that-has-expired', 'key-of-a-test-1234'],
        expired: ['key-that-has-expired'],
        virtual: ['virtual'],
      },
    },
  });
  const button = page.getByRole('button', { name: 'Copy as curl' });
  const calls: readonly [path: string, init: RequestInit][] = [
    [
      '/prompts/prompt_x/render',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-note': `it's "$HOME" \`id\` \\` },
        body: JSON.stringify({ variables: { name: `O'Brien $(id) @x \\n "quoted"\nü` } }),
      },
    ],
    [
      "/%7Ba%7D/[1-3]/'%27$HOME?a%26b=%3D&a%26b=%27&a%26b=%C3%BC+%2B&=x",
      {
        method: 'PUT',
        headers: { 'x-`id`': '`id` $(id) "', 'x-empty': '' },
        body: "@/etc/passwd ' \n $(id) \\",
      },
    ],
  ];
  for (const [at, [path, init]] of calls.entries()) {
    await fetch(server.baseUrl + path, {
      ...init,
      headers: { ...clientHeaders, ...Object.fromEntries(new Headers(init.headers)) },
    });
    await rowsOf(page)
      .nth(2 * at)
      .waitFor();
    await rowsOf(page).first().click();
    await button.click();
    const command = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(command).toContain(path.slice(0, 6));
    expect((await runShell(`${await command()} -s`)).stderr).toBe('');
    const [first, second] = (await server.requests.list()).slice(-2);
    expect(second).toMatchObject({
      method: first?.method,
      path: first?.path,
      query: first?.query,
      status: first?.status,
      body: first?.body,
    });
    for (const name of Object.keys(init.headers ?? {}))
      expect([name, second?.headers[name]]).toEqual([name, first?.headers[name]]);
  }

  // Over plain http from another host, the browser has no clipboard.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await button.press('Enter');
  await page
    .getByRole('alert')
    .getByText(/Copy it from here:\s+curl .*HOME/)
    .waitFor();
});
