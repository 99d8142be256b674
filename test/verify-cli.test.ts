import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createHttpTarget } from '../src/conformance/http-target.ts';
import { type ServerOptions, startServer } from '../src/server.ts';
import { TargetError } from '../src/target-options.ts';
import { type Verified, verify } from '../src/verify.ts';
import type { VerifyFlags } from '../src/verify-options.ts';
import { listenTo } from './listen.ts';
import { makeFolder } from './make-folder.ts';
import { spawnCli } from './spawn-cli.ts';

const keys = { apiKey: 'secret-api-key', virtualKey: 'secret-virtual-key' };
const accepted = { apiKeys: [keys.apiKey], virtualKeys: [keys.virtualKey] };

const serve = async (options?: ServerOptions): Promise<string> => {
  const server = await startServer({ ...accepted, ...options });
  onTestFinished(() => server.close());
  return server.baseUrl;
};

const listen = async (listener: RequestListener): Promise<string> => {
  const { url, close } = await listenTo(listener);
  onTestFinished(close);
  return url;
};

const run = (flags: Partial<VerifyFlags>, env: NodeJS.ProcessEnv = {}): Promise<Verified> =>
  verify({ against: 'http://127.0.0.1:9/v1', timeout: 5000, maxCalls: 1000, maxTime: 20_000, ...flags }, env);

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
    expect(stdout).toMatch(/\d+ laws in \d+ calls: \d+ kept, 0 broken, \d+ differ .*\n$/);
    expect(stdout).not.toContain('secret');
  });

  test('ends with 1 where a law is broken, names it, and writes JUnit XML', async () => {
    const real = await serve();
    const against = await listen((request, response) => {
      const { 'x-gateway-api-key': api = '', 'x-gateway-virtual-key': virtual = '' } = request.headers;
      const headers = { 'x-gateway-api-key': String(api), 'x-gateway-virtual-key': String(virtual) };
      void fetch(real + request.url?.replace('/v1', ''), { headers }).then(async (reply) => {
        const text = (await reply.text()).replace(/"has_more":false/, '"has_more":true');
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
      });
    });
    const junit = join(makeFolder(), 'laws.xml');
    const options = ['--against', `${against}/v1`, '--keys', writeKeys(JSON.stringify(toNames(keys)))];
    const { code, stdout, stderr } = await spawnCli('verify', ...options, '--json', '--junit', junit).ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const results: { id: string; outcome: string }[] = JSON.parse(stdout).results;
    const broken = results.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
    expect(broken).toContain('batches-has-more');
    expect(readFileSync(junit, 'utf8')).toContain('<failure message="List envelope">GET /batches?');
  });

  test.each([
    [[], '--against'],
    [['--against', 'http://127.0.0.1:9/v1'], 'GATEWAY_API_KEY'],
    [['--against', 'http://127.0.0.1:9/v1', '--api-key', 'k'], 'cannot be reached'],
    [['--against', 'http://127.0.0.1:9/v1', '--variables', '[]'], 'no JSON object'],
    [['--against', 'http://127.0.0.1:9/v1', '--rate', '0'], 'from 0.01'],
    [['--against', 'http://127.0.0.1:9/v1', '--max-calls', 'many'], 'whole number'],
  ])('%j is a mistake: one line, and exit code 2', async (options, wanted) => {
    const { code, stdout, stderr } = await spawnCli('verify', ...options).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^gateway-mock: [^\n]+\n$/);
    expect(stderr).toContain(wanted);
  });
});

const toNames = ({ apiKey, virtualKey }: typeof keys) => ({
  GATEWAY_API_KEY: apiKey,
  GATEWAY_VIRTUAL_KEY: virtualKey,
});

