// `verify --baseline`: known findings do not fail a run, new ones do, and fixed ones are listed.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type Verified, verify } from '../../src/cli/verify.ts';
import type { VerifyFlags } from '../../src/cli/verify-options.ts';
import type { ServerOptions } from '../../src/server.ts';
import { openListener } from '../support/listen.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openServer } from '../support/open-gateway.ts';
import { runCli } from '../support/run-cli.ts';
import { spawnCli } from '../support/spawn-cli.ts';

const keys = { apiKey: 'baseline-api-key', virtualKey: 'baseline-virtual-key' };

// biome-ignore lint/suspicious/noExplicitAny: a page as the server sent it, to be broken
type Break = (body: any) => any;

/** A server of our own whose pages of batches are changed on their way. */
const serveBroken = async (change: Break, options?: ServerOptions): Promise<string> => {
  const server = await openServer(options);
  const url = await openListener(async (request, response) => {
    const { method = 'GET', url: path = '' } = request;
    const { host: _, connection: _kept, ...headers } = request.headers;
    const body = method === 'POST' ? await readText(request) : null;
    const reply = await fetch(`${server.url}${path}`, { method, headers: Object(headers), body });
    const text = await reply.text();
    const isPage = reply.status === 200 && path.startsWith('/v1/batches');
    const { 'content-length': _length, ...sent } = Object.fromEntries(reply.headers);
    response.writeHead(reply.status, sent).end(isPage ? JSON.stringify(change(JSON.parse(text))) : text);
  });
  return `${url}/v1`;
};

const run = (against: string, flags: Partial<VerifyFlags> = {}): Promise<Verified> =>
  verify({ against, timeout: 20_000, maxCalls: 1000, maxTime: 100_000, ...keys, ...flags }, {});

const asIs: Break = (body) => body;
const asText: Break = (body) => ({ ...body, has_more: String(body.has_more) });
const withTextTimes: Break = (body) => inBatches(body, { created_at: '1768478400' });

const inBatches = (body: { readonly data: readonly object[] }, change: object) => ({
  ...body,
  data: body.data.map((batch) => ({ ...batch, ...change })),
});

const newFile = (text?: string): string => {
  const file = join(makeFolder(), 'baseline.json');
  if (text !== undefined) writeFileSync(file, text);
  return file;
};

const timesAreTexts = {
  check: 'batches-schema',
  outcome: 'failed',
  about: 'data[].created_at: expected number',
};

describe('a baseline', () => {
  test('is written with what was found, one line a finding and no ids, and then nothing of it fails', async () => {
    const baseline = newFile();
    const written = await run(await serveBroken(withTextTimes), { baseline, updateBaseline: true });
    expect(written).toMatchObject({ exitCode: 0, mistake: undefined });
    expect(written.text).toContain('The file now lists the findings of this run.');
    const text = readFileSync(baseline, 'utf8');
    expect(JSON.parse(text)).toEqual({ version: 1, findings: expect.arrayContaining([timesAreTexts]) });
    expect(text).toContain(`\n    ${JSON.stringify(timesAreTexts)}`);
    expect(text).not.toContain('batch_');

    // Other records, of another seed: the findings are the same.
    const again = await run(await serveBroken(withTextTimes, { seed: 7 }), { baseline });
    expect(again.exitCode).toBe(0);
    expect(again.text).toMatch(/^Known: listed in the baseline\n {2}batches-schema +known {6}GET/);
    expect(again.text).not.toContain('Fails the contract');
    expect(again.text).toMatch(/: [1-9]\d* of its findings found again, 0 not\.$/);
    expect(readFileSync(baseline, 'utf8')).toBe(text);
  });

  test('lets a run fail by a finding that is new, of a check that is known to be broken, too', async () => {
    const baseline = newFile(JSON.stringify({ version: 1, findings: [timesAreTexts] }));
    const against = await serveBroken((body) => inBatches(withTextTimes(body), { status: 5 }));
    const { exitCode, text } = await run(against, { baseline });
    expect(exitCode).toBe(1);
    const [broken = '', known = ''] = text.split('\n\n').filter((group) => /^(?:Fails|Known)/.test(group));
    expect(broken).toContain('expected data[0].status to be a string');
    expect(broken).not.toContain('created_at');
    expect(known).toContain('expected data[0].created_at to be a number');
  });

  test('lists fixed findings, and drops them when it is updated', async () => {
    const baseline = newFile(JSON.stringify({ version: 1, findings: [timesAreTexts] }));
    const against = await serveBroken(asIs);
    const { exitCode, text } = await run(against, { baseline });
    expect(exitCode).toBe(0);
    expect(text).toContain(
      '0 of its findings found again, 1 not.\n  no longer found: batches-schema failed: data[].created_at',
    );
    await run(against, { baseline, updateBaseline: true });
    expect(JSON.parse(readFileSync(baseline, 'utf8'))).toEqual({ version: 1, findings: [] });
  });

  test('keeps what could not be looked at', async () => {
    const unseen = { check: 'runs-order', outcome: 'failed' } as const;
    const baseline = newFile(JSON.stringify({ version: 1, findings: [unseen] }));
    const { exitCode, text } = await run(await serveBroken(asIs), { baseline, updateBaseline: true });
    expect(exitCode).toBe(0);
    expect(text).toContain('0 of its findings found again, 0 not, 1 not checked.');
    expect(JSON.parse(readFileSync(baseline, 'utf8')).findings).toEqual([unseen]);
  });

  test('stands in JSON and in JUnit XML, where what is known is skipped', async () => {
    const folder = makeFolder();
    const files = { baseline: join(folder, 'baseline.json'), junit: join(folder, 'junit.xml') };
    const fixed = { check: 'batches-end', outcome: 'failed' };
    writeFileSync(files.baseline, JSON.stringify({ version: 1, findings: [timesAreTexts, fixed] }));
    const { exitCode, text } = await run(await serveBroken(withTextTimes), { ...files, json: true });
    expect(exitCode).toBe(0);
    const { counts, baseline, results } = JSON.parse(text);
    expect(counts).toMatchObject({ failed: 0, known: 1 });
    expect(baseline).toEqual({
      file: files.baseline,
      again: 1,
      fixed: [fixed],
      unchecked: 0,
      isUpdated: false,
    });
    const result = results.find(({ id }: { id: string }) => id === 'batches-schema');
    expect(result).toMatchObject({ outcome: 'known' });
    expect(result.findings[0]).toMatchObject({ kind: 'failed', isKnown: true });
    const xml = readFileSync(files.junit, 'utf8');
    expect(xml).toContain('failures="0"');
    expect(xml).toMatch(/name="batches-schema: [^>]*><skipped message="known: GET/);
    expect(xml).toContain('no longer found: batches-end failed');
  });
});

