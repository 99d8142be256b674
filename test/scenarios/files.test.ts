import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLibrary } from '../../src/core/scenario/folder.ts';
import { loadScenario } from '../../src/core/scenario/load.ts';
import { type Scenario, scenarioNames } from '../../src/index.ts';
import { readScenario, writeScenario } from '../../src/node.ts';
import { makeFolder } from '../support/make-folder.ts';

/** A scenario as worlds are made of it. */
const wholeOf = (scenario: string | Scenario, library = readLibrary([])): Scenario =>
  structuredClone(loadScenario(scenario, library).scenario) as Scenario;

const hello = 'messages:\n  - { role: user, content: "Hello, {{name}}." }\n';

describe('a scenario file', () => {
  test.each([
    ['bug.yaml', 'seed: 7\nbatches: 3\n'],
    ['bug.yml', 'seed: 7\nbatches: 3\n'],
    ['BUG.YAML', '\uFEFFseed: 7\r\nbatches: 3\r\n'],
    ['bug.json', '{\n\t"seed": 7,\n\t"batches": 3\n}'],
  ])('%s is read', async (file, text) => {
    expect(await readScenario(join(makeFolder({ [file]: text }), file))).toMatchObject({
      seed: 7,
      batches: 3,
    });
  });

  test('keeps keys that look like numbers', async () => {
    const text = 'threads: { 17: { runs: 1 } }\nkeys: { limited: { 0123: [listRuns] } }\n';
    const scenario = await readScenario(join(makeFolder({ 'bug.yaml': text }), 'bug.yaml'));
    expect([Object.keys(scenario.threads ?? {}), scenario.keys?.limited]).toEqual([
      ['17'],
      { '0123': ['listRuns'] },
    ]);
  });

  test('that is not there is named', async () => {
    const folder = makeFolder();
    await expect(readScenario(join(folder, 'none.yaml'))).rejects.toThrow(
      `Failed to read the scenarios: there is no file "${join(folder, 'none.yaml')}".`,
    );
    expect(() => readLibrary([join(folder, 'none')])).toThrow(join(folder, 'none'));
  });
});

test('a file that cannot be written is named, not the draft beside it', async () => {
  const file = join(makeFolder(), 'none', 'bug.yaml');
  await expect(writeScenario(file, {})).rejects.toThrow(
    new RegExp(`^Failed to write the file "${file}": ENOENT[^']*'${file}'$`),
  );
});

describe('extends', () => {
  test('merges mappings, replaces the rest, and takes away what is null', async () => {
    const folder = makeFolder({
      'base.yaml': 'seed: 5\nthreads: { thread_a: { runs: 1 }, thread_b: { runs: 2, ties: 3 } }\n',
      'middle.yaml': 'extends: base\nthreads: { thread_a: null, thread_b: { runs: 9 } }\n',
      'child.yaml': 'extends: middle\nseed: null\nthreads: { thread_d: {} }\n',
    });
    const scenario = await readScenario(join(folder, 'child.yaml'));
    expect(scenario.seed).toBe(42);
    expect(scenario.threads).toMatchObject({ thread_b: { runs: 9, ties: 3 }, thread_d: { runs: 0 } });
    expect(scenario).not.toHaveProperty('extends');
    expect(scenario.threads).not.toHaveProperty('thread_a');
  });

  test('finds siblings of either format, and what ships', async () => {
    const folder = makeFolder({
      'a.yaml': 'extends: b\n',
      'b.json': '{ "extends": "default", "batches": 1 }',
    });
    const { batches, threads } = await readScenario(join(folder, 'a.yaml'));
    expect([batches, threads]).toEqual([1, wholeOf('default').threads]);
  });
});

describe('a folder', () => {
  test('is known by the names of its files; schemas, other files and what is deeper are none of them', () => {
    const folder = makeFolder({
      'one.yaml': 'seed: 1\n',
      'two.json': '{ "seed": 2 }',
      'scenario.schema.json': '{ "type": "object" }',
      'notes.md': '# notes',
      '.one.yaml.swp': 'x',
      'deeper/three.yaml': 'seed: 3\n',
    });
    const names = Object.keys(readLibrary([folder]).scenarios);
    expect(names.slice(scenarioNames().length)).toEqual(['one', 'two']);
  });

  test('brings prompts, which its scenarios name', async () => {
    const folder = makeFolder({
      'bug.yaml': 'prompts: { prompt_a: hello, prompt_b: prompt_welcome }\n',
      'fixtures/prompts/hello.yaml': hello,
    });
    const { prompts } = await readScenario(join(folder, 'bug.yaml'));
    expect(prompts?.prompt_a).toEqual({
      parameters: {},
      messages: [{ role: 'user', content: 'Hello, {{name}}.' }],
    });
    expect(prompts?.prompt_b).toHaveProperty('messages');
  });

  test('goes over what ships', () => {
    const folder = makeFolder({ 'empty.yaml': 'seed: 11\n', 'fixtures/prompts/prompt_welcome.yaml': hello });
    const library = readLibrary([folder]);
    expect(wholeOf('empty', library).seed).toBe(11);
    expect(JSON.stringify(wholeOf({ prompts: { a: 'prompt_welcome' } }, library))).toContain(
      'Hello, {{name}}.',
    );
  });

  test('goes over the parent of what ships, in this library alone', () => {
    const seeds = [makeFolder(), makeFolder({ 'default.yaml': 'seed: 11\n' })].map(
      (folder) => wholeOf('lenient-answers', readLibrary([folder])).seed,
    );
    expect(seeds).toEqual([42, 11]);
  });

  test.each([
    ['nothing of it', { 'mine.yaml': 'seed: 11\n' }, true],
    ['its parent', { 'default.yaml': 'seed: 11\n' }, undefined],
  ])(
    'that replaces %s: whether a shipped scenario is still one, of which no warnings are printed',
    (_what, files, isShipped) => {
      expect(loadScenario('lenient-answers', readLibrary([makeFolder(files)])).isShipped).toBe(isShipped);
    },
  );
});

test('a state that is written to a file may hold any text', async () => {
  const texts = [
    'no',
    '1e3',
    '~',
    '2026-01-15',
    '- a',
    'a: b',
    '#',
    '"',
    "'",
    '\t',
    '\u2028',
    '\n\n',
    '😀',
    '*a',
  ];
  const scenario: Scenario = { description: texts.join('\n'), keys: { valid: texts } };
  const folder = makeFolder();
  for (const file of ['texts.yaml', 'texts.json']) {
    await writeScenario(join(folder, file), scenario);
    expect(await readScenario(join(folder, file))).toMatchObject(scenario);
  }
});
