import { expect, test } from 'vitest';
import { describeError } from '../util/validation-error.ts';
import { readDocument, toFileText } from './file.ts';

const read = (text: string, file = 'a.yaml') => readDocument('a', file, text);
const errorsIn = (text: string, file?: string) => (read(text, file).errors ?? []).map(describeError);

test.each<[text: string, value: unknown]>([
  ['a: 1\nb: [x, "y"]', { a: 1, b: ['x', 'y'] }],
  ['{"a": {"b": null}}', { a: { b: null } }],
  ['a: 9007199254740993\nb: 9007199254740991', { a: 9007199254740993n, b: 9007199254740991 }],
  ['a: &x {b: 1}\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
])('reads %j', (text, value) => {
  expect(read(text)).toMatchObject({ name: 'a', file: 'a.yaml', value });
  expect(errorsIn(text)).toEqual([]);
});

test.each<[text: string, errors: unknown[]]>([
  ['', [expect.stringMatching(/^a\.yaml:1:1 .*empty/)]],
  ['a: "x\nb: "y"\n', [expect.stringMatching(/^a\.yaml:1:4 .*the quote that starts here/)]],
  ['a: 1\na: 2\n', [expect.stringMatching(/^a\.yaml:2:1 .*"a"/)]],
  ['a: 1\n---\nb: 2\n', [expect.stringMatching(/second document/)]],
  ['a: *x\n', [expect.stringMatching(/^a\.yaml:1:4 .*&x/)]],
  ['a: &x\n  b: *x\n', [expect.stringMatching(/^a\.yaml:2:6 .*\*x.*&x/)]],
  [`a: ${'['.repeat(2000)}`, [expect.stringMatching(/deep/)]],
])('reports the errors of %j', (text, errors) => {
  expect(errorsIn(text)).toEqual(errors);
  expect(read(text).value).toBeUndefined();
});

test('reports the errors of JSON in words of JSON', () => {
  expect(errorsIn('{"a": 1,\n "b" 2}', 'a.json')).toEqual([expect.stringMatching(/^a\.json:2:6 .*JSON/)]);
});

test.each<[path: PropertyKey[], line: number, column: number]>([
  [['a'], 1, 1],
  [['b', 'c'], 3, 3],
  [['b', 'd', 1], 6, 7],
  [['none'], 1, 1],
  [[], 1, 1],
])('locates %j', (path, line, column) => {
  const { locate } = read('a: 1\nb:\n  c: 2\n  d:\n    - 3\n    - 4\n');
  expect(locate?.(path)).toEqual({ line, column });
});

test('a long text of written YAML stays on its line', () => {
  const description = 'as long as it is '.repeat(20).trim();
  expect(toFileText('a.yaml', { description })).toBe(`description: ${description}\n`);
});
