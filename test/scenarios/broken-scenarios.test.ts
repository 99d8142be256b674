import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGateway, ScenarioError } from '../../src/index.ts';
import { readDocument } from '../../src/scenario/file.ts';
import { readLibrary } from '../../src/scenario/folder.ts';
import type { Library } from '../../src/scenario/library.ts';
import { loadDocument } from '../../src/scenario/load.ts';
import { isScenarioFile, nameOf } from '../../src/scenario/path.ts';
import { describeError } from '../../src/scenario/scenario-error.ts';
import type { Scenario } from '../../src/scenario/types.ts';
import { reports } from '../support/broken-scenario-reports.ts';
import { openGateway } from '../support/open-gateway.ts';

const folder = fileURLToPath(new URL('../broken-scenarios/', import.meta.url));
const files = readdirSync(folder).filter(isScenarioFile);
const library = readLibrary([folder]);

/** The messages about a scenario, with paths relative to its folder. */
const report = (name: string, { scenarios, prompts }: Library = library): string => {
  const document = scenarios[name];
  if (document === undefined) return 'it was not read';
  try {
    loadDocument(document, { scenarios, prompts });
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
  const depth = 20_000;
  test.each([
    ['deep.yaml', `threads: ${'{ a: '.repeat(depth)}1${' }'.repeat(depth)}`],
    ['deep.json', `{"threads": ${'{"a": '.repeat(5000)}1${'}'.repeat(5000)}}`],
    ['deep-list.yaml', `keys: { valid: ${'['.repeat(depth)}${']'.repeat(depth)} }`],
  ])('%s nests thousands of levels deep, and is reported in one line', (file, text) => {
    expect(reportText(file, text)).toMatch(new RegExp(`^${file}:1:\\d+ it is nested too deeply$`));
  });

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

  test('a file of more than 20,000,000 characters is not read', () => {
    expect(reportText('large.yaml', `# ${' '.repeat(20_000_000)}`)).toBe(
      'large.yaml: the file is too large: at most 20000000 characters are allowed',
    );
  });

  test('all records together, with their threads, are bounded', () => {
    const threads = (count: number, part: string) =>
      `threads:\n${Array.from({ length: count }, (_, at) => `  thread_${at}: ${part}\n`).join('')}`;
    const sums = [
      threads(2, '{ runs: 125000 }'),
      `batches: { seeded: { completed: 1 } }\n${threads(2, '{ runs: { queued: 125000 } }')}`,
      `batches: { records: [{ id: batch_a }] }\n${threads(1, '{ runs: 250000 }')}`,
    ];
    for (const sum of sums)
      expect(reportText('sum.yaml', sum)).toMatch(/^sum\.yaml:\d:1 \w+: more than 250000 records in total/);
    expect(reportText('full.yaml', threads(2, '{ runs: 124000 }'))).toBe('no error');
  });

  test('a large JSON file is read, and its errors are reported without their lines', () => {
    const ids = Array.from({ length: 20_000 }, (_, at) => `{"id":"batch_${at}"}`).join();
    const json = (more: string) => `{"batches":{"records":[${ids}${more}]}}`;
    expect(reportText('large.json', json(''))).toBe('no error');
    expect(reportText('large.json', json(',1'))).toBe(
      'large.json: batches.records[20000]: expected a mapping, but found 1',
    );
    expect(reportText('large.json', json('x'))).toMatch(/^large\.json: not valid JSON: \S/);
    expect(reportText('deep.json', `${'['.repeat(150_000)}${']'.repeat(150_000)}`)).toBe(
      'deep.json: it is nested too deeply',
    );
  });
});

describe('a scenario given in code', () => {
  const errorsOf = (scenario: unknown): string[] => {
    try {
      createGateway({ scenario: scenario as Scenario });
      return [];
    } catch (error) {
      return error instanceof ScenarioError ? error.errors.map(describeError) : [String(error)];
    }
  };

  test('is reported by its paths alone', () => {
    expect(errorsOf({ sed: 7, batches: { records: [{ id: 'batch_a', object: 'b' }] } })).toEqual([
      'batches.records[0].object: expected "batch", but found "b". Did you mean "batch"?',
      'sed: unknown key. Did you mean "seed"?',
    ]);
  });
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
  const temp = mkdtempSync(join(tmpdir(), 'gateway-mock-'));
  onTestFinished(() => rmSync(temp, { recursive: true }));
  writeFileSync(
    join(temp, 'parent.yaml'),
    'threads:\n  thread_a:\n    runs: many\n  thread_b: { runs: -1 }\n',
  );
  writeFileSync(
    join(temp, 'child.yaml'),
    'extends: parent\nthreads:\n  thread_b:\n    ties: 0\n    runs: -2\n',
  );
  const lines = report('child', readLibrary([temp]))
    .replaceAll(`${temp}/`, '')
    .split('\n');
  expect(lines).toEqual([
    'child.yaml:4:5 threads.thread_b.ties: 0 is too small: at least 1',
    'child.yaml:5:5 threads.thread_b.runs: -2 is too small: at least 0',
    'parent.yaml:3:5 threads.thread_a.runs: expected a number or a mapping, but found "many"',
  ]);
});
