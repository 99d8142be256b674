// Errors that a user's own calls leave behind, in a process of the built command line.
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { serveCli, spawnCli } from '../support/spawn-cli.ts';
import { buildFolder } from '../support/write-built.ts';

const callsFile = (handle: string): string =>
  `${makeFolder({ 'calls.mjs': `export const createRun = { id: 'createRun', method: 'POST', path: '/runs', handle: ${handle} };` })}/calls.mjs`;

test.each([
  [
    'a throw in a timer, which has a place,',
    `() => { setTimeout(() => { throw new Error('late'); }, 1); return {}; }`,
    /late \(at .*calls\.mjs/,
  ],
  ['a request that nobody awaits', `() => { fetch('http://127.0.0.1:1/'); return {}; }`, /fetch failed/],
  ['a rejected text', `() => { Promise.reject('no error'); return {}; }`, /no error/],
])(
  '%s is reported with its call, in the log and in /healthz, and the server continues',
  async (_case, handle, reason) => {
    const cli = await serveCli('--calls', callsFile(handle));
    const { origin } = new URL(cli.baseUrl);
    const post = () =>
      fetch(`${cli.baseUrl}/runs`, { method: 'POST', headers: { 'x-gateway-api-key': 'any' } });
    const health = async () => (await (await fetch(`${origin}/healthz`)).json()).lastError;
    expect(await health()).toBeUndefined();
    expect((await post()).status).toBe(200);
    await expect.poll(health).toMatch(reason);
    expect(await health()).toMatch(/^The call "createRun" left an error behind: /);
    expect((await post()).status).toBe(200);
    const { stderr, code } = await cli.stop();
    expect([stderr, code]).toEqual([
      expect.stringMatching(/^gateway-mock: .* Catch it in the call\. The server continues\.\n/),
      0,
    ]);
  },
);

test('exec goes on, too, and ends with the exit code of its command', async () => {
  const script = `fetch(process.env.GATEWAY_BASE_URL + '/runs', { method: 'POST', headers: { 'x-gateway-api-key': 'any' } }).then(() => setTimeout(() => process.exit(7), 200))`;
  const args = ['exec', '--calls', callsFile(`() => { Promise.reject(new Error('lost')); return {}; }`)];
  const { code, stderr } = await spawnCli(...args, '--', process.execPath, '-e', script).ended;
  expect([code, stderr]).toEqual([7, expect.stringContaining('left an error behind: lost')]);
});

test('an error of the package itself still ends the process', async () => {
  const stack = `Error: ours\\n    at answer (${pathToFileURL(buildFolder)}/server.js:1:1)`;
  const handle = `() => { setTimeout(() => { throw Object.assign(new Error('ours'), { stack: '${stack}' }); }, 1); return {}; }`;
  const cli = await serveCli('--calls', callsFile(handle));
  await fetch(`${cli.baseUrl}/runs`, { method: 'POST', headers: { 'x-gateway-api-key': 'any' } });
  expect(await cli.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Error: ours') });
});
