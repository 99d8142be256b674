// What `gateway-mock serve` prints. How it ends: cli-endings.test.ts.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/core/scenario/scenario-schema.ts';
import { hasOpenssl, makeCertificate } from '../support/certificate.ts';
import { hasCommand, hasShell } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';
import { runCli, type ServedHere, serveHere } from '../support/run-cli.ts';
import { serveCli } from '../support/spawn-cli.ts';
import { keys } from '../support/transports.ts';

/** The lines of the log, which follow the first line: so many, as soon as all are printed. */
const readLog = async ({ lines }: ServedHere, count: number): Promise<Record<string, unknown>[]> => {
  await expect.poll(lines).toHaveLength(count + 1);
  return lines()
    .slice(1)
    .map((line) => JSON.parse(line));
};

const get = (
  { baseUrl }: { readonly baseUrl: string },
  path: string,
  headers: Record<string, string> = keys,
): Promise<Response> => fetch(baseUrl + path, { headers });

test('a process with --json prints where it serves, and what; then a line for each call', async () => {
  const cli = await serveCli('--json', '--seed', '0');
  const url = cli.baseUrl.replace(/\/v1$/, '');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9][0-9]*$/);
  const ready = { event: 'ready', url, baseUrl: cli.baseUrl, scenario: 'default', seed: 0 };
  expect(cli.lines()).toEqual([JSON.stringify({ ...ready, pid: cli.child.pid })]);
  await get(cli, '/batches?limit=2');
  const { stdout } = await cli.stop();
  const [, line = '', ...others] = stdout.trimEnd().split('\n');
  expect(others).toEqual([]);
  expect(JSON.parse(line)).toEqual({
    event: 'request',
    method: 'GET',
    path: '/v1/batches',
    query: 'limit=2',
    status: 200,
    bytes: expect.any(Number),
    outcome: 'sent',
    session: null,
    fault: null,
    upstream: null,
    duration: expect.any(Number),
    requestId: expect.stringMatching(/^req_[0-9a-f]{24}$/),
    assumptions: [],
  });
});

test('calls are logged in their order, whatever is in their paths', async () => {
  const cli = await serveHere('--json');
  for (const path of ['/batches', '/threads/none%0Asuch/runs', '/%E2%82%AC"%1b[31m', '/batches?limit=0'])
    await get(cli, path);
  const logged = await readLog(cli, 4);
  expect(logged.map(({ status }) => status)).toEqual([200, 404, 404, 400]);
  expect(logged[3]?.assumptions).toEqual(expect.arrayContaining(['limit-too-small', 'error-body']));
});

test.each([
  {
    options: ['--json'],
    logged: [
      /"path":"\/v1\/batches","query":"limit=2&after=%5B","status":503,"bytes":\d+,"outcome":"sent","session":"mine","fault":"listBatches#2: 503",/,
      '"path":"/v1/batches","query":"api_key=***&limit=2","status":200',
    ],
  },
  {
    options: [],
    logged: [
      'GET /v1/batches?limit=2&after=%5B 503  session mine  fault listBatches#2: 503  assumptions error-body\n',
      'GET /v1/batches?api_key=***&limit=2 200',
    ],
  },
])(
  'a call is logged with its query, session and fault, and without its credentials, with $options',
  async ({ options, logged }) => {
    const cli = await serveHere(...options, '--fault', 'listBatches#2: 503');
    const inSession = { ...keys, 'x-mock-session': 'mine' };
    for (const query of ['', '?limit=2&after=%5B']) await get(cli, `/batches${query}`, inSession);
    const headers = {
      'x-gateway-api-key': 'secret-a',
      'x-gateway-virtual-key': 'secret-b',
      authorization: 'Bearer secret-c',
    };
    await get(cli, '/batches?api_key=secret-d&limit=2', headers);
    await get(cli, '/batches?access%5Ftoken=secret-e&key=secret-f&limit=secret-a', headers);
    await get(cli, '/%1b[31mred');
    await expect.poll(cli.stdout).toContain('31mred');
    expect(cli.stdout()).not.toContain('\x1b');
    for (const text of logged) expect(cli.stdout()).toMatch(text);
    expect(cli.stdout()).not.toContain('secret');
  },
);

test.each([
  { options: ['--quiet'], line: /\)$/ },
  { options: ['--json', '--quiet'], line: /\}$/ },
])('$options prints one line, and logs nothing after it', async ({ options, line }) => {
  const cli = await serveHere(...options);
  expect((await get(cli, '/batches')).status).toBe(200);
  await cli.server.close(); // what it logs is logged by then
  expect(cli.lines()).toEqual([expect.stringMatching(line)]);
});