describe('the file of a baseline', () => {
  test.each<[string, string, RegExp]>([
    ['no JSON', '{', /failed to read the baseline ".*baseline\.json": .*JSON/],
    ['no object', '[]', /baseline\.json": the file: .*expected object/],
    ['another version', '{"version":2,"findings":[]}', /baseline\.json": version: .*expected 1/],
    [
      'an unknown outcome',
      '{"version":1,"findings":[{"check":"a","outcome":"bad"}]}',
      /findings\[0\]\.outcome/,
    ],
    ['an unknown key', '{"version":1,"findings":[{"check":"a","outcome":"failed","why":"x"}]}', /why/],
  ])('with %s is a mistake that names the file, and stays as it is', async (_what, text, wanted) => {
    const baseline = newFile(text);
    for (const updateBaseline of [undefined, true] as const)
      await expect(
        run('http://127.0.0.1:9/v1', { baseline, ...(updateBaseline && { updateBaseline }) }),
      ).rejects.toThrow(wanted);
    expect(readFileSync(baseline, 'utf8')).toBe(text);
  });

  test('that is not there is a mistake that says how to write it', async () => {
    const baseline = newFile();
    await expect(run('http://127.0.0.1:9/v1', { baseline })).rejects.toThrow(
      /no such file.* Create it with --update-baseline\.$/,
    );
  });

  test('is not written where nothing can be said of the gateway', async () => {
    const baseline = newFile();
    await expect(run('http://127.0.0.1:9/v1', { baseline, updateBaseline: true })).rejects.toThrow();
    expect(existsSync(baseline)).toBe(false);
  });

  test('is not written where what was given was not there', async () => {
    const baseline = newFile();
    const flags = { baseline, updateBaseline: true, thread: 'thread_dmo' } as const;
    const { mistake } = await run(await serveBroken(asIs), flags);
    expect(mistake).toMatch(/baseline\.json" was not written: .*thread_dmo/);
    expect(existsSync(baseline)).toBe(false);
  });

  test('is written through the command line, whole and with nothing beside it', async () => {
    const baseline = newFile();
    const given = ['--api-key', keys.apiKey, '--virtual-key', keys.virtualKey, '--baseline', baseline];
    const options = ['--against', await serveBroken(asText), ...given];
    const missing = await runCli('verify', ...options);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('Create it with') });
    const written = await spawnCli('verify', ...options, '--update-baseline').ended;
    expect(written).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(join(baseline, '..'))).toEqual(['baseline.json']);
    expect(await runCli('verify', ...options)).toMatchObject({ code: 0, stderr: '' });
  });

  test('is missing from --update-baseline alone: one line, and exit code 2', async () => {
    const given = ['--against', 'http://127.0.0.1:9/v1', '--api-key', 'k', '--update-baseline'];
    expect(await runCli('verify', ...given)).toMatchObject({
      code: 2,
      stderr: 'gateway-mock: --update-baseline needs --baseline FILE: the file to write.\n',
    });
  });
});

test.each([
  ['batches-shema', / Did you mean "batches-schema"\?/],
  ['colour', /remove the finding/],
])(
  'a baseline with the unknown check %j is refused, with the file and a suggestion',
  async (check, wanted) => {
    const baseline = newFile(
      JSON.stringify({ version: 1, findings: [timesAreTexts, { check, outcome: 'failed' }] }),
    );
    const mistake: unknown = await run('http://127.0.0.1:9/v1', { baseline }).catch(
      (error: unknown) => error,
    );
    expect(String(mistake)).toContain(
      `failed to read the baseline "${baseline}": findings[1].check: unknown check "${check}".`,
    );
    expect(String(mistake)).toMatch(wanted);
  },
);
