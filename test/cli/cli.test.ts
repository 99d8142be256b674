// What the built command line prints and answers, as a user starts it. How it ends: cli-endings.test.ts.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/scenario/schema.ts';
import { startServer } from '../../src/server.ts';
import { hasShell } from '../support/missing-tool.ts';
import { type ServingCli, serveCli } from '../support/spawn-cli.ts';
import { keys } from '../support/transports.ts';

/** What serves: a process, or a server in this one. */
type Served = Pick<ServingCli, 'baseUrl'>;

const get = (cli: Served, path: string, headers: Record<string, string> = keys): Promise<Response> =>
  fetch(cli.baseUrl + path, { headers });

const parseLine = (line: string): Record<string, unknown> => JSON.parse(line);

test('with --json, the first line tells where it serves, and what; then each call becomes a line, in the order of the calls', async () => {
  const cli = await serveCli('--json');
  const url = cli.baseUrl.replace(/\/v1$/, '');
  const ready = { event: 'ready', url, baseUrl: cli.baseUrl, scenario: 'default', seed: 42 };
  expect(cli.lines()).toEqual([JSON.stringify({ ...ready, pid: cli.child.pid })]);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9][0-9]*$/);

  const paths = ['/batches?limit=2', '/threads/none%0Asuch/runs', '/%E2%82%AC"%1b[31m', '/batches?limit=0'];
  for (const path of paths) await get(cli, path);
  const { stdout } = await cli.stop();
  const logged = stdout.trimEnd().split('\n').slice(1).map(parseLine);
  expect(logged.map(({ event, method, status }) => [event, method, status])).toEqual(
    [200, 404, 404, 400].map((status) => ['request', 'GET', status]),
  );
  expect(logged[0]).toEqual({
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
    const cli = await serveCli(...options, '--fault', 'listBatches#2: 503');
    const inSession = { ...keys, 'x-mock-session': 'mine' };
    for (const query of ['', '?limit=2&after=%5B']) await get(cli, `/batches${query}`, inSession);
    const headers = {
      'x-gateway-api-key': 'secret-a',
      'x-gateway-virtual-key': 'secret-b',
      authorization: 'Bearer secret-c',
    };
    await get(cli, '/batches?api_key=secret-d&limit=2', headers);
    await get(cli, '/batches?access%5Ftoken=secret-e&key=secret-f&limit=secret-a', headers);
    await get(cli, '/batches?limit=0', headers);
    await get(cli, '/%1b[31mred');
    const { stdout, stderr } = await cli.stop();
    expect(stdout).not.toContain('\x1b');
    for (const text of logged) expect(stdout).toMatch(text);
    expect(stdout + stderr).not.toContain('secret');
  },
);

test.each([
  { options: ['--quiet'], last: ')\n' },
  { options: ['--json', '--quiet'], last: '}\n' },
])('$options prints one line, and logs nothing after it', async ({ options, last }) => {
  const cli = await serveCli(...options);
  await expect.poll(() => cli.stdout().endsWith(last)).toBe(true);
  expect(cli.lines()).toHaveLength(1);
  const greeting = cli.stdout();
  expect((await get(cli, '/batches')).status).toBe(200);
  expect((await get(cli, '/nowhere')).status).toBe(404);
  expect(await cli.stop()).toMatchObject({ stdout: greeting, stderr: '' });
});

test('--max-sessions bounds the sessions, and a call of one that was removed is logged as one of none', async () => {
  const cli = await serveCli('--json', '--max-sessions', '2');
  const statuses: number[] = [];
  for (const session of ['a', 'b', 'a'])
    statuses.push((await get(cli, '/batches', { ...keys, 'x-mock-session': session })).status);
  expect(statuses).toEqual([200, 200, 410]);
  const logged = (await cli.stop()).stdout.trimEnd().split('\n').slice(1).map(parseLine);
  expect(logged.map(({ session }) => session)).toEqual(['a', 'b', null]);
  expect(logged[2]?.assumptions).toEqual(['session-removed', 'error-body']);
});

// Again where the machine was too busy to make the second call within those 200 ms.
test('a call that a fault delays is logged once its reply was sent, with how long that took', {
  retry: 3,
}, async () => {
  const cli = await serveCli('--log', 'json', '--fault', 'listBatches#1: delay 200ms');
  const delayed = get(cli, '/batches');
  await get(cli, '/nowhere');
  expect((await delayed).status).toBe(200);
  const logged = (await cli.stop()).stdout.trimEnd().split('\n').slice(1).map(parseLine);
  expect(logged.map(({ path }) => path)).toEqual(['/v1/nowhere', '/v1/batches']);
  expect(logged[1]?.duration).toBeGreaterThanOrEqual(190); // timers and clocks differ by a little
});

// On Windows they are quoted for the command prompt: src/cli/windows.test.ts.
const hasSh = process.platform !== 'win32' && hasShell('the tests of the curl lines of the banner');
const hasCurl = spawnSync('curl', ['--version']).status === 0; // fetch stands in for it

