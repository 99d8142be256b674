import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDeeperThan, parseJson, toJsonText, toNumbers } from './json.ts';

const large = '12345678901234567890';

test('any JSON is read as JSON.parse reads it, but for integers beyond 2^53', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(toNumbers(parseJson(text))).toEqual(JSON.parse(text));
      // Beside such an integer, another parser reads it.
      expect(toNumbers(parseJson(`[${large}, ${text}]`))).toEqual([Number(large), JSON.parse(text)]);
    }),
  );
});

test('any integer that a number can hold, if not exactly, is written as it was read', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 308n), max: 10n ** 308n }), (integer) => {
      const text = `{"a":[${integer},{"b":${integer}}]}`;
      expect(toJsonText(parseJson(text))).toBe(text);
    }),
  );
});

test('an integer is a number as long as that has its digits', () => {
  expect(parseJson('[9007199254740993, -9007199254740993]')).toEqual([9007199254740993n, -9007199254740993n]);
  for (const kept of [Number.MAX_SAFE_INTEGER, 2 ** 53, -(2 ** 60), 1e20])
    expect(parseJson(JSON.stringify([kept]))).toEqual([kept]);
});

test.each([
  ['a fraction', '1234567890123456789.5', 1234567890123456800],
  ['an exponent', '1234567890123456789e2', 123456789012345680000],
  ['what is too large to hold', '9'.repeat(400), Number.POSITIVE_INFINITY],
  ['a fraction of zeros', '9007199254740992.0', 9007199254740992],
])('%s is a number', (_what, text, value) => {
  expect(parseJson(`[${text},${large}]`)).toEqual([value, BigInt(large)]);
});

test('digits in a text are no integer', () => {
  const text = `{"a": "x: ${large}", " ${large}": 1}`;
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test.each([
  ['__proto__ is a key like any other', `{"__proto__":{"polluted":true},"v":${large}}`],
  ['the last of two equal keys counts', `{"a":${large},"b":1,"a":2}`],
  ['what is in two equal keys is not joined', `{"a":{"b":${large}},"a":{"c":1}}`],
])('%s', (_what, text) => {
  const value = parseJson(text);
  expect(Object.keys(Object(value))).toEqual(Object.keys(JSON.parse(text)));
  expect(toNumbers(value)).toEqual(JSON.parse(text));
  expect({}).not.toHaveProperty('polluted');
});

test('digits are kept down to 500 levels, and what nests deeper is read without them', () => {
  const nest = (depth: number): string => `${'['.repeat(depth)}${large}${']'.repeat(depth)}`;
  expect(toJsonText(parseJson(nest(500)))).toBe(nest(500));
  expect(isDeeperThan(Object(parseJson(nest(100_000))), 500)).toBe(true);
});

test('digits are kept in up to 4,000,000 characters, and longer JSON is read without them', () => {
  const text = '[9007199254740993]';
  expect(parseJson(text.padEnd(4_000_000))).toEqual([9007199254740993n]);
  expect(parseJson(text.padEnd(4_000_001))).toEqual([9007199254740992]);
});

test('numbers stand for large integers where these mean nothing', () => {
  const value = { a: [1, BigInt(large), 'x'], b: null };
  expect(toNumbers(value)).toEqual({ a: [1, Number(large), 'x'], b: null });
  const plain = { a: [1, Number.NaN], b: new Date(0) };
  expect(toNumbers(plain)).toBe(plain);
});

test('what contains itself is left as it is', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect(toNumbers(circle)).toBe(circle);
  expect(isDeeperThan(circle, 500)).toBe(true);
});