test('lines of the log that are printed leave no listener behind', async () => {
  const cli = await serveHere('--json');
  const before = process.listenerCount('exit');
  for (const count of [1, 2, 3]) {
    await get(cli, '/batches');
    await readLog(cli, count);
  }
  expect(process.listenerCount('exit')).toBe(before);
});

// Again where the machine was too busy to make the second call within those 200 ms.
test('a call that a fault delays is logged once its reply was sent, with how long that took', {
  retry: 3,
}, async () => {
  const cli = await serveHere('--log', 'json', '--fault', 'listBatches#1: delay 200ms');
  const delayed = get(cli, '/batches');
  await get(cli, '/nowhere');
  expect((await delayed).status).toBe(200);
  const logged = await readLog(cli, 2);
  expect(logged.map(({ path }) => path)).toEqual(['/v1/nowhere', '/v1/batches']);
  expect(logged[1]?.duration).toBeGreaterThanOrEqual(190); // timers and clocks differ by a little
});

// On Windows they are quoted for the command prompt: src/tools/cli/windows.test.ts.
const hasTools =
  process.platform !== 'win32' &&
  hasShell('the tests of the curl lines of the banner') &&
  hasCommand('curl', 'the tests of the curl lines of the banner');

describe('the banner', () => {
  test
    .skipIf(!hasTools)
    .each([
      { options: [] },
      { options: ['--api-key', "it's", '--api-key', 'b', '--virtual-key', '$HOME "v"'] },
    ])('has a curl line for each operation that answers 200, with $options', async ({ options }) => {
    const cli = await serveHere(...options);
    const calls = cli.lines().flatMap((line) => /^ *(curl .*)/.exec(line)?.[1] ?? []);
    expect(calls).toHaveLength(operations.length);
    const report = ` --noproxy '*' -o /dev/null -w '%{http_code}'`;
    const ended = await Promise.all(calls.map((call) => promisify(execFile)('sh', ['-c', call + report])));
    expect(ended.map(({ stdout }) => stdout)).toEqual(operations.map(() => '200'));
  });

  test('lists the operations and ids worth trying, without colour codes where it is no terminal', async () => {
    const text = (await serveHere()).stdout();
    const ids = ['thread_demo', 'thread_empty', 'ftjob_demo', 'prompt_welcome', 'prompt_versions'];
    const policies = [
      '11111111-1111-4111-8111-111111111111',
      '22222222-2222-4222-8222-222222222222 (?status=archived)',
    ];
    for (const wanted of [...operations.map(({ id }) => id), ...ids, ...policies, 'Press Ctrl-C to stop.'])
      expect(text).toContain(wanted);
    expect(text).not.toContain('\x1b');
  });
});

test('--api-key and --virtual-key, given twice, accept these two and no other', async () => {
  const given = ['--api-key', 'a', '--api-key', 'b', '--virtual-key', 'v', '--virtual-key', 'w'];
  const cli = await serveHere(...given);
  const statusOf = async (api: string, virtual: string) => {
    const headers = { 'x-gateway-api-key': api, 'x-gateway-virtual-key': virtual };
    return [api, virtual, (await get(cli, '/batches', headers)).status];
  };
  const calls = [
    ['a', 'v', 200],
    ['b', 'w', 200],
    ...['c', 'A', 'a, b', ''].map((key) => [key, 'v', 401] as const),
    ...['x', 'V', 'v, w', ''].map((key) => ['a', key, 400] as const),
  ] as const;
  expect(await Promise.all(calls.map(([api, virtual]) => statusOf(api, virtual)))).toEqual(calls);
});

test.skipIf(!hasOpenssl('the test of --tls-cert'))(
  '--tls-cert and --tls-key name files, for HTTPS',
  async () => {
    const { certPath, keyPath } = makeCertificate();
    const { baseUrl } = await serveHere('--tls-cert', certPath, '--tls-key', keyPath);
    expect(baseUrl).toMatch(/^https:/); // that it is HTTPS: test/transports/https.test.ts
  },
);

test('gateway-mock openapi prints the document, as a server sends it', async () => {
  const served = await fetch(`${(await openServer()).url}/openapi.json`);
  expect(await runCli('openapi')).toMatchObject({ code: 0, stderr: '', stdout: await served.text() });
});
