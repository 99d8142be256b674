import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../../src/gateway/options.ts';
import { captureKeys } from '../support/capture-account.ts';
import { listenTo, openListener } from '../support/listen.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { runCli } from '../support/run-cli.ts';
import { type Ending, serveCli, spawnCli } from '../support/spawn-cli.ts';

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

describe('gateway-mock capture', () => {
  test('writes a scenario that is valid, that a server serves, and that no key stands in', async () => {
    const baseUrl = await serve();
    const file = `${makeFolder()}/captured.yaml`;
    const { code, stdout, stderr } = await spawnCli(
      'capture',
      ...['--against', baseUrl, '-o', file, ...keyFlags],
      ...['--thread', 'thread_small', '--thread', 'thread_empty', '--job', 'ftjob_demo'],
      ...['--policy', '22222222-2222-4222-8222-222222222222', '--prompt', 'prompt_versions@1'],
      ...['--variables', '{"name":"Ada"}', '--rate', '1000'],
    ).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('2 threads, 130 batches, 1 job, 1 policy, 1 prompt');
    const text = readFileSync(file, 'utf8');
    for (const key of [apiKey, virtualKey]) expect(stdout + text).not.toContain(key);
    const checked = await runCli('validate', file);
    expect(checked).toMatchObject({ code: 0, stdout: '1 checked, 0 errors\n' });
    const served = await serveCli('--scenario', file, '--quiet');
    const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
    const get = async (path: string, base = served.baseUrl) => (await fetch(base + path, { headers })).json();
    const [page, original] = [await get('/batches?limit=100'), await get('/batches?limit=100', baseUrl)];
    expect(page.data.map(({ status, created_at }: Record<string, unknown>) => [status, created_at])).toEqual(
      original.data.map(({ status, created_at }: Record<string, unknown>) => [status, created_at]),
    );
    expect((await get('/threads/thread_0001/runs')).data).toHaveLength(6);
    expect(await get('/threads/thread_0002/runs')).toMatchObject({ data: [], has_more: false });
  });

  test('takes keys from the environment or a file, and reads no list without a virtual key', async () => {
    const baseUrl = await serve({ apiKeys: [apiKey] });
    const keys = `${makeFolder({ 'keys.env': `# ours\nexport GATEWAY_API_KEY="${apiKey}"\n` })}/keys.env`;
    const { code, stdout } = await run(baseUrl, '--keys', keys, '--prompt', 'prompt_welcome');
    expect(code).toBe(0);
    expect(stdout).toContain('Batches were not read');
    expectError(await run(baseUrl, '--keys', keys, '--thread', 'thread_demo'), 'GATEWAY_VIRTUAL_KEY');
  });

  test('gives a call up after --timeout', async () => {
    const silent = await openListener(() => {});
    const late = await run(`${silent}/v1`, ...keyFlags, '--timeout', '50');
    expectError(late, 'no complete reply within 50 ms');
    expect(existsSync(late.file)).toBe(false);
    expectError(await run(`${silent}/v1`, ...keyFlags, '--timeout', 'soon'), 'the timeout');
  });

  test('writes no file at Ctrl-C, and ends with 2', async () => {
    const against = await openListener(() => void child.kill('SIGINT'));
    const file = `${makeFolder()}/captured.yaml`;
    const { child, ended } = spawnCli('capture', '--against', `${against}/v1`, '-o', file, ...keyFlags);
    expectError(await ended, 'interrupted: no file was written.');
    expect(existsSync(file)).toBe(false);
  });

  test('names all required options that are missing', async () => {
    expect(await runCli('capture')).toMatchObject({
      code: 2,
      stderr: "gateway-mock: required option '--against <url>' not specified. See gateway-mock --help.\n",
    });
  });

  test('overwrites no file unless asked to', async () => {
    const baseUrl = await serve();
    const file = `${makeFolder()}/mine.yaml`;
    writeFileSync(file, 'seed: 7\n');
    const again = (...flags: string[]) =>
      runCli('capture', '--against', baseUrl, '-o', file, ...keyFlags, ...flags);
    expectError(await again(), 'exists already');
    expect(readFileSync(file, 'utf8')).toBe('seed: 7\n');
    expect((await again('--force')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('Captured from a gateway');
  });

  test('overwrites no file that was written while it read the gateway', async () => {
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
  ])('puts nothing in the place of %s', async (_what, make, flags, words) => {
    const folder = makeFolder();
    make(`${folder}/mine.yaml`);
    const args = ['--against', await serve(), '-o', `${folder}/mine.yaml`, ...keyFlags, ...flags];
    expectError(await runCli('capture', ...args), words);
    expect(readdirSync(folder)).toEqual(['mine.yaml']);
  });

  test("prints a gateway's field names without control characters of the terminal", async () => {
    const url = await openListener((_, response) => {
      const record = { id: 'b', object: 'batch', created_at: 5, 'evil\u001b]0;pwned\u0007': 1 };
      response.end(JSON.stringify({ object: 'list', has_more: false, data: [record] }));
    });
    const { code, stdout } = await run(`${url}/v1`, ...keyFlags);
    expect(code).toBe(0);
    expect(stdout).toContain('batches: evil');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that must not be there
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  });

  test('hides a key that a gateway quotes', async () => {
    const url = await openListener((request, response) => {
      const key = String(request.headers['x-gateway-virtual-key']);
      response
        .writeHead(400)
        .end(JSON.stringify({ error: { message: `Following keys are not valid: ${key}` } }));
    });
    const ending = await run(`${url}/v1`, ...keyFlags);
    expectError(ending, 'GET /batches was refused with 400: "Following keys are not valid: ***');
  });

  test.each([
    ['keys that are refused', { apiKeys: ['another-key'] }, [], '401: "Invalid API Key". Check the keys.'],
    [
      'a thread that there is not',
      {},
      ['--thread', 'thread_none'],
      "404: \"No thread found with id 'thread_none'.",
    ],
    [
      'a policy that there is not',
      {},
      ['--policy', '99999999-9999-4999-8999-999999999999'],
      'refused with 404',
    ],
    ['a path that leads elsewhere', {}, ['--thread', '..'], 'cannot be ".."'],
    ['variables that are no object', {}, ['--variables', '[1]'], 'give a JSON object'],
    ['a rate of nothing', {}, ['--rate', '0'], 'from 0.01 to 10000'],
  ])('ends with exit code 2 for %s', async (_what, options, flags, words) => {
    expectError(await run(await serve(options), ...keyFlags, ...flags), words);
  });

  test.each([
    ['an invalid URL', ['gateway', '-o', 'a.yaml'], 'is not a valid URL'],
    ['a URL without its version', ['http://127.0.0.1:9', '-o', 'a.yaml'], 'does not end in /v1'],
    [
      'nobody at the address',
      ['http://127.0.0.1:9/v1', '-o', 'a.yaml'],
      'failed to reach http://127.0.0.1:9/v1',
    ],
    ['a file of another name', ['http://127.0.0.1:9/v1', '-o', 'a.txt'], 'is not a scenario file'],
    ['a missing folder', ['http://127.0.0.1:9/v1', '-o', 'none/a.yaml'], 'does not exist'],
    ['no file', ['http://127.0.0.1:9/v1'], '--output'],
  ])('ends with exit code 2 for %s', async (_what, flags, words) => {
    expectError(await runCli('capture', '--against', ...flags, ...keyFlags), words);
  });

  test('ends with exit code 2 if no server is at the address', async () => {
    const { url, close } = await listenTo(() => {});
    await close();
    expectError(await run(`${url}/v1`, ...keyFlags), `failed to reach ${url}/v1: connect ECONNREFUSED`);
  });

  test('ends with exit code 2 without an API key', async () => {
    expectError(await run('http://127.0.0.1:9/v1'), 'the API key is missing');
  });
});
