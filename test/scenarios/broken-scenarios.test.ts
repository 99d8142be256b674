import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as operations from '../../src/core/operations/index.ts';
import { readDocument } from '../../src/core/scenario/file.ts';
import { readLibrary } from '../../src/core/scenario/folder.ts';
import type { Library } from '../../src/core/scenario/library.ts';
import { loadDocument } from '../../src/core/scenario/load.ts';
import { isScenarioFile, nameOf } from '../../src/core/scenario/path.ts';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import { describeError } from '../../src/core/util/validation-error.ts';
import { createGateway, ScenarioError } from '../../src/index.ts';
import { reports } from '../support/broken-scenario-reports.ts';
import { makeFolder } from '../support/make-folder.ts';
import { openGateway } from '../support/open-gateway.ts';
import { setLimit } from '../support/set-limit.ts';

const folder = fileURLToPath(new URL('../broken-scenarios/', import.meta.url));
const files = readdirSync(folder).filter(isScenarioFile);
const library = readLibrary([folder]);
const operationIds = Object.values(operations).map(({ id }) => id);

/** The messages about a scenario, with paths relative to its folder. */
const report = (name: string, { scenarios, prompts }: Library = library): string => {
  const document = scenarios[name];
  if (document === undefined) return 'it was not read';
  try {
    loadDocument(document, { scenarios, prompts }, operationIds); // as a gateway without own calls
    return 'no error';
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.errors.map((one) => describeError(one).replaceAll(folder, '')).join('\n');
  }
};

const reportText = (file: string, text: string): string => {
  const document = readDocument(nameOf(file), file, text);
  return report(document.name, {
    ...library,
    scenarios: { ...library.scenarios, [document.name]: document },
  });
};

test('each broken file has its report in the table, and each report its file', () => {
  expect(Object.keys(reports).toSorted()).toEqual(files.toSorted());
});

test.each(Object.entries(reports))(
  'the errors of %s are reported in a line each with file, line and column, also with the line ends of Windows',
  (file, expected) => {
    expect(report(nameOf(file))).toBe(expected.trim());
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('\n', '\r\n');
    expect(reportText(file, text)).toBe(expected.trim());
    for (const line of expected.trim().split('\n')) expect(line).toMatch(/^[^:]+\.(yaml|json):\d+:\d+ \S/);
  },
);

describe('what is too much', () => {
  test('as deep as a value may nest is not too deep', () => {
    const metadata = `${'{ a: '.repeat(500)}1${' }'.repeat(500)}`;
    const given = (deep: string) => `batches: { records: [{ id: batch_a, metadata: ${deep} }] }`;
    expect(reportText('deep.yaml', given(metadata))).not.toContain('too deep');
    expect(reportText('deeper.yaml', given(`${'{ a: '.repeat(20)}${metadata}${' }'.repeat(20)}`))).toContain(
      'too deep',
    );
  });

  test('aliases do not nest deeper than values', () => {
    const lists = (inner: string) => '['.repeat(400) + inner + ']'.repeat(400);
    const text = (...inner: string[]) =>
      `faults:\n${inner.map((one, index) => `  - &a${index} ${lists(one)}\n`).join('')}`;
    expect(reportText('once.yaml', text('reset'))).not.toContain('too deep');
    expect(reportText('aliases.yaml', text('reset', '*a0', '*a1', '*a2', '*a3'))).toBe(
      'aliases.yaml: it is nested too deeply',
    );
  });

  test('a file that is too large is not read', () => {
    setLimit('file', 9);
    expect(reportText('large.yaml', 'seed:     1')).toBe(
      'large.yaml: the file is too large: at most 9 characters are allowed',
    );
  });

  test('all records together, with their threads, are bounded', () => {
    setLimit('records', 7);
    for (const sum of [
      'threads: { a: { runs: 3 }, b: { runs: 3 } }',
      'batches: { seeded: { completed: 1, failed: 1 } }\nthreads: { a: { runs: { queued: 4 } }, b: {} }',
      'batches: { records: [{ id: batch_a }] }\nthreads: { a: { runs: 6 } }',
    ])
      expect(reportText('sum.yaml', sum)).toMatch(/^sum\.yaml:\d:1 \w+: more than 7 records in total/);
    expect(reportText('full.yaml', 'threads: { a: { runs: 3 }, b: { runs: 2 } }')).toBe('no error');
  });

  test('a large JSON file is read, and its errors are reported without their lines', () => {
    setLimit('yaml', 20);
    const json = (more: string) => `{"batches":{"records":[{"id":"batch_a"}${more}]}}`;
    expect(reportText('large.json', json(''))).toBe('no error');
    expect(reportText('large.json', json(',1'))).toBe(
      'large.json: batches.records[1]: expected an object, but found 1',
    );
    expect(reportText('large.json', json('x'))).toMatch(/^large\.json: not valid JSON: \S/);
  });
});

test('a scenario given in code is reported by its paths alone', () => {
  const scenario = { sed: 7, batches: { records: [{ id: 'batch_a', object: 'b' }] } };
  expect(() => createGateway({ scenario: scenario as Scenario })).toThrow(
    / {2}- batches\.records\[0\]\.object: expected "batch", but found "b".*\n {2}- sed: unknown key/,
  );
});

test('after a load that failed, the old state stays', async () => {
  const { gateway, send } = openGateway({ scenario: { batches: 2, seed: 5 } }, library);
  const read = async () => [send({ path: '/batches' }).body, await gateway.clock.now()];
  await gateway.records.batches.create({ id: 'batch_made' });
  await gateway.clock.advance('10m');
  const before = await read();
  for (const name of files.map(nameOf)) {
    await expect(gateway.scenario.load(name), name).rejects.toThrow(ScenarioError);
    expect(await read(), name).toEqual(before);
  }
  expect(await gateway.scenario.current()).toMatchObject({ name: 'inline', seed: 5 });
});

test('an error that a scenario extends is placed in the file that wrote it', () => {
  const temp = makeFolder({
    'parent.yaml': 'threads:\n  thread_a:\n    runs: many\n  thread_b: { runs: -1 }\n',
    'child.yaml': 'extends: parent\nthreads:\n  thread_b:\n    ties: 0\n    runs: -2\n',
  });
  const lines = report('child', readLibrary([temp]))
    .replaceAll(`${temp}/`, '')
    .split('\n');
  expect(lines).toEqual([
    'child.yaml:4:5 threads.thread_b.ties: 0 is too small: at least 1',
    'child.yaml:5:5 threads.thread_b.runs: -2 is too small: at least 0',
    'parent.yaml:3:5 threads.thread_a.runs: expected a number or an object, but found "many"',
  ]);
});
