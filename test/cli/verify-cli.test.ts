import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { TargetError } from '../../src/cli/target-options.ts';
import { type Verified, verify } from '../../src/cli/verify.ts';
import type { VerifyFlags } from '../../src/cli/verify-options.ts';
import { createHttpTarget } from '../../src/conformance/client.ts';
import type { ServerOptions } from '../../src/server.ts';
import { openListener } from '../support/listen.ts';
import { makeFolder } from '../support/make-folder.ts';
import { reportMissing } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';
import { runCli } from '../support/run-cli.ts';
import { volume } from '../support/settings.ts';
import { spawnCli } from '../support/spawn-cli.ts';
import { buildFolder } from '../support/write-built.ts';

const keys = { apiKey: 'secret-api-key', virtualKey: 'secret-virtual-key' };
const accepted = { apiKeys: [keys.apiKey], virtualKeys: [keys.virtualKey] };

const serve = async (options?: ServerOptions): Promise<string> =>
  (await openServer({ ...accepted, ...options })).baseUrl;

const run = (flags: Partial<VerifyFlags>, env: NodeJS.ProcessEnv = {}): Promise<Verified> =>
  verify(
    { against: 'http://127.0.0.1:9/v1', timeout: 20_000, maxCalls: 1000, maxTime: 100_000, ...flags },
    env,
  );

const writeKeys = (text: string): string => {
  const file = join(makeFolder(), 'keys');
  writeFileSync(file, text);
  return file;
};

describe('the built command', () => {
  test('ends with 0 against our own server, prints what it found, and no key', async () => {
    vi.stubEnv('GATEWAY_API_KEY', keys.apiKey);
    vi.stubEnv('GATEWAY_VIRTUAL_KEY', keys.virtualKey);
    const samples = ['--thread', 'thread_demo', '--job', 'ftjob_demo', '--prompt', 'prompt_welcome'];
    const policies = ['--policy', '11111111-1111-4111-8111-111111111111'];
    const options = ['--against', await serve(), ...samples, ...policies, '--variables', '{"name":"Ada"}'];
    const { code, stdout, stderr } = await spawnCli('verify', ...options).ended;
    vi.unstubAllEnvs();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/\d+ checks in \d+ calls: \d+ passed, 0 failed, \d+ differ .*\n$/);
    expect(stdout).not.toContain('secret');
  });

  test('ends with 2 if a given record does not exist, and prints the report', async () => {
    const flags = ['--against', await serve({ apiKeys: ['any'] }), '--api-key', 'any', '--virtual-key'];
    const { code, stdout, stderr } = await runCli(
      'verify',
      ...flags,
      keys.virtualKey,
      '--thread',
      'thread_dmo',
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^gateway-mock: \d+ checks were not done, as valid calls were refused: .*thread_dmo.* returned 404 /,
    );
    expect(stdout).toMatch(/\d+ checks in \d+ calls/);
    expect(stdout).toContain('any value that is not empty'); // such a word is no secret
  });

  test('ends with 2 if the archived policy is not archived, or the id of a policy is not a UUID', async () => {
    vi.stubEnv('GATEWAY_API_KEY', keys.apiKey);
    vi.stubEnv('GATEWAY_VIRTUAL_KEY', keys.virtualKey);
    const against = ['--against', await serve()];
    const active = '11111111-1111-4111-8111-111111111111';
    const mistaken = await runCli('verify', ...against, '--archived-policy', active);
    const misspelt = await runCli('verify', ...against, '--policy', 'nope');
    vi.unstubAllEnvs();
    expect(mistaken).toMatchObject({ code: 2, stderr: expect.stringContaining(`${active}`) });
    expect(misspelt).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the id of a policy must be a UUID'),
    });
  });

  test('ends with 1 if a check fails, names it, and writes JUnit XML', async () => {
    const real = await serve();
    const against = await openListener((request, response) => {
      const { 'x-gateway-api-key': api = '', 'x-gateway-virtual-key': virtual = '' } = request.headers;
      const headers = { 'x-gateway-api-key': String(api), 'x-gateway-virtual-key': String(virtual) };
      void fetch(real + request.url?.replace('/v1', ''), { headers }).then(async (reply) => {
        const text = (await reply.text()).replace(/"has_more":false/, '"has_more":true');
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
      });
    });
    const junit = join(makeFolder(), 'checks.xml');
    const options = ['--against', `${against}/v1`, '--keys', writeKeys(toLines(keys))];
    const { code, stdout, stderr } = await spawnCli('verify', ...options, '--json', '--junit', junit).ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const results: { id: string; outcome: string }[] = JSON.parse(stdout).results;
    const broken = results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
    expect(broken).toContain('batches-has-more');
    expect(readFileSync(junit, 'utf8')).toContain('<failure message="List envelope">GET /batches?');
  });

  test('ends with 2 at Ctrl-C, although a check has failed, and prints what was found by then', async () => {
    const real = await serve({ apiKeys: ['any'], virtualKeys: ['any'] });
    let calls = 0;
    const against = await openListener((request, response) => {
      calls += 1;
      if (calls === 60) return void child.kill('SIGINT'); // this call gets no reply
      const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
      void fetch(real + request.url?.replace('/v1', ''), { headers }).then(async (reply) => {
        const text = (await reply.text()).replace(/"created_at":\d+/, '"created_at":"today"');
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
      });
    });
    const flags = ['--against', `${against}/v1`, '--api-key', 'any', '--virtual-key', 'any'];
    const { child, ended } = spawnCli('verify', ...flags);
    const { code, stdout, stderr } = await ended;
    expect({ code, calls }).toEqual({ code: 2, calls: 60 });
    expect(stdout).toMatch(/batches-schema +failed/);
    expect(stdout).toMatch(/checks in 60 calls: \d+ passed, [1-9]\d* failed/);
    expect(stderr).toMatch(/^gateway-mock: the run was interrupted: [1-9]\d* checks did not run\.\n$/);
  });

  test.each([
    [[], '--against'],
    [['--against', 'http://127.0.0.1:9/v1'], 'GATEWAY_API_KEY'],
    [['--against', 'http://127.0.0.1:9/v1', '--api-key', 'k'], 'failed to reach'],
    [['--against', 'http://127.0.0.1:9/v1', '--variables', '[]'], 'give a JSON object'],
    [['--against', 'http://127.0.0.1:9/v1', '--rate', '0'], 'from 0.01'],
    [['--against', 'http://127.0.0.1:9/v1', '--max-calls', 'many'], 'whole number'],
    [['--against', 'http://127.0.0.1:9/v1', '--thread', '..'], 'cannot be ".."'],
    [['--against', 'http://127.0.0.1:9/v1', '--apikey=SECRET-KEY=1'], "unknown option '--apikey=…'"],
  ])('%j is an error: one line, and exit code 2', async (options, wanted) => {
    const { code, stdout, stderr } = await runCli('verify', ...options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^gateway-mock: [^\n]+\n$/);
    expect(stderr).not.toContain('SECRET');
    expect(stderr).toContain(wanted);
  });
});