describe('the keys', () => {
  const lines = `# mine\nexport GATEWAY_API_KEY="${keys.apiKey}"\r\nOTHER=1\n GATEWAY_VIRTUAL_KEY = ${keys.virtualKey} \n`;
  test.each<[string, () => Partial<VerifyFlags>, NodeJS.ProcessEnv]>([
    ['from options, before all else', () => ({ ...keys, keys: writeKeys('GATEWAY_API_KEY=other') }), {}],
    [
      'from a file of lines, before the environment',
      () => ({ keys: writeKeys(lines) }),
      { GATEWAY_API_KEY: 'x' },
    ],
    ['from a file of JSON', () => ({ keys: writeKeys(JSON.stringify(toNames(keys))) }), {}],
    ['from the environment', () => ({}), toNames(keys)],
  ])('are read %s', async (_from, flags, env) => {
    const { text, exitCode } = await run({ against: await serve(), ...flags() }, env);
    expect(exitCode).toBe(0);
    expect(text).not.toMatch(/secret/);
  });

  test('are not shown where the target repeats them, cut in two or not', async () => {
    const against = await listen((request, response) => {
      const told = JSON.stringify([
        request.headers['x-gateway-api-key'],
        request.headers['x-gateway-virtual-key'],
      ]).repeat(5);
      response.writeHead(500, { 'content-type': 'application/json' }).end(`${'x'.repeat(180)}${told}`);
    });
    const { text, exitCode } = await run({ against: `${against}/v1`, ...keys, policy: 'p' });
    expect(exitCode).toBe(1);
    expect(text).toContain('***');
    expect(text).not.toContain('secr');
  });

  test.each(['any', 'k', 'a-b', '$1.*'])(
    'are words where they are as short as %s, and hidden in replies alone',
    async (word) => {
      const against = await listen((_, response) => {
        response.writeHead(500, { 'content-type': 'application/json' }).end(`many keys: ${word}, "${word}"`);
      });
      const { text } = await run({ against: `${against}/v1`, apiKey: word, virtualKey: word });
      expect(text).toContain('came status 500: many keys: ***, "***"');
      expect(text).toContain('it takes a key that has expired.');
    },
  );

  test('do not follow a redirect', async () => {
    const seen: unknown[] = [];
    const elsewhere = await listen((request, response) => {
      seen.push(request.headers);
      response.end('{}');
    });
    const against = await listen((_, response) => {
      response.writeHead(307, { location: elsewhere }).end();
    });
    const { exitCode } = await run({ against: `${against}/v1`, ...keys });
    expect([exitCode, seen]).toEqual([1, []]);
  });
});

describe('a mistake is told without the keys', () => {
  test.each<[string, () => Partial<VerifyFlags> | Promise<Partial<VerifyFlags>>, RegExp]>([
    ['no URL', () => ({ against: 'gateway', ...keys }), /is none/],
    ['another protocol', () => ({ against: 'ftp://gateway.test/v1', ...keys }), /neither http/],
    ['a password in the URL', () => ({ against: 'http://me:secret@gateway.test/v1', ...keys }), /has a user/],
    ['no version', () => ({ against: 'http://gateway.test/', ...keys }), /end in \/v1/],
    ['a key of other characters', () => ({ apiKey: 'secret\u00e9' }), /printable ASCII/],
    ['no such file', () => ({ keys: '/no/such/secret-less-file' }), /cannot be read/],
    ['a file without keys', () => ({ keys: writeKeys('secret') }), /names neither/],
    ['a file of broken JSON', () => ({ keys: writeKeys('{"GATEWAY_API_KEY":"secret') }), /names neither/],
    [
      'keys that are refused',
      async () => ({ against: await serve(), apiKey: 'secret-other', virtualKey: 'v' }),
      /no good call .* 401/,
    ],
    ['nothing to look at', async () => ({ against: await serve(), apiKey: keys.apiKey }), /--virtual-key/],
    [
      'a report that cannot be written',
      async () => ({ against: await serve(), ...keys, junit: '/no/such/folder/x' }),
      /cannot be written/,
    ],
  ])('%s', async (_title, flags, wanted) => {
    const mistake: unknown = await run(await flags()).catch((error: unknown) => error);
    expect(mistake).toBeInstanceOf(TargetError);
    const { message } = mistake as TargetError; // it is one
    expect(message).toMatch(wanted);
    expect(message.replace('secret-less', '')).not.toContain('secret');
  });
});

describe('a target', () => {
  test('that does not answer in time cannot be reached, and is soon left alone', async () => {
    let calls = 0;
    const against = await listen(() => {
      calls += 1;
    });
    const mistake = run({ against: `${against}/v1`, ...keys, timeout: 50 });
    await expect(mistake).rejects.toThrow(/cannot be reached.*no whole reply within 50 ms/);
    expect(calls).toBe(3);
  });

  test('that stops half way is no target that keeps the laws', async () => {
    const real = await startServer(accepted);
    let calls = 0;
    const against = await listen((request, response) => {
      calls += 1;
      if (calls > 5) return void response.destroy();
      const headers = { 'x-gateway-api-key': keys.apiKey, 'x-gateway-virtual-key': keys.virtualKey };
      void fetch(real.baseUrl + request.url?.replace('/v1', ''), { headers }).then(async (reply) => {
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
      });
    });
    const { text, exitCode } = await run({ against: `${against}/v1`, ...keys });
    await real.close();
    expect(exitCode).toBe(2);
    expect(text).toContain('was not answered');
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
