// `gateway-mock/vitest`, as users meet it: whole suites, in whichever project has it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Project, runFolder, type SuiteResult } from './suite-project.ts';
import { root } from './write-built.ts';

/** What the fixture promises, held by the suites of test/suites. */
export const describeFixture = (getProject: () => Project): void => {
  /** Runs a suite, as often as there are copies of it. */
  const runSuite = async (
    name: string,
    { copies = 1, args = [] }: { copies?: number; args?: string[] } = {},
  ): Promise<SuiteResult> => {
    const project = getProject();
    const folder = project.makeFolder(`gateway-mock-vitest-${name}`);
    const text = readFileSync(join(root, 'test/suites', `${name}.suite.ts`), 'utf8');
    for (let copy = 1; copy <= copies; copy += 1) project.write(folder, `${name}-${copy}.test.ts`, text);
    return runFolder(project, folder, args);
  };

  describe('tests with the fixture', () => {
    test('have a world each, also concurrently and in several files at a time', async () => {
      const { code, files, failures, passed } = await runSuite('worlds', { copies: 3 });
      expect(failures).toEqual({});
      expect({ code, files: files.length, passed }).toEqual({ code: 0, files: 3, passed: 3 * 13 });
    });

    test('take their options by test.extend and test.override, and are clients of any kind', async () => {
      const { code, failures, passed } = await runSuite('options');
      expect(failures).toEqual({});
      expect({ code, passed }).toEqual({ code: 0, passed: 8 });
    });

    test('fail on assumptions that they may not rely on, where they are strict', async () => {
      const { failures, passed } = await runSuite('strict');
      expect(passed).toBe(4);
      expect(Object.entries(failures)).toEqual([
        [
          'fails: an error, of which the contract says nothing',
          [
            expect.stringMatching(
              /rested on what the contract does not say:\n {2}error-body .*\n {2}unknown-cursor \(1 answer\)/,
            ),
          ],
        ],
        [
          'fails: what it does not allow',
          [expect.stringContaining('strict: ["unknown-cursor","error-body","limit-too-small"]')],
        ],
      ]);
    });

    test('fail with the requests that reached no operation, unless that is allowed', async () => {
      const { code, failures, passed } = await runSuite('unmatched');
      expect(Object.keys(failures)).toEqual([
        'fails: a wrong path',
        'fails: a base URL without /v1',
        'fails: with a mistake of its own, too',
        'fails: whatever becomes of the journal',
      ]);
      expect({ code, passed }).toEqual({ code: 1, passed: 6 });
      const [path, base, both] = Object.values(failures);
      expect(path).toEqual([expect.stringContaining('2 requests of this test reached no operation')]);
      expect(path?.[0]).toMatch(/GET \/v1\/batchez: .*listBatches/);
      expect(path?.[0]).toMatch(/PUT \/v1\/batches: .*GET/);
      expect(path?.[0]).toContain("test.override({ gatewayOptions: { unmatched: 'allow' } })");
      expect(base?.[0]).toMatch(/GET \/batches: .*base URL http:\/\/test-2\.gateway\.test\/v1/);
      expect(both).toEqual([
        expect.stringContaining('expected 1 to be 2'),
        expect.stringContaining('1 request of this test reached no operation'),
      ]);
    });
  });

  describe('requests to other hosts', () => {
    test('fail the test, unless that is allowed', async () => {
      const { code, failures, passed } = await runSuite('outside');
      expect(Object.keys(failures)).toEqual([
        'fails: an app that ignores its base URL',
        'fails: by node:http',
        'fails: with a stray and a mistake of its own',
        'fails: the strictest of them decides',
      ]);
      expect({ code, passed }).toEqual({ code: 1, passed: 4 });
      const [ignored, byHttp, several, beside] = Object.values(failures);
      expect(ignored).toEqual([expect.stringContaining('  GET https://gateway.example/v1/batches\n')]);
      expect(ignored?.[0]).toContain("{ onUnhandledRequest: 'bypass' }");
      expect(byHttp?.[0]).toMatch(/GET http:\/\/\[::ffff:7f00:1\]:\d+\/a\n/);
      expect(several).toEqual([
        expect.stringContaining('expected 1 to be 2'),
        expect.stringMatching(/reached no operation.*nowhere.*\n\n1 request .* went to another host.*\/b\n/s),
      ]);
      expect(beside?.[0]).toMatch(/or of one that ran beside it.*\/d\n/s);
    });
  });

  test('a fault that never came into play fails the test, unless that is allowed', async () => {
    const { failures, passed } = await runSuite('unused-faults');
    expect(failures).toEqual({
      'fails: a fault that no call reached': [
        expect.stringMatching(
          /2 faults of this test never .*\n {2}listBatches#3: 503 \(1 call matched, but the fault starts at call 3\)\n {2}listRuns: reset \(no call matched\)\n.*unusedFaults: 'allow'/,
        ),
      ],
      'fails: a fault that could not act': [
        expect.stringMatching(
          /listBatches: cursor-loop \(1 call matched, but the fault could not act: .*cursor/,
        ),
      ],
      'fails: by its own assertion, and by nothing else': [expect.stringContaining('expected 1 to be 2')],
      'fails: a fault that the test does not use': [expect.stringContaining('1 fault of this test never')],
    });
    expect(passed).toBe(3);
  });

  describe('an MSW server of the suite’s own', () => {
    test('serves both where it has the handlers', async () => {
      const { failures, passed } = await runSuite('own-server');
      expect(failures).toEqual({
        'is refused': [expect.stringContaining('Give the option to its listen()')],
      });
      expect(passed).toBe(2);
    });

    test('is not silently put out of use where it lacks them', async () => {
      const { failures, passed } = await runSuite('foreign-server');
      const handlers = expect.stringContaining("import { handlers } from 'gateway-mock/vitest'");
      expect(failures).toEqual({
        'fails: its mock is not there beside the gateway': [handlers],
        'is refused': [handlers],
      });
      expect(passed).toBe(1);
    });
  });

  test('a file leaves nothing behind for the next one in its process', async () => {
    const args = ['--no-isolate', '--no-file-parallelism'];
    const { failures, passed } = await runSuite('left-over', { copies: 2, args });
    expect(failures).toEqual({
      'is the first file of its process': [expect.stringContaining('expected 2 to be 1')],
    });
    expect(passed).toBe(5);
  });
};
