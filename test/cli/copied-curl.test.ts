// The command that the control room copies for a request is run by a shell.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { toCall, toCurl } from '../../src/control-room/panels/requests/texts.ts';
import { hasCommand, hasShell } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';

const hasCurl =
  hasShell('the tests of copied curl commands') && hasCommand('curl', 'the tests of copied curl commands');

const runShell = (command: string) =>
  promisify(execFile)('sh', ['-c', command], {
    env: { PATH: process.env.PATH, NO_PROXY: '*' },
  });

const keys = { 'x-gateway-api-key': 'key-of-a-test-1234', 'x-gateway-virtual-key': 'virtual' };

test.skipIf(!hasCurl).each<[path: string, init: RequestInit]>([
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
])('the command that is copied for %s sends the same request', async (path, init) => {
  const server = await openServer({
    scenario: { keys: { valid: [keys['x-gateway-api-key']], virtual: ['virtual'] } },
  });
  await fetch(server.baseUrl + path, {
    ...init,
    headers: { ...keys, ...Object.fromEntries(new Headers(init.headers)) },
  });
  const [first] = await server.requests.list();
  if (first === undefined) throw new Error('The journal has no request.');
  const command = toCurl(toCall(first, server.baseUrl, keys));
  expect((await runShell(`${command} -s`)).stderr).toBe('');
  const { method, path: sent, query, status, body } = first;
  const second = (await server.requests.list())[1];
  expect(second).toMatchObject({ method, path: sent, query, status, body });
  for (const name of Object.keys(init.headers ?? {}))
    expect([name, second?.headers[name]]).toEqual([name, first.headers[name]]);
});
