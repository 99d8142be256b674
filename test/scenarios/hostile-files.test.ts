// Files that are made to do harm, or use all that YAML has. Tested by what is reported, not by time.
import { expect, test } from 'vitest';
import { readDocument } from '../../src/core/scenario/file.ts';
import { shippedLibrary } from '../../src/core/scenario/library.ts';
import { loadDocument } from '../../src/core/scenario/load.ts';
import { ScenarioError } from '../../src/core/scenario/scenario-error.ts';
import { describeError } from '../../src/core/util/validation-error.ts';
import { volume } from '../support/settings.ts';

const reportOf = (file: string, text: string): string[] => {
  try {
    loadDocument(readDocument('a', file, text), shippedLibrary);
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.errors.map(describeError);
  }
};

const many = (count: number, line: (at: number) => string, separator = ''): string =>
  Array.from({ length: count }, (_, at) => line(at)).join(separator);

test.each<[name: string, file: string, text: string, report: unknown[]]>([
  [
    'mappings within mappings, by their indentation',
    'a.yaml',
    many(600, (at) => `${' '.repeat(at)}a:\n`),
    [expect.stringMatching(/^a\.yaml:5\d\d:\d+ it is nested too deeply$/)],
  ],
  [
    'very many unknown keys',
    'a.json',
    `{${many(volume(200_000, 2000), (at) => `"k${at}": 1`, ',\n')}}`,
    Array.from({ length: 101 }, (_, at) =>
      expect.stringMatching(at < 100 ? `^a\\.json(:\\d+:\\d+|:) k${at}: unknown key` : '^and more: '),
    ),
  ],
  [
    'many thousands of levels',
    'a.json',
    `${'['.repeat(150_000)}${']'.repeat(150_000)}`,
    ['a.json: it is nested too deeply'],
  ],
  ['megabytes of one text', 'a.json', `{"description": "${'x'.repeat(volume(10_000_000, 1_000_000))}"}`, []],
  ['merge keys', 'a.yaml', 'batches: &b\n  completed: 1\nthreads:\n  a:\n    runs:\n      <<: *b', []],
  [
    'tags of types that JSON does not have',
    'a.yaml',
    'description: !!binary aGk=\nkeys: !!set { a }',
    [
      'a.yaml:1:14 not valid YAML: Unresolved tag: tag:yaml.org,2002:binary',
      'a.yaml:2:7 not valid YAML: Unresolved tag: tag:yaml.org,2002:set',
    ],
  ],
  ['another version of YAML', 'a.yaml', '%YAML 1.1\n---\ndescription: yes', []],
  [
    'the key __proto__',
    'a.yaml',
    '__proto__: { seed: 1 }',
    [
      expect.stringMatching(/^a\.yaml:1:1 __proto__: unknown key/),
      'a.yaml:1:1 __proto__: the key __proto__ is not allowed',
    ],
  ],
])('%s in %s', (_name, file, text, report) => {
  expect(reportOf(file, text)).toEqual(report);
});
