// The first line of a scenario file leads editors to the schema, from the folder where the file is.

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readScenario, writeScenario } from '../../src/node.ts';
import { makeFolder } from '../support/make-folder.ts';
import { root } from '../support/write-built.ts';

const schemaFile = 'scenarios/scenario.schema.json';
const schema = readFileSync(join(root, schemaFile), 'utf8');

/** Where an editor looks for the schema of a YAML file. */
const pathIn = (file: string, text = readFileSync(file, 'utf8')): string => {
  const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
  return path.startsWith('file:') ? fileURLToPath(path) : resolve(dirname(file), path);
};

const expectSchema = (file: string, text?: string): void =>
  expect(readFileSync(pathIn(file, text), 'utf8')).toBe(schema);

/** A project that has the package installed, and folders for scenarios. */
const makeProject = (): string =>
  makeFolder({
    [`node_modules/gateway-mock/${schemaFile}`]: schema,
    'state.yaml': '',
    'scenarios/bugs of may/one.yaml': '',
  });

describe('writeScenario', () => {
  test.each(['state.yaml', 'scenarios/bugs of may/one.yaml'])(
    'names the schema that is installed in the project, relative to %s',
    async (name) => {
      const project = makeProject();
      const file = join(project, name);
      await writeScenario(file, { seed: 7 });
      expect(pathIn(file)).toBe(join(project, 'node_modules/gateway-mock', schemaFile));
      expect(readFileSync(file, 'utf8')).not.toContain(project);
      expect((await readScenario(file)).seed).toBe(7);
    },
  );

  test('names its own schema by its URL where the project has none', async () => {
    const file = join(makeFolder(), 'state.yml');
    await writeScenario(file, { seed: 7 });
    expectSchema(file);
    expect((await readScenario(file)).seed).toBe(7);
  });

  test('names the schema of a clone by a relative path within it', async () => {
    const folder = join(root, 'node_modules/.cache/gateway-mock-comment/a/b');
    mkdirSync(folder, { recursive: true });
    onTestFinished(() => rmSync(resolve(folder, '../..'), { recursive: true }));
    const file = join(folder, 'state.yaml');
    await writeScenario(file, {});
    expectSchema(file);
    expect(readFileSync(file, 'utf8')).toContain(`$schema=../../../../../${schemaFile}\n`);
  });

  test('writes no comment into JSON', async () => {
    const file = join(makeProject(), 'state.json');
    await writeScenario(file, { seed: 7 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ seed: 7 });
  });
});

test('the example of the docs names the schema from the folder that it tells to use', () => {
  const docs = readFileSync(join(root, 'docs/scenarios.md'), 'utf8');
  const [, file = '', text = ''] = /`(scenarios\/[\w-]+\.yaml)`[^`]*```yaml\n(.*?)```/s.exec(docs) ?? [];
  const project = makeProject();
  expect(pathIn(join(project, file), text)).toBe(join(project, 'node_modules/gateway-mock', schemaFile));
});