const manyRecords = (count: number): object[] =>
  Array.from({ length: count }, (_, id) => ({ id: `b${id}`, object: 'batch', created_at: 5 }));

const toNames = ({ apiKey, virtualKey }: typeof keys) => ({
  GATEWAY_API_KEY: apiKey,
  GATEWAY_VIRTUAL_KEY: virtualKey,
});

const toLines = (of: typeof keys): string =>
  Object.entries(toNames(of))
    .map(([name, key]) => `${name}=${key}`)
    .join('\n');

describe('the keys', () => {
  const lines = `# mine\nexport GATEWAY_API_KEY="${keys.apiKey}"\r\nOTHER=1\n GATEWAY_VIRTUAL_KEY = ${keys.virtualKey} \n`;
  test.each<[string, () => Partial<VerifyFlags>, NodeJS.ProcessEnv]>([
    ['from options, before all else', () => ({ ...keys, keys: writeKeys('GATEWAY_API_KEY=other') }), {}],
    [
      'from a file of lines, before the environment',
      () => ({ keys: writeKeys(lines) }),
      { GATEWAY_API_KEY: 'x' },
    ],
    ['from a file with a byte order mark', () => ({ keys: writeKeys(`\uFEFF${toLines(keys)}`) }), {}],
    ['from the environment', () => ({}), toNames(keys)],
  ])('are read %s', async (_from, flags, env) => {
    const { text, error } = await run({ against: await serve(), maxCalls: 1, ...flags() }, env);
    expect(error).toMatch(/^the run is incomplete/); // with other keys, there is no valid call
    expect(text).not.toMatch(/secret/);
  });

  test('are not shown where the target repeats them, cut in two or not', async () => {
    const against = await openListener((request, response) => {
      const repeated = JSON.stringify([
        request.headers['x-gateway-api-key'],
        request.headers['x-gateway-virtual-key'],
      ]).repeat(5);
      response.writeHead(500, { 'content-type': 'application/json' }).end(`${'x'.repeat(180)}${repeated}`);
    });
    const error = await run({ against: `${against}/v1`, ...keys, policy: 'p' }).catch(String);
    expect(error).toContain('no valid call');
    expect(error).toContain('***');
    expect(error).not.toContain('secr');
  });

  test.each(['k3y', 'sk-0.123'])('are not shown where ids hold %s, which is then asked for', async (key) => {
    const against = await openListener((_, response) => {
      const data = ['x', key, 'y'].map((id) => ({ id, object: 'batch', created_at: key, status: 's' }));
      const page = { object: 'list', data, has_more: true, first_id: key, last_id: key };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
    });
    const { text, exitCode } = await run({
      against: `${against}/v1`,
      apiKey: key,
      virtualKey: key,
      json: true,
    });
    expect(exitCode).toBe(1);
    expect(text).toContain('after=***');
    expect(text).not.toContain(key);
    expect(text).not.toContain(new URLSearchParams({ key }).toString().slice(4));
  });

  test.each(['any1', 'k-', 'a-b', '$1.*'])(
    'are hidden as whole words where they are as short as %s',
    async (word) => {
      const against = await openListener((_, response) => {
        response.writeHead(500, { 'content-type': 'application/json' }).end(`many keys: ${word}, "${word}"`);
      });
      const error = await run({ against: `${against}/v1`, apiKey: word, virtualKey: word }).catch(String);
      expect(error).toContain('got status 500: many keys: ***, "***"');
    },
  );

  test('do not follow a redirect', async () => {
    const seen: unknown[] = [];
    const elsewhere = await openListener((request, response) => {
      seen.push(request.headers);
      response.end('{}');
    });
    const against = await openListener((_, response) => {
      response.writeHead(307, { location: elsewhere }).end();
    });
    const error = await run({ against: `${against}/v1`, ...keys }).catch(String);
    expect([error, seen]).toEqual([expect.stringContaining('redirects are not followed'), []]);
  });
});

