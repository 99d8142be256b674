// What `gateway-mock capture` adds to a capture: keys, files and messages. Its usage errors: refusals.test.ts.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { GatewayOptions } from '../../src/service/gateway/gateway-options.ts';
import { captureKeys } from '../support/capture-account.ts';
import { openListener } from '../support/listen.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { runCli, serveHere } from '../support/run-cli.ts';
import { type Ending, spawnCli } from '../support/spawn-cli.ts';

const { apiKey, virtualKey } = captureKeys;
const keyFlags = ['--api-key', apiKey, '--virtual-key', virtualKey];

const serve = async (options?: GatewayOptions): Promise<string> => (await openServer(options)).baseUrl;

/** Captures into a new file. */
const run = async (baseUrl: string, ...flags: string[]): Promise<Ending & { readonly file: string }> => {
  const file = `${makeFolder()}/captured.yaml`;
  return { file, ...(await runCli('capture', '--against', baseUrl, '-o', file, ...flags)) };
};

const expectError = ({ code, stdout, stderr }: Ending, words: string): void => {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^gateway-mock: [^\n]+\n$/);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain(apiKey);
  expect(stderr).not.toContain(virtualKey);
};

test('it writes a scenario that is valid, that a server serves, and that contains no key', async () => {
  const baseUrl = await serve();
  const { code, stdout, stderr, file } = await run(
    baseUrl,
    ...[...keyFlags, '--thread', 'thread_small', '--thread', 'thread_empty', '--job', 'ftjob_demo'],
    ...['--policy', '22222222-2222-4222-8222-222222222222', '--prompt', 'prompt_versions@1'],
    ...['--variables', '{"name":"Ada"}', '--rate', '1000'],
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Wrote 179 records and prompts');
  const text = readFileSync(file, 'utf8');
  for (const key of [apiKey, virtualKey]) expect(stdout + text).not.toContain(key);
  const served = await serveHere('--scenario', file);
  const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
  const get = async (path: string, base = served.baseUrl) => (await fetch(base + path, { headers })).json();
  const [page, original] = [await get('/batches?limit=100'), await get('/batches?limit=100', baseUrl)];
  const known = ({ status, created_at }: Record<string, unknown>) => [status, created_at];
  expect(page.data.map(known)).toEqual(original.data.map(known));
  expect((await get('/threads/thread_0001/runs')).data).toHaveLength(6);
  expect(await get('/threads/thread_0002/runs')).toMatchObject({ data: [], has_more: false });
});

test('it takes keys from a file, and reads no list without a virtual key', async () => {
  const baseUrl = await serve({ apiKeys: [apiKey] });
  const keys = `${makeFolder({ 'keys.env': `# ours\nexport GATEWAY_API_KEY="${apiKey}"\n` })}/keys.env`;
  const { code, stdout } = await run(baseUrl, '--keys', keys, '--prompt', 'prompt_welcome');
  expect(code).toBe(0);
  expect(stdout).toContain('Batches were not read');
  expectError(await run(baseUrl, '--keys', keys, '--thread', 'thread_demo'), 'GATEWAY_VIRTUAL_KEY');
});

test('a call is given up after --timeout', async () => {
  const late = await run(`${await openListener(() => {})}/v1`, ...keyFlags, '--timeout', '50');
  expectError(late, 'no complete reply within 50 ms');
  expect(existsSync(late.file)).toBe(false);
});

test('at Ctrl-C, it writes no file, and ends with 2', async () => {
  const against = await openListener(() => void child.kill('SIGINT'));
  const file = `${makeFolder()}/captured.yaml`;
  const { child, ended } = spawnCli('capture', '--against', `${against}/v1`, '-o', file, ...keyFlags);
  expectError(await ended, 'interrupted: no file was written.');
  expect(existsSync(file)).toBe(false);
});

test('it overwrites no file unless asked to', async () => {
  const baseUrl = await serve();
  const file = `${makeFolder({ 'mine.yaml': 'seed: 7\n' })}/mine.yaml`;
  const again = (...flags: string[]) =>
    runCli('capture', '--against', baseUrl, '-o', file, ...keyFlags, ...flags);
  expectError(await again(), 'exists already');
  expect(readFileSync(file, 'utf8')).toBe('seed: 7\n');
  expect((await again('--force')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('Captured from a gateway');
});

test('it overwrites no file that was written while it read the gateway', async () => {
  const file = `${makeFolder()}/mine.yaml`;
  const url = await openListener((_, response) => {
    writeFileSync(file, 'seed: 7\n');
    response.end('{"object":"list","has_more":false,"data":[]}');
  });
  expectError(await runCli('capture', '--against', `${url}/v1`, '-o', file, ...keyFlags), 'exists already');
  expect(readFileSync(file, 'utf8')).toBe('seed: 7\n');
});

test.each([
  ['a link that leads nowhere', (file: string) => symlinkSync('/no/such/file', file), [], 'exists already'],
  ['a folder', (file: string) => mkdirSync(file), ['--force'], 'is a folder'],
])('it replaces no %s', async (_what, make, flags, words) => {
  const folder = makeFolder();
  make(`${folder}/mine.yaml`);
  const args = ['--against', await serve(), '-o', `${folder}/mine.yaml`, ...keyFlags, ...flags];
  expectError(await runCli('capture', ...args), words);
  expect(readdirSync(folder)).toEqual(['mine.yaml']);
});

test("it prints a gateway's field names without control characters of the terminal", async () => {
  const url = await openListener((_, response) => {
    const record = { id: 'b', object: 'batch', created_at: 5, 'evil\u001b]0;pwned\u0007_api_key': 'k' };
    response.end(JSON.stringify({ object: 'list', has_more: false, data: [record] }));
  });
  const { code, stdout } = await run(`${url}/v1`, ...keyFlags);
  expect(code).toBe(0);
  expect(stdout).toContain('data[].evil');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that must not be there
  expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
});

test.each<[what: string, options: GatewayOptions, flags: string[], words: string]>([
  ['keys', { apiKeys: ['another-key'] }, [], '401: "Invalid API Key". Check the keys.'],
  ['a thread', {}, ['--thread', 'none'], `404: "No thread found with id 'none'.`],
])('%s that the gateway refuses are reported with its words', async (_what, options, flags, words) => {
  expectError(await run(await serve(options), ...keyFlags, ...flags), words);
});

/** A gateway of one batch and one policy. */
const serveRecords = (batch: object, policy: object = {}): Promise<string> =>
  openListener((request, response) => {
    const page = {
      object: 'list',
      has_more: false,
      data: [{ id: 'b', object: 'batch', created_at: 5, ...batch }],
    };
    response.end(JSON.stringify(request.url?.includes('policies') ? policy : page));
  });

test('--raw keeps metadata as it is, and lists and counts the credentials that it masks', async () => {
  const metadata = { customer_key: 'acme corporation north', api_token: 'a-token-of-the-user' };
  const url = await serveRecords({
    metadata,
    endpoint: 'acme corporation north',
    input_file_id: 'https://a.test/?api_key=1234567890',
  });
  const { code, stdout, file } = await run(`${url}/v1`, ...keyFlags, '--raw');
  expect(code).toBe(0);
  const text = readFileSync(file, 'utf8');
  for (const value of [...Object.values(metadata), 'endpoint: acme corporation north'])
    expect(text).toContain(value);
  expect(text).not.toContain('1234567890');
  expect(stdout).toContain('Ids and texts are unchanged (--raw), except for masked credentials.');
  expect(stdout).toContain('Values masked as credentials: 1 (data[].input_file_id).');
});

test('a field of metadata that --mask names is masked', async () => {
  const url = await serveRecords({ metadata: { customer_key: 'acme corporation north' } });
  const { stdout, file } = await run(`${url}/v1`, ...keyFlags, '--raw', '--mask', 'customer_key');
  expect(readFileSync(file, 'utf8')).not.toContain('acme');
  expect(stdout).toContain('Values masked as credentials: 1 (data[].metadata.customer_key).');
});

test('a policy whose condition has a list is left out, with the reason: without the condition it would limit other calls', async () => {
  const id = '11111111-1111-4111-8111-111111111111';
  const conditions = [{ key: 'model', value: ['a', 'b'] }];
  const url = await serveRecords({}, { id, status: 'active', conditions });
  const { code, stdout, file } = await run(`${url}/v1`, ...keyFlags, '--policy', id);
  expect(code).toBe(0);
  expect(stdout).toContain('A policy was left out: its condition "model" has a list of values.');
  expect(readFileSync(file, 'utf8')).not.toContain('model');
});

test('the folders of the output file are made', async () => {
  const file = `${makeFolder()}/a/b/mine.yaml`;
  const args = ['--against', await serve(), '-o', file, ...keyFlags];
  expect(await runCli('capture', ...args)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toContain('batches:');
});

test('without names and a virtual key nothing is captured: exit code 1, and no file', async () => {
  const { code, stderr, file } = await run(await serve(), '--api-key', apiKey);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^gateway-mock: nothing was captured: /),
  });
  expect(existsSync(file)).toBe(false);
});
