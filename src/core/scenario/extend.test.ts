import { describe, expect, test } from 'vitest';
import { describeError, type ValidationError } from '../util/validation-error.ts';
import { inReadingOrder, merge } from './extend.ts';
import { findScenario, type Library, type ScenarioDocument } from './library.ts';
import { ScenarioError } from './scenario-error.ts';

test.each<[given: ValidationError, line: string]>([
  [{ path: [], message: 'm' }, 'm'],
  [{ path: ['a', 0, 'b'], message: 'm' }, 'a[0].b: m'],
  [{ path: [], message: 'm', file: 'f.yaml' }, 'f.yaml: m'],
  [{ path: ['a'], message: 'm', file: 'f.yaml', line: 2, column: 3 }, 'f.yaml:2:3 a: m'],
])('an error is shown in one line: %j', (given, line) => {
  expect(describeError(given)).toBe(line);
  const error = new ScenarioError('"x"', [given, given]);
  expect(error).toMatchObject({ name: 'ScenarioError', errors: [given, given] });
  expect(error.message).toBe(`Failed to load the scenario "x":\n  - ${line}\n  - ${line}`);
});

test('each error is listed once: the own file first, from top to bottom', () => {
  const at = (file?: string, line?: number, column?: number): ValidationError =>
    ({ path: [], message: 'm', file, line, column }) as ValidationError; // undefined is as if not given
  const order = [at('own', 1, 2), at('own', 1, 9), at('own', 3, 1), at('a'), at('a', 1, 1), at('b', 1, 1)];
  expect(inReadingOrder([...order].reverse(), 'own')).toEqual(order);
  expect(inReadingOrder([...order, ...order], 'own')).toEqual(order);
  expect(inReadingOrder([at('b'), at(undefined)], 'own')).toEqual([at(undefined), at('b')]);
});

const documentOf = (
  name: string,
  value: unknown,
  given: Partial<ScenarioDocument> = {},
): ScenarioDocument => ({
  name,
  value,
  file: `${name}.yaml`,
  locate: (path) => ({ line: path.length, column: 1 }),
  ...given,
});
const libraryOf = (...scenarios: ScenarioDocument[]): Library => ({
  scenarios: Object.fromEntries(scenarios.map((one) => [one.name, one])),
  prompts: { stored: documentOf('stored', {}) },
});

test.each<[parent: unknown, child: unknown, merged: unknown]>([
  [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: null }, { b: 2 }],
  [{ a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }, { a: { c: 2, d: 3 } }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: { b: 1 } }, { a: 5 }, { a: 5 }],
  [undefined, { a: null }, { a: null }],
  [{ a: 1 }, 'text', 'text'],
])('%j, extended by %j', (parent, child, merged) => {
  expect(merge(parent, child)).toEqual(merged);
});

describe('a scenario name', () => {
  const library = libraryOf(documentOf('default', {}), documentOf('large', {}));

  test.each([
    ['defualt', 'no such scenario. Did you mean "default"? Known scenarios: default, large'],
    ['constructor', 'no such scenario. Known scenarios: default, large'],
    ['bug.yaml', 'files are read by readScenario() of gateway-mock/node, or served by startServer()'],
  ])('that is unknown, such as %s, is refused', (name, why) => {
    expect(() => findScenario(name, library)).toThrow(
      new Error(`Failed to load the scenario "${name}": ${why}.`),
    );
  });
});