describe('an error is reported without the keys', () => {
  test.each<[string, () => Partial<VerifyFlags> | Promise<Partial<VerifyFlags>>, RegExp]>([
    ['no URL', () => ({ against: 'gateway', ...keys }), /is not a valid URL/],
    ['another protocol', () => ({ against: 'ftp://gateway.test/v1', ...keys }), /does not begin with http/],
    ['a password in the URL', () => ({ against: 'http://me:secret@gateway.test/v1', ...keys }), /has a user/],
    ['no version', () => ({ against: 'http://gateway.test/', ...keys }), /end in \/v1/],
    ['a key of other characters', () => ({ apiKey: 'secret\u00e9' }), /printable ASCII/],
    ['no such file', () => ({ keys: '/no/such/secret-less-file' }), /failed to read/],
    ['a file without keys', () => ({ keys: writeKeys('secret') }), /has neither/],
    ['a file of broken JSON', () => ({ keys: writeKeys('{"GATEWAY_API_KEY":"secret') }), /has neither/],
    [
      'keys that are refused',
      async () => ({ against: await serve(), apiKey: 'secret-other', virtualKey: 'v' }),
      /no valid call .* 401/,
    ],
    ['nothing to look at', async () => ({ against: await serve(), apiKey: keys.apiKey }), /--virtual-key/],
    [
      'a report that cannot be written',
      async () => ({ against: await serve(), ...keys, junit: '/no/such/folder/x' }),
      /failed to write/,
    ],
  ])('%s', async (_title, flags, wanted) => {
    const thrown: unknown = await run(await flags()).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(TargetError);
    const { message } = thrown as TargetError; // it is one
    expect(message).toMatch(wanted);
    expect(message.replace('secret-less', '')).not.toContain('secret');
  });
});

const fullDevice = '/dev/full';
const hasFullDevice = existsSync(fullDevice);
if (!hasFullDevice) reportMissing(fullDevice, 'the tests of output to a full disk', 'Run them on Linux.');

describe('a report', () => {
  const options = async () => {
    const given = ['--against', await serve(), '--api-key', keys.apiKey, '--virtual-key', keys.virtualKey];
    return ['verify', ...given];
  };

  test.skipIf(!hasFullDevice)('is printed though its file cannot be written', async () => {
    const { code, stdout, stderr } = await runCli(...(await options()), '--junit', fullDevice);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('failed to write') });
    expect(stdout).toMatch(/\d+ checks in \d+ calls/);
  });

  test.skipIf(!hasFullDevice)('that nobody gets is no success', async () => {
    const args = [join(buildFolder, 'cli.js'), ...(await options()), '--json'];
    const full = openSync(fullDevice, 'w');
    onTestFinished(() => closeSync(full));
    const child = spawn(process.execPath, args, { stdio: ['ignore', full, 'pipe'] });
    const errors = readText(child.stderr as Readable); // it is a pipe
    const [stderr] = await Promise.all([errors, once(child, 'close')]);
    expect({ code: child.exitCode, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^gateway-mock: failed to write the output: .*\n$/),
    });
  });
});

