// What `gateway-mock verify` adds to the checks: keys, exit codes and reports. Its usage errors: refusals.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import type { ServerOptions } from '../../src/server.ts';
import { verify } from '../../src/tools/cli/verify.ts';
import type { VerifyFlags } from '../../src/tools/cli/verify-options.ts';
import { createHttpTarget } from '../../src/tools/conformance/client.ts';
import { openListener } from '../support/listen.ts';
import { makeFolder } from '../support/make-folder.ts';
import { reportMissing } from '../support/missing-tool.ts';
import { openServer } from '../support/open-gateway.ts';
import { runCli } from '../support/run-cli.ts';
import { volume } from '../support/settings.ts';
import { spawnCli } from '../support/spawn-cli.ts';
import { buildFolder } from '../support/write-built.ts';

const keys = { apiKey: 'secret-api-key', virtualKey: 'secret-virtual-key' };
const keyFlags = ['--api-key', keys.apiKey, '--virtual-key', keys.virtualKey];
const accepted = { apiKeys: [keys.apiKey], virtualKeys: [keys.virtualKey] };

const active = '11111111-1111-4111-8111-111111111111';

/** Few records, so that a whole run takes few calls. */
const scenario: Scenario = {
  threads: { thread_a: { runs: 3 } },
  jobs: { job_a: { checkpoints: 3 } },
  batches: 3,
  policies: { records: [{ id: active, status: 'active' }] },
};

const serve = async (options?: ServerOptions): Promise<string> =>
  (await openServer({ scenario, ...accepted, ...options })).baseUrl;

/** A gateway that changes the bodies of our replies; a call for which `onCall` returns false gets none. */
const serveChanged = async (change: (text: string) => string, onCall = (_call: number) => true) => {
  const real = await serve();
  let calls = 0;
  const url = await openListener((request, response) => {
    calls += 1;
    if (!onCall(calls)) return void response.destroy();
    const { 'x-gateway-api-key': api = '', 'x-gateway-virtual-key': virtual = '' } = request.headers;
    const headers = { 'x-gateway-api-key': String(api), 'x-gateway-virtual-key': String(virtual) };
    void fetch(real + request.url?.replace('/v1', ''), { headers }).then(async (reply) => {
      const text = change(await reply.text());
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
    });
  });
  return `${url}/v1`;
};

/** A gateway that replies the same to every call. */
const serveOnly = async (status: number, text?: string): Promise<string> =>
  `${await openListener((_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(text))}/v1`;

const run = (
  flags: Partial<VerifyFlags>,
  given: Partial<typeof keys> = keys,
  env: NodeJS.ProcessEnv = {},
): ReturnType<typeof verify> =>
  verify({ against: '', timeout: 100_000, maxCalls: 1000, maxTime: 200_000, ...given, ...flags }, env);

