// The options of a server, set by the environment. Values that are refused: refusals.test.ts.
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openOther } from '../support/other-server.ts';
import { runCli, serveHere } from '../support/run-cli.ts';
import { keys } from '../support/transports.ts';
import { root } from '../support/write-built.ts';

const setVariables = (variables: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
};

test('set every option, and the command line overrides them', async () => {
  setVariables({
    GATEWAY_MOCK_SCENARIO: 'in-flight',
    GATEWAY_MOCK_SEED: '7',
    GATEWAY_MOCK_LOG: 'json',
    GATEWAY_MOCK_QUIET: 'true',
    GATEWAY_MOCK_REQUIRE_SESSION: '1',
    GATEWAY_MOCK_TRANSPORT: 'msw',
    GATEWAY_MOCK_FAULT: 'listBatches#1: 503\nlistBatches#2: 529\n',
    GATEWAY_MOCK_API_KEY: 'a\nb',
  });
  const cli = await serveHere('--seed', '8', '--api-key', 'c');
  expect(JSON.parse(cli.lines()[0] ?? '')).toMatchObject({ scenario: 'in-flight', seed: 8 });
  const ask = async (key: string, path = '/sessions/one/v1/batches') =>
    (await fetch(cli.baseUrl.replace('/v1', path), { headers: { ...keys, 'x-gateway-api-key': key } }))
      .status;
  expect(await ask('c', '/v1/batches')).toBe(400);
  expect([await ask('c'), await ask('c'), await ask('c'), await ask('a')]).toEqual([503, 529, 200, 401]);
  expect(cli.lines()).toHaveLength(1);
});

test('set assumptions, to which the command line adds none', async () => {
  setVariables({ GATEWAY_MOCK_ASSUME: 'unknown-thread=empty-list\nunknown-cursor=400' });
  const ask = async (baseUrl: string) =>
    (await fetch(`${baseUrl}/batches?after=nobody`, { headers: keys })).status;
  expect(await ask((await serveHere()).baseUrl)).toBe(400);
  const flags = ['--assume', 'unknown-cursor=empty-page', '--assume', 'unknown-thread=404'];
  expect(await ask((await serveHere(...flags)).baseUrl)).toBe(200);
});

test('name another server, which the ready text and the log show', async () => {
  const { url, arrived } = await openOther();
  setVariables({ GATEWAY_MOCK_UPSTREAM: url, GATEWAY_MOCK_UPSTREAM_CREDENTIALS: 'yes' });
  const cli = await serveHere('--upstream-timeout', '600');
  expect(cli.stdout()).toContain(`Calls that no operation serves go to ${url}\n`);
  expect(await (await fetch(`${cli.baseUrl}/models`, { headers: keys })).text()).toBe('{"from":"other"}');
  expect(arrived).toMatchObject([{ url: '/v1/models', headers: keys }]);
  await expect.poll(cli.stdout).toContain(`GET /v1/models 200  upstream ${url}/v1\n`);
});

test.each(['0', 'false', 'NO', 'off', ''])('a switch is off with %j', async (off) => {
  setVariables({ GATEWAY_MOCK_REQUIRE_SESSION: off });
  const { baseUrl } = await serveHere();
  expect((await fetch(`${baseUrl}/batches`, { headers: keys })).status).toBe(200);
});

test('the format of the log is overridden by --json', async () => {
  setVariables({ GATEWAY_MOCK_LOG: 'text' });
  expect(JSON.parse((await serveHere('--json')).lines()[0] ?? '').event).toBe('ready');
});

test('those that Kubernetes sets for a service of the same name are not taken for options', async () => {
  setVariables({ GATEWAY_MOCK_PORT: 'tcp://10.96.0.12:4010', GATEWAY_MOCK_SERVICE_HOST: '10.96.0.12' });
  const { stderr } = await runCli('serve', '--seed', 'x');
  expect(stderr).toContain('--seed');
  expect(stderr).not.toMatch(/PORT|SERVICE/);
});

test('do not matter to commands that do not serve', async () => {
  setVariables({ GATEWAY_MOCK_PORT: 'http', GATEWAY_MOCK_SEED: 'x' });
  expect((await runCli('scenarios')).code).toBe(0);
});

test('are listed by the help of serve, and in the docs', async () => {
  const { stdout } = await runCli('serve', '--help');
  const listed = [...stdout.replace(/\s+/g, ' ').matchAll(/env: (GATEWAY_MOCK_\w+)/g)].map(
    ([, name]) => name,
  );
  expect(listed).toContain('GATEWAY_MOCK_MAX_SESSIONS');
  const docs = readFileSync(`${root}/docs/command-line.md`, 'utf8');
  const inDocs = [...docs.matchAll(/^- `--(?!json`)([a-z-]+)/gm)].map(
    ([, flag = '']) => `GATEWAY_MOCK_${flag.toUpperCase().replaceAll('-', '_')}`,
  );
  expect(inDocs.sort()).toEqual(listed.sort());
});