describe('a target', () => {
  test.each([
    [500, '{"m":"boom"}'],
    [204, ''],
    [302, ''],
  ])('that answers every call by %i tells nothing: exit code 2', async (status, text) => {
    const against = await openListener((_, response) => response.writeHead(status).end(text || undefined));
    await expect(run({ against: `${against}/v1`, ...keys })).rejects.toThrow(/no valid call .* succeeded/);
  });

  test.each<[string, string]>([
    [
      'arrays within arrays',
      `{"object":"list","has_more":false,"data":${'['.repeat(60_000)}${']'.repeat(60_000)}}`,
    ],
    [
      'a page of very many records',
      JSON.stringify({ object: 'list', has_more: true, data: manyRecords(volume(130_000, 20_000)) }),
    ],
  ])('that answers with %s is looked at as far as that goes', async (_what, body) => {
    const against = await openListener((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const { text, exitCode } = await run({
      against: `${against}/v1`,
      ...keys,
      maxCalls: volume(10, 3),
      json: true,
    });
    expect(exitCode).toBe(1);
    expect(text.length).toBeLessThan(1_000_000);
  });
  test('that does not answer in time cannot be reached, and is soon left alone', async () => {
    let calls = 0;
    const against = await openListener(() => {
      calls += 1;
    });
    const error = run({ against: `${against}/v1`, ...keys, timeout: 200 });
    await expect(error).rejects.toThrow(/failed to reach.*no complete reply within 200 ms/);
    expect(calls).toBeLessThanOrEqual(3); // a busy machine may give one up before it has arrived
  });

  test('that stops half way does not pass', async () => {
    const real = await openServer(accepted);
    let calls = 0;
    const against = await openListener((request, response) => {
      calls += 1;
      if (calls > 5) return void response.destroy();
      const headers = { 'x-gateway-api-key': keys.apiKey, 'x-gateway-virtual-key': keys.virtualKey };
      void fetch(real.baseUrl + request.url?.replace('/v1', ''), { headers }).then(async (reply) => {
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
      });
    });
    const { text, exitCode } = await run({ against: `${against}/v1`, ...keys });
    expect(exitCode).toBe(2);
    expect(text).toContain('got no reply');
  });

  test('is called no faster than the rate', async () => {
    const rate = 50;
    const calls = 6;
    const target = createHttpTarget(await serve(), keys, {}, { rate });
    const start = performance.now();
    for (let call = 0; call < calls; call += 1) await target.call({ method: 'GET', path: '/batches' });
    expect(performance.now() - start).toBeGreaterThanOrEqual(((calls - 1) * 1000) / rate - 5); // timers round
  });
});

describe('a run that is cut short', () => {
  test.each([{ maxCalls: 1 }, { maxCalls: 20 }])(
    'by %j is no success: exit code 2, and how to go on',
    async (end) => {
      const { exitCode, error } = await run({ against: await serve(), ...keys, ...end });
      expect(exitCode).toBe(2);
      expect(error).toMatch(
        /^the run is incomplete: \d+ checks did not run\. Raise --max-calls \(it was \d+\)/,
      );
    },
  );

  test('ends with 1 if a check failed before that', async () => {
    const real = await serve();
    const against = await openListener((request, response) => {
      const headers = { 'x-gateway-api-key': keys.apiKey, 'x-gateway-virtual-key': keys.virtualKey };
      void fetch(real + request.url?.replace('/v1', ''), { headers }).then(async (reply) => {
        const text = (await reply.text()).replace('"object":"list"', '"object":"page"');
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
      });
    });
    const { exitCode, error } = await run({ against: `${against}/v1`, ...keys, maxCalls: 20 });
    expect({ exitCode, error }).toEqual({ exitCode: 1, error: undefined });
  });
});

test('variables without a prompt are an error: nothing would be done with them', async () => {
  const error = run({ against: 'http://127.0.0.1:9/v1', ...keys, variables: { name: 'Ada' } });
  await expect(error).rejects.toThrow('--variables also needs --prompt ID');
});