describe('gateway-mock verify', () => {
  test('ends with 0 against our own server, prints what it found, and no key', async () => {
    const samples = ['--thread', 'thread_a', '--job', 'job_a', '--policy', active];
    const { code, stdout, stderr } = await runCli(
      'verify',
      '--against',
      await serve(),
      ...keyFlags,
      ...samples,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/\d+ checks in \d+ calls: \d+ passed, 0 failed, \d+ differ .*\n/);
    expect(stdout).not.toContain('secret');
  });

  test.each([
    ['a given record does not exist', ['--thread', 'thread_b'], /thread_b.* returned 404 /],
    ['the archived policy is not archived', ['--archived-policy', active], new RegExp(active)],
  ])('ends with 2 if %s, and prints the report', async (_what, samples, reason) => {
    const flags = ['--against', await serve({ apiKeys: ['any'] }), '--api-key', 'any', '--virtual-key'];
    const ended = await runCli('verify', ...flags, keys.virtualKey, ...samples);
    expect(ended).toMatchObject({ code: 2, stdout: expect.stringMatching(/\d+ checks in \d+ calls/) });
    expect(ended.stderr).toMatch(/^gateway-mock: \d+ checks were not done, as valid calls were refused: /);
    expect(ended.stderr).toMatch(reason);
    expect(ended.stdout).toContain('any that is not empty'); // such a word is no secret
  });

  test('without ids ends with 0, and says in its last line how much was not checked; --require-all makes that 2', async () => {
    const flags = ['--against', await serve(), ...keyFlags];
    const { code, stdout } = await runCli('verify', ...flags);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\n\d{3} of \d{3} checks were not done; \d+ of them need options that were not given\.\n$/,
    );
    const required = await runCli('verify', ...flags, '--require-all');
    expect(required).toMatchObject({ code: 2, stdout });
    expect(required.stderr).toMatch(
      /^gateway-mock: \d+ checks of the contract were not done \(--require-all\)/,
    );
  });

  test('ends with 2 if a thread was given and no virtual key, so that its runs were not read', async () => {
    const flags = { against: await serve(), policy: active, thread: 'thread_a' };
    expect(await run(flags, { apiKey: keys.apiKey })).toMatchObject({
      exitCode: 2,
      error: expect.stringMatching(/^--thread was not read: that needs a virtual key/),
    });
  });

  test('ends with 1 if one record of a list has an empty id, although no page of the list can be read', async () => {
    const against = await serveChanged((text) => text.replace(/"id":"batch_\w+"/, '"id":""'));
    const { text, exitCode } = await run({ against });
    expect(exitCode).toBe(1);
    expect(text).toMatch(/batches-ids +failed .*data\[0\]\.id to be a text that is not empty, got ""/);
  });

  test('ends with 1 if a check fails, even in a run that is cut short, names it, and writes JUnit XML', async () => {
    const against = await serveChanged((text) => text.replace('"object":"list"', '"object":"page"'));
    const junit = join(makeFolder(), 'checks.xml');
    const options = ['--against', against, ...keyFlags, '--max-calls', '60', '--json', '--junit', junit];
    const { code, stdout, stderr } = await runCli('verify', ...options);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const results: { id: string; outcome: string }[] = JSON.parse(stdout).results;
    const broken = results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
    expect(broken).toContain('batches-envelope');
    expect(stdout).toContain('the limit of 60 calls was reached');
    expect(readFileSync(junit, 'utf8')).toContain('<failure message="List envelope">GET /batches');
  });

  test('ends with 2 at Ctrl-C, although a check has failed, and prints what was found by then', async () => {
    let calls = 0;
    const against = await serveChanged(
      (text) => text.replace(/"created_at":\d+/, '"created_at":"today"'),
      (call) => {
        calls = call;
        if (call === 60) child.kill('SIGINT');
        return true;
      },
    );
    const { child, ended } = spawnCli('verify', '--against', against, ...keyFlags);
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(2);
    expect(calls).toBeLessThan(100); // a few more, until the signal has arrived
    expect(stdout).toMatch(/batches-schema +failed/);
    expect(stdout).toMatch(/checks in \d+ calls: \d+ passed, [1-9]\d* failed/);
    expect(stderr).toMatch(/^gateway-mock: the run was interrupted: [1-9]\d* checks did not run\.\n$/);
  });
});

