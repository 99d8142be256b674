import { describe, expect, test } from 'vitest';
import type { Check } from './arguments.ts';
import * as kinds from './arguments.ts';

/** What else there is, none of which fits. */
const others = [undefined, null, true, 7, 7n, 'text', [], {}, () => 1, Symbol('s')];

describe.each<
  [
    name: keyof typeof kinds,
    check: Check,
    expected: string,
    fitting: readonly unknown[],
    near: readonly unknown[],
  ]
>([
  [
    'abortSignal',
    kinds.abortSignal,
    'an AbortSignal',
    [AbortSignal.abort(), { aborted: false, addEventListener() {} }],
    [{ aborted: false }, { addEventListener() {} }],
  ],
  ['boolean', kinds.boolean, 'a boolean', [true, false], ['true', 0]],
  ['string', kinds.string, 'a string', ['', 'a', '\uD800'], [new String('a')]],
  ['number', kinds.number, 'a finite number', [0, -1.5, 1e300], [Number.NaN, Number.POSITIVE_INFINITY, '1']],
  ['whole', kinds.whole, 'a whole number', [0, -3, Number.MAX_SAFE_INTEGER], [0.5, 2 ** 53, Number.NaN, '1']],
  [
    'count',
    kinds.count,
    'a whole number from 0 on',
    [0, 1, Number.MAX_SAFE_INTEGER],
    [-1, 0.5, 2 ** 53, '1'],
  ],
  ['text', kinds.text, 'a string of well-formed text', ['', 'a', '😀'], ['\uD800', 'a\uDC00b']],
])('%s', (_name, check, expected, fitting, near) => {
  test('takes what it is', () => {
    for (const value of fitting) expect(check(value, 'options.it')).toEqual([]);
  });

  test('refuses everything else by its place', () => {
    const fits = (value: unknown) =>
      fitting.some((one) => typeof one === typeof value && typeof value !== 'object');
    for (const value of [...others.filter((value) => !fits(value)), ...near]) {
      const [mistake, ...more] = check(value, 'options.it');
      expect(more).toEqual([]);
      expect(mistake).toMatch(
        value === undefined
          ? `options.it: it is missing: expected ${expected}`
          : `options.it: expected ${expected}, but found `,
      );
    }
  });
});

test.each<[unknown, string]>([
  [null, 'null'],
  [Number.NaN, 'NaN'],
  ['a "quote"', '"a \\"quote\\""'],
  [7n, 'a bigint'],
  [() => 1, 'a function'],
  [Symbol('s'), 'a symbol'],
  [{ a: [1] }, '{"a":[1]}'],
  ['x'.repeat(78), `"${'x'.repeat(78)}"`],
  ['x'.repeat(79), `"${'x'.repeat(79)}…`],
  ['😀'.repeat(100), `"${'😀'.repeat(79)}…`],
])('of %o a message has %s', (value, shown) => {
  expect(kinds.boolean(value, 'it')).toEqual([`it: expected a boolean, but found ${shown}`]);
});

test('a value that contains itself is told as an object', () => {
  const own: Record<string, unknown> = {};
  own.own = own;
  expect(kinds.boolean(own, 'it')).toEqual(['it: expected a boolean, but found a object']);
  expect(kinds.json(own, 'it')).toEqual(['it.own: it is no JSON: it contains itself']);
  const shared = { a: 1 };
  expect(kinds.json({ left: shared, right: [shared] }, 'it')).toEqual([]);
});

test('a text, a number or one of some texts', () => {
  const fuzzy = kinds.stringOrNumber('a moment');
  expect([...fuzzy('now', 'at'), ...fuzzy(0, 'at')]).toEqual([]);
  expect(fuzzy(Number.NaN, 'at')).toEqual(['at: expected a moment, but found NaN']);
  const size = kinds.wholeOr('all', 'none');
  expect([...size('all', 'size'), ...size('none', 'size'), ...size(3, 'size')]).toEqual([]);
  expect(size(0.5, 'size')).toEqual(['size: expected a whole number or "all" or "none", but found 0.5']);
  expect(size('some', 'size')).toEqual([
    'size: expected a whole number or "all" or "none", but found "some"',
  ]);
  const order = kinds.oneOf('asc', 'desc');
  expect([...order('asc', 'order'), ...order('desc', 'order')]).toEqual([]);
  expect(order('up', 'order')).toEqual(['order: expected "asc" or "desc", but found "up"']);
});

describe('lists and mappings', () => {
  const check = kinds.keysOf({ limit: kinds.count, names: kinds.listOf(kinds.string) });

  test('are checked by their keys and items', () => {
    expect(check({}, 'options')).toEqual([]);
    expect(check({ limit: undefined, names: ['a'] }, 'options')).toEqual([]);
    expect(check({ limit: -1, names: ['a', 7] }, 'options')).toEqual([
      'options.limit: expected a whole number from 0 on, but found -1',
      'options.names[1]: expected a string, but found 7',
    ]);
    expect(check({ names: 'a' }, 'options')).toEqual(['options.names: expected a list, but found "a"']);
    expect(check({ limt: 1 }, 'options')).toEqual([
      'options.limt: there is no such key. Did you mean "limit"?',
    ]);
    expect(check({ toString: 1 }, 'options')).toHaveLength(1);
  });

  test.each([null, [], 'a', new Date(0), new Map()])('%o is no mapping', (value) => {
    expect(check(value, 'options')[0]).toMatch('options: expected a mapping, but found ');
    expect(kinds.mappingOf(kinds.string)(value, 'it')[0]).toMatch('it: expected a mapping, but found ');
    expect(kinds.json(value, 'it')[0]).toMatch('it: expected a mapping, but found ');
  });

  test('without a prototype is a mapping', () => {
    expect(check(Object.assign(Object.create(null), { limit: 1 }), 'options')).toEqual([]);
  });

  test('of any keys hold no __proto__', () => {
    const bad = JSON.parse('{ "__proto__": "x", "ok": 1 }');
    const mistakes = kinds.mappingOf(kinds.string)(bad, 'it');
    expect(mistakes).toHaveLength(2);
    expect(mistakes[0]).toMatch('it.__proto__: ');
    expect(mistakes[1]).toBe('it.ok: expected a string, but found 1');
    expect(kinds.json(bad, 'it')).toEqual([mistakes[0]]);
    expect(kinds.jsonWithBigints(bad, 'it')).toEqual([mistakes[0]]);
    expect(kinds.jsonOfAnyKeys(bad, 'it')).toEqual([]);
  });
});

