// `gateway-mock/vitest`, as users meet it: whole suites, in whichever project has it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FolderResult, type Project, runFolder } from './suite-project.ts';
import { root } from './write-built.ts';

/** What the fixture promises, held by the suites of test/suites. */
export const describeFixture = (getProject: () => Project): void => {
  const write = (folder: string, name: string, copies: number): void => {
    const text = readFileSync(join(root, 'test/suites', `${name}.suite.ts`), 'utf8');
    for (let copy = 1; copy <= copies; copy += 1) getProject().write(folder, `${name}-${copy}.test.ts`, text);
  };

  /** What came of all suites, which run at once. */
  let result: FolderResult;
  beforeAll(async () => {
    const folder = getProject().makeFolder('gateway-mock-vitest');
    write(folder, 'worlds', 3);
    for (const name of [
      'options',
      'strict',
      'unmatched',
      'outside',
      'unused-faults',
      'own-server',
      'foreign-server',
      'server-in-test',
      'past-awaiting',
      'misspelt',
    ])
      write(folder, name, 1);
    result = await runFolder(getProject(), folder);
  });

  describe('tests with the fixture', () => {
    test('have a world each, also concurrently and in several files at a time', () => {
      expect(result.of('worlds-')).toEqual({ failures: {}, passed: 3 * 13 });
    });

    test('take their options by test.extend and test.override, and are clients of any kind', () => {
      expect(result.of('options-')).toEqual({ failures: {}, passed: 8 });
    });

    test('fail on assumptions that they may not rely on, where they are strict', () => {
      const { failures, passed } = result.of('strict-');
      expect(passed).toBe(4);
      expect(Object.entries(failures)).toEqual([
        [
          'fails: an error, of which the contract says nothing',
          [
            expect.stringMatching(
              /depend on assumptions, .*:\n {2}error-body .*\n {2}unknown-cursor \(2 replies\)/,
            ),
          ],
        ],
        [
          'fails: what it does not allow',
          [expect.stringContaining('strict: ["unknown-cursor","error-body","limit-too-small"]')],
        ],
        ['fails: at once', [expect.stringContaining('Did you mean "unknown-cursor"?')]],
      ]);
    });

    test('fail with the requests that reached no operation, unless that is allowed', () => {
      const { failures, passed } = result.of('unmatched-');
      expect(Object.keys(failures)).toEqual([
        'fails: a wrong path',
        'fails: a base URL without /v1',
        'fails: with an error of its own, too',
        'fails: whatever becomes of the journal',
        'fails: an earlier test is over',
      ]);
      expect(passed).toBe(5);
      const [path, base, both, , earlier] = Object.values(failures);
      expect(earlier?.[0]).toMatch(
        /\n {2}GET http:\/\/test-\d+\.gateway\.test\/v1\/batches: No running test has the host/,
      );
      expect(path).toEqual([expect.stringContaining('2 requests of this test matched no operation')]);
      expect(path?.[0]).toMatch(/GET \/v1\/batchez: .*listBatches/);
      expect(path?.[0]).toMatch(/PUT \/v1\/batches: .*GET/);
      expect(path?.[0]).toContain("test.override({ gatewayOptions: { unmatched: 'allow' } })");
      expect(base?.[0]).toMatch(/GET \/batches: .*base URL, http:\/\/test-2\.gateway\.test\/v1/);
      expect(both).toEqual([
        expect.stringContaining('expected 1 to be 2'),
        expect.stringContaining('1 request of this test matched no operation'),
      ]);
    });
  });

  describe('requests to other hosts', () => {
    test('fail the test, unless that is allowed', () => {
      const { failures, passed } = result.of('outside-');
      expect(Object.keys(failures)).toEqual([
        'fails: an app that ignores its base URL',
        'fails: by node:http',
        'fails: with a stray and an error of its own',
        'fails: the strictest of them decides',
      ]);
      expect(passed).toBe(4);
      const [ignored, byHttp, several, beside] = Object.values(failures);
      expect(ignored).toEqual([expect.stringContaining('  GET https://gateway.example/v1/batches\n')]);
      expect(ignored?.[0]).toContain("{ onUnhandledRequest: 'bypass' }");
      expect(byHttp?.[0]).toMatch(/GET http:\/\/\[::ffff:7f00:1\]:\d+\/a\n/);
      expect(several).toEqual([
        expect.stringContaining('expected 1 to be 2'),
        expect.stringMatching(/matched no operation.*nowhere.*\n\n1 request .* went to another host.*\/b\n/s),
      ]);
      expect(beside?.[0]).toMatch(/or of one that ran at the same time.*\/d\n/s);
    });
  });

  test('requests that nobody awaits, or that come between tests do not go by in silence', () => {
    const { failures, passed } = result.of('past-awaiting-');
    expect(failures).toEqual({
      'fails: a request to another host that is not awaited': [
        expect.stringMatching(/1 request of this test.*another host.*\n {2}GET http:\S*\/late\n/),
      ],
      'fails: a request to no operation that is not awaited': [
        expect.stringContaining('\n  POST /v1/nowhere: '),
      ],
      'fails: any host of gateways that no test has': [
        expect.stringContaining('\n  GET http://api.gateway.test/v1/batches: No running test has the host'),
      ],
    });
    expect(passed).toBe(5);
  });

  test('a misspelt value of an option fails the test, with the valid ones', () => {
    const { failures, passed } = result.of('misspelt-');
    expect(Object.entries(failures)).toEqual([
      [
        'unmatched',
        [expect.stringContaining('The option "unmatched" must be "fail" or "allow", but found "fial".')],
      ],
      ['onUnhandledRequest', [expect.stringContaining('found "eror". Did you mean "error"?')]],
      ['unusedFaults', [expect.stringContaining('found "eror". Did you mean "error"?')]],
      ['strict', [expect.stringContaining('"strict" must be true, false, "print" or a list of assumptions')]],
      [
        'requireSession',
        [expect.stringContaining('"requireSession" must be true or false, but found "no".')],
      ],
    ]);
    expect(passed).toBe(0);
  });

  test('a fault that never came into play fails the test, unless that is allowed', () => {
    const { failures, passed } = result.of('unused-faults-');
    expect(failures).toEqual({
      'fails: a fault that no call reached': [
        expect.stringMatching(
          /2 faults of this test were never used:\n {2}listBatches#3: 503 \(1 call matched, but the fault starts at call 3\)\n {2}listRuns: reset \(no call matched\)\n.*unusedFaults: 'allow'/,
        ),
      ],
      'fails: a fault that could not act': [
        expect.stringMatching(
          /listBatches: cursor-loop \(1 call matched, but the fault could not act: .*cursor/,
        ),
      ],
      'fails: by its own assertion, and by nothing else': [expect.stringContaining('expected 1 to be 2')],
      'fails: a fault of another session': [
        expect.stringContaining('\n  listBatches#5: 503 (session "other": no call matched)\n'),
      ],
      'fails: faults that were dropped': [
        expect.stringContaining(
          [
            '',
            'listBatches: 500 (no call matched, removed by reset)',
            'listBatches: 501 (no call matched, removed by scenario.load)',
            'listBatches: 502 (no call matched, removed by state.restore)',
            'listBatches: 503 (no call matched, removed by state.import)',
            'listBatches: 504 (session "other": no call matched, removed by sessions.delete)',
          ].join('\n  '),
        ),
      ],
      'fails: a fault that the test does not use': [
        expect.stringContaining('1 fault of this test was never'),
      ],
    });
    expect(passed).toBe(5);
  });

  describe('an MSW server of the suite’s own', () => {
    test('serves both where it has the handlers', () => {
      const { failures, passed } = result.of('own-server-');
      expect(failures).toEqual({
        'is refused': [expect.stringContaining('Pass the option to its listen()')],
      });
      expect(passed).toBe(3);
    });

    test('is not silently put out of use where it lacks them', () => {
      const { failures, passed } = result.of('foreign-server-');
      const handlers = expect.stringContaining("import { handlers } from 'gateway-mock/vitest'");
      expect(failures).toEqual({
        'fails: its mock is not there beside the gateway': [handlers],
        'is refused': [handlers],
      });
      expect(failures['fails: its mock is not there beside the gateway']?.[0]).toContain(
        '1 request of this test',
      );
      expect(passed).toBe(1);
      expect(result.printed).not.toContain('probe.gateway.test');
    });

    test('is named if it starts during a test', () => {
      const { failures, passed } = result.of('server-in-test-');
      expect(failures).toEqual({
        'fails: another server takes its requests': [
          expect.stringContaining('during the test, another MSW server was started in this process'),
        ],
      });
      expect(passed).toBe(0);
    });
  });

  test('a file leaves nothing behind for the next one in its process', async () => {
    const args = ['--no-isolate', '--no-file-parallelism'];
    const folder = getProject().makeFolder('gateway-mock-vitest-left-over');
    write(folder, 'left-over', 2);
    const { failures, passed } = await runFolder(getProject(), folder, args);
    expect(failures).toEqual({
      'is the first file of its process': [expect.stringContaining('expected 2 to be 1')],
    });
    expect(passed).toBe(5);
  });
};