describe('the keys', () => {
  const names = { GATEWAY_API_KEY: keys.apiKey, GATEWAY_VIRTUAL_KEY: keys.virtualKey };
  const lines = `# mine\nexport GATEWAY_API_KEY="${keys.apiKey}"\r\nOTHER=1\n GATEWAY_VIRTUAL_KEY = ${keys.virtualKey} \n`;
  const writeKeys = (text: string): string => join(makeFolder({ keys: text }), 'keys');

  test.each<[string, Partial<typeof keys>, file: string | undefined, NodeJS.ProcessEnv]>([
    ['from options, before all else', keys, 'GATEWAY_API_KEY=other', {}],
    ['from a file of lines, before the environment', {}, lines, { GATEWAY_API_KEY: 'x' }],
    ['from a file with a byte order mark', {}, `\uFEFF${lines}`, {}],
    ['from the environment', {}, undefined, names],
  ])('are read %s', async (_from, given, file, env) => {
    const flags = { against: await serve(), maxCalls: 1, ...(file && { keys: writeKeys(file) }) };
    const { text, error, exitCode } = await run(flags, given, env);
    expect(exitCode).toBe(2); // with other keys, there is no valid call
    expect(error).toMatch(/^the run is incomplete: \d+ checks did not run\. Raise --max-calls \(it was 1\)/);
    expect(text).not.toMatch(/secret/);
  });

  test('are not shown where the target repeats them, cut in two or not', async () => {
    const repeated = JSON.stringify([keys.apiKey, keys.virtualKey]).repeat(5);
    const error = await run({ against: await serveOnly(500, `${'x'.repeat(180)}${repeated}`) }).catch(String);
    expect(error).toContain('***');
    expect(error).not.toContain('secr');
  });

  test.each(['k3y', 'sk-0.123'])('are not shown where ids hold %s, which is then asked for', async (key) => {
    const data = ['x', key, 'y'].map((id) => ({ id, object: 'batch', created_at: key, status: 's' }));
    const page = { object: 'list', data, has_more: true, first_id: key, last_id: key };
    const against = await serveOnly(200, JSON.stringify(page));
    const { text, exitCode } = await run({ against, apiKey: key, virtualKey: key, maxCalls: 40, json: true });
    expect(exitCode).toBe(1);
    expect(text).toContain('after=***');
    expect(text).not.toContain(key);
    expect(text).not.toContain(new URLSearchParams({ key }).toString().slice(4));
  });

  test('do not follow a redirect', async () => {
    const seen: unknown[] = [];
    const elsewhere = await openListener((request, response) => {
      seen.push(request.headers);
      response.end('{}');
    });
    const against = await openListener((_, response) => {
      response.writeHead(307, { location: elsewhere }).end();
    });
    const error = await run({ against: `${against}/v1` }).catch(String);
    expect([error, seen]).toEqual([expect.stringContaining('redirects are not followed'), []]);
  });

  test('that are refused are not shown, and leave no empty report', async () => {
    const junit = join(makeFolder(), 'checks.xml');
    const error = await run({ against: await serve(), apiKey: 'secret-other', junit }).catch(String);
    expect(error).toMatch(/no valid call .* 401/);
    expect(error).not.toContain('secret-other');
    expect(existsSync(junit)).toBe(false);
  });

  test('without a virtual key, and nothing else to look at, are not enough', async () => {
    const error = run({ against: await serve() }, { apiKey: keys.apiKey });
    await expect(error).rejects.toThrow('--virtual-key');
  });
});

const fullDevice = '/dev/full';
const hasFullDevice = existsSync(fullDevice);
if (!hasFullDevice) reportMissing(fullDevice, 'the tests of output to a full disk', 'Run them on Linux.');

describe.skipIf(!hasFullDevice)('a report', () => {
  test('is printed though its file cannot be written', async () => {
    const options = ['--against', await serve(), ...keyFlags, '--max-calls', '5', '--junit', fullDevice];
    const { code, stdout, stderr } = await runCli('verify', ...options);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('failed to write') });
    expect(stdout).toMatch(/\d+ checks in \d+ calls/);
  });

  test('that nobody gets is no success', async () => {
    const args = [join(buildFolder, 'cli.js'), 'verify', '--against', await serve(), ...keyFlags, '--json'];
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
    [204, undefined],
  ])('that answers every call by %i proves nothing: exit code 2', async (status, text) => {
    await expect(run({ against: await serveOnly(status, text) })).rejects.toThrow(
      /no valid call .* succeeded/,
    );
  });

  const deep = `{"object":"list","has_more":false,"data":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
  const records = Array.from({ length: volume(130_000, 2_000) }, (_, id) => ({
    id: `b${id}`,
    object: 'batch',
  }));
  const long = JSON.stringify({ object: 'list', has_more: true, data: records });
  test.each([
    ['arrays within arrays', deep],
    ['a page of very many records', long],
  ])('that answers with %s is checked as far as that is possible', async (_what, body) => {
    const against = await serveOnly(200, body);
    const { text, exitCode } = await run({ against, maxCalls: 3, json: true });
    expect(exitCode).toBe(1);
    expect(text.length).toBeLessThan(1_000_000);
  });

  test('that does not answer in time cannot be reached, and is soon left alone', async () => {
    let calls = 0;
    const against = await openListener(() => {
      calls += 1;
    });
    const error = run({ against: `${against}/v1`, timeout: 200 });
    await expect(error).rejects.toThrow(/failed to reach.*no complete reply within 200 ms/);
    expect(calls).toBeLessThanOrEqual(3); // a busy machine may give one up before it has arrived
  });

  test('that stops half way does not pass', async () => {
    const against = await serveChanged(
      (text) => text,
      (call) => call <= 5,
    );
    const { text, exitCode } = await run({ against });
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