/** Runs a curl line as a shell would, and answers with the HTTP status. */
const runCurlLine = async (line: string): Promise<number> => {
  // The shell takes the line apart: what it would get wrong in a terminal, it gets wrong here.
  const script = `set -- ${line}\nprintf '%s\\0' "$@"`;
  const [, ...args] = (await promisify(execFile)('sh', ['-c', script])).stdout.split('\0').slice(0, -1);
  if (hasCurl) {
    const report = ['--noproxy', '*', '-o', '/dev/null', '-w', '%{http_code}'];
    return Number((await promisify(execFile)('curl', [...args, ...report])).stdout);
  }
  const after = (option: string) => args.flatMap((arg, at) => (args[at - 1] === option ? [arg] : []));
  const headers = after('-H').map((header) => header.split(': ') as [string, string]);
  const [body = null] = after('-d');
  const url = args.find((arg) => arg.startsWith('http')) ?? '';
  return (await fetch(url, { method: body === null ? 'GET' : 'POST', headers, body })).status;
};

describe('the banner', () => {
  const readBanner = async (...options: string[]): Promise<string[]> => {
    const cli = await serveCli(...options);
    await expect.poll(cli.lines).toContain('Press Ctrl-C to stop.');
    return cli.lines();
  };

  test
    .skipIf(!hasSh)
    .each([
      { options: [] },
      { options: ['--api-key', "it's", '--api-key', 'b', '--virtual-key', '$HOME "v"'] },
    ])('has a curl line for each operation that answers 200, with $options', async ({ options }) => {
    const lines = await readBanner(...options);
    const calls = lines.map((line) => line.trim()).filter((line) => line.startsWith('curl '));
    expect(calls).toHaveLength(operations.length);
    const statuses = await Promise.all(calls.map(runCurlLine));
    expect(statuses).toEqual(operations.map(() => 200));
  });

  test('lists the operations and ids worth trying, without colour codes where it is no terminal', async () => {
    const text = (await readBanner()).join('\n');
    const ids = ['thread_demo', 'thread_empty', 'ftjob_demo', 'prompt_welcome', 'prompt_versions'];
    const policies = [
      '11111111-1111-4111-8111-111111111111',
      '22222222-2222-4222-8222-222222222222 (?status=archived)',
    ];
    for (const wanted of [...operations.map(({ id }) => id), ...ids, ...policies])
      expect(text).toContain(wanted);
    expect(text).not.toContain('\x1b');
  });
});

/** Walks every list, and answers with the bytes of each page and its request id. */
const walkAllLists = async (cli: Served): Promise<string[]> => {
  const pages: string[] = [];
  const runs = ['demo', 'small', 'empty'].flatMap((thread) =>
    ['asc', 'desc'].map((order) => `/threads/thread_${thread}/runs?order=${order}&limit=50`),
  );
  const jobs = ['demo', 'empty'].map((job) => `/fine_tuning/jobs/ftjob_${job}/checkpoints?limit=20`);
  for (const list of [...runs, '/batches?limit=50', ...jobs]) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const response = await get(cli, `${list}&after=${after}`);
      const text = await response.text();
      pages.push(`${response.status} ${response.headers.get('x-request-id')} ${text}`);
      const { has_more, last_id }: { has_more: boolean; last_id?: string } = JSON.parse(text);
      after = has_more ? last_id : undefined;
    }
  }
  return pages;
};

describe('the seed', () => {
  const walks = new Map<number, Promise<string[]>>();
  const walkHere = (seed: number): Promise<string[]> => {
    const walk = async (): Promise<string[]> => {
      const server = await startServer({ seed });
      return walkAllLists(server).finally(server.close);
    };
    const pages = walks.get(seed) ?? walk();
    walks.set(seed, pages);
    return pages;
  };

  test.each([
    [[], 42],
    [['--seed', '0'], 0],
  ])('with %j a process answers as this one does with %i', async (options, seed) => {
    const pages = await walkAllLists(await serveCli('--quiet', ...options));
    expect(pages).toHaveLength(12 + 2 + 2 + 3 + 3 + 1);
    expect(pages).toEqual(await walkHere(seed));
  });

  test('another one makes other bytes', async () => {
    expect((await walkHere(0))[0]).not.toEqual((await walkHere(42))[0]);
  });
});

test('--api-key and --virtual-key, given twice, accept these two and no other', async () => {
  const given = ['--api-key', 'a', '--api-key', 'b', '--virtual-key', 'v', '--virtual-key', 'w'];
  const cli = await serveCli(...given);
  const statusOf = async (api: string, virtual: string) => {
    const { status } = await get(cli, '/batches', {
      'x-gateway-api-key': api,
      'x-gateway-virtual-key': virtual,
    });
    return [api, virtual, status];
  };
  const calls = [
    ['a', 'v', 200],
    ['b', 'w', 200],
    ...['c', 'A', 'a, b', ''].map((key) => [key, 'v', 401] as const),
    ...['x', 'V', 'v, w', ''].map((key) => ['a', key, 400] as const),
  ] as const;
  expect(await Promise.all(calls.map(([api, virtual]) => statusOf(api, virtual)))).toEqual(calls);
});

test.each([
  ['JSON', ['--json']],
  ['text', []],
])('it goes on serving after the reader of its log in %s has gone', async (_format, options) => {
  const cli = await serveCli(...options);
  cli.child.stdout.destroy();
  for (let count = 0; count < 5; count += 1) expect((await get(cli, '/batches')).status).toBe(200);
  expect(await cli.stop()).toMatchObject({ code: 0, stderr: '' });
});