describe('JSON', () => {
  test('is what JSON can write', () => {
    expect(kinds.json({ a: [1, 'b', true, null, undefined, { c: -0.5 }] }, 'it')).toEqual([]);
  });

  test.each<[unknown, string]>([
    [Number.NaN, 'expected a finite number, but found NaN'],
    [7n, 'it is no JSON: a bigint'],
    [() => 1, 'it is no JSON: a function'],
    [new Date(0), 'it is no JSON: "1970-01-01T00:00:00.000Z"'],
  ])('is not %o', (value, why) => {
    expect(kinds.json({ deep: [value] }, 'it')).toEqual([`it.deep[0]: ${why}`]);
  });

  test('has bigints where they are kept', () => {
    expect(kinds.jsonWithBigints({ big: 2n ** 60n }, 'it')).toEqual([]);
    expect(kinds.jsonOfAnyKeys({ big: 2n ** 60n }, 'it')).toEqual([]);
    expect(kinds.jsonOrString({ big: 2n ** 60n }, 'it')).toEqual([]);
    expect(kinds.jsonOrString('a name', 'it')).toEqual([]);
    expect(kinds.jsonOrString([], 'it')).toEqual(['it: expected a string or a mapping, but found []']);
  });

  test('nests 400 levels deep at the most', () => {
    const nest = (levels: number): object => {
      let value: object = {};
      for (let level = 1; level < levels; level += 1) value = { a: value };
      return value;
    };
    expect(kinds.json(nest(400), 'it')).toEqual([]);
    expect(kinds.json(nest(401), 'it')).toEqual([
      `${`it${'.a'.repeat(400)}`.slice(0, 80)}…: it nests too deep: at most 400 levels are read`,
    ]);
  });
});

describe('what stands in a URL', () => {
  test('is a text of some length', () => {
    expect([
      ...kinds.segment('a'.repeat(1000), 'name'),
      ...kinds.longSegment('a'.repeat(1001), 'name'),
    ]).toEqual([]);
    expect(kinds.segment('a'.repeat(1001), 'name')).toEqual([
      `name: "${'a'.repeat(79)}… is too long: at most 1000`,
    ]);
    for (const check of [kinds.segment, kinds.longSegment]) {
      expect(check(7, 'name')).toEqual(['name: expected a string, but found 7']);
      for (const value of ['', '.', '..', '\uD800'])
        expect(check(value, 'name')[0]).toMatch(
          'is no name: it must be well-formed text, and neither dots alone nor empty',
        );
    }
  });

  test('is an id', () => {
    expect(kinds.recordId('run_1', 'id')).toEqual([]);
    expect(kinds.recordId(7, 'id')).toEqual(['id: expected a string, but found 7']);
    expect(kinds.recordId('..', 'id')[0]).toMatch('id: ".." is no id: ');
    expect(kinds.recordId('a'.repeat(10_000), 'id')[0]).toMatch('is too long: at most ');
  });
});

describe('checked arguments', () => {
  const seen: unknown[][] = [];
  const part = kinds.checkArguments(
    {
      add: async (...args: unknown[]) => void seen.push(args),
      inner: { list: async (...args: unknown[]) => args },
    },
    {
      add: [
        { name: 'name', check: kinds.string },
        { name: 'data', check: kinds.json, isOptional: true, isJson: true },
        { name: 'more', check: kinds.count, isRest: true },
      ],
      inner: { list: [{ name: 'options', check: kinds.keysOf({ limit: kinds.count }), isOptional: true }] },
    },
    'records.',
  );

  test('are handed on, as JSON has them', async () => {
    seen.length = 0;
    const data = { a: undefined, b: [1] };
    await part.add('one', data, 1, 2);
    await part.add('two', undefined);
    expect(seen).toEqual([
      ['one', { b: [1] }, 1, 2],
      ['two', undefined],
    ]);
    expect(seen[0]?.[1]).not.toBe(data);
    expect(await part.inner.list()).toEqual([]);
  });

  test('are refused all together, before anything is done', async () => {
    seen.length = 0;
    await expect(part.add(7, [], 1, -1, -2)).rejects.toThrow(
      'Failed to call records.add: name: expected a string, but found 7; data: expected a mapping, but found []; more: expected a whole number from 0 on, but found -1; more: expected a whole number from 0 on, but found -2.',
    );
    await expect(part.add()).rejects.toThrow('name: it is missing: expected a string.');
    await expect(part.inner.list({ limit: -1 })).rejects.toThrow(
      'Failed to call records.inner.list: options.limit: ',
    );
    await expect(part.inner.list(null)).rejects.toThrow('options: expected a mapping, but found null.');
    expect(seen).toEqual([]);
  });
});
