import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../../test/support/settings.ts';
import { faultsSchema, repairLine } from './faults-schema.ts';
import { quoteValue, splitLine } from './tokens.ts';

const word = (text: string) => ({ name: text, text });
const option = (name: string, value: unknown, text = `${name}=${value}`) => ({ name, value, text });

test.each<[line: string, before: object[], after: object[]]>([
  ['a: b', [word('a')], [word('b')]],
  ['  a :\tb\n', [word('a')], [word('b')]],
  ['a b=c: d', [word('a'), option('b', 'c')], [word('d')]],
  ['a b=c:d: e', [word('a'), option('b', 'c:d')], [word('e')]],
  ['a: b: c:', [word('a')], [word('b:'), word('c:')]],
  ['a: =b', [word('a')], [word('=b')]],
  ['a: b="c\\" d" e', [word('a')], [option('b', 'c" d', 'b="c\\" d"'), word('e')]],
  ['a: b={"c": [1, "]}"]} e', [word('a')], [option('b', { c: [1, ']}'] }, 'b={"c": [1, "]}"]}'), word('e')]],
  ['a: b=x"y z', [word('a')], [option('b', 'x"y'), word('z')]],
  ['a: "b c', [word('a')], [word('"b'), word('c')]],
  ['a b="c: d": e', [word('a'), option('b', 'c: d', 'b="c: d"')], [word('e')]],
])('the words of "%s"', (line, before, after) => {
  expect(splitLine(line)).toEqual([before, after]);
});

test('any value is read as it was written', () => {
  const letters = fc.constantFrom(...'a=:"\\{}[] \n\u2028é');
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: letters }),
    fc.array(fc.jsonValue()),
  );
  fc.assert(
    fc.property(value, (given) => {
      const [, [, read]] = splitLine(`a: b c=${quoteValue(given)} d`);
      expect(JSON.stringify(read && 'value' in read && read.value)).toBe(JSON.stringify(given));
    }),
    tries(1000),
  );
});

test.each([
  ['a b', 'the colon is missing: write OPERATION: KIND'],
  ['a: b={"c"', 'the value of b is not valid JSON: {"c"'],
  [`a: b=[${'1'.repeat(100)}`, `the value of b is not valid JSON: [${'1'.repeat(79)}`],
])('refuses the line "%s"', (line, message) => {
  expect(() => splitLine(line)).toThrow(new Error(message));
});

test.each<[given: unknown, line: unknown]>([
  ['listRuns: reset', 'listRuns: reset'],
  [{ listRuns: 'reset' }, 'listRuns: reset'],
  [{ listRuns: 503 }, 'listRuns: 503'],
  [
    { listRuns: 'reset', more: 1 },
    { listRuns: 'reset', more: 1 },
  ],
  [
    { fault: 'listRuns: reset', calls: 1 },
    { fault: 'listRuns: reset', calls: 1 },
  ],
  [5, 5],
])('turns the YAML value %j into the line %j', (given, line) => {
  expect(repairLine(given)).toEqual(line);
});

test('a scenario has at most 1000 faults, each a line or a line with its counts', () => {
  const line = 'listRuns: reset';
  const counted = { fault: line, calls: 2, hits: 1 };
  expect(faultsSchema.parse(undefined)).toEqual([]);
  expect(faultsSchema.parse([line, { listRuns: 'reset' }, { fault: line }, counted])).toEqual([
    line,
    line,
    { fault: line, calls: 0, hits: 0 },
    counted,
  ]);
  for (const wrong of [
    ['reset'],
    [{ ...counted, calls: -1 }],
    [{ ...counted, hits: 0.5 }],
    [{ ...counted, more: 1 }],
  ])
    expect(faultsSchema.safeParse(wrong).success).toBe(false);
  expect(faultsSchema.safeParse(Array(1000).fill(line)).success).toBe(true);
  expect(faultsSchema.safeParse(Array(1001).fill(line)).success).toBe(false);
});
