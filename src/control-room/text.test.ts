import { afterAll, expect, test, vi } from 'vitest';
import { toFields, toValue } from './panels/data/field-values.ts';
import { parseRoute, toHash } from './route.ts';
import { countOf, formatSpan } from './text.tsx';

vi.hoisted(() => vi.stubGlobal('location', { hash: '' })); // the route reads it when it is loaded
afterAll(() => void vi.unstubAllGlobals());

test.each([
  [0, '0 s'],
  [59.6, '1 min'],
  [125, '2 min 5 s'],
  [7499, '2 h 4 min'],
  [86_460, '1 d'],
  [-90_000, '1 d 1 h'],
])('%d seconds are shown as %s', (seconds, text) => expect(formatSpan(seconds)).toBe(text));

test('a count has its thousands, and its noun', () => {
  expect([0, 1, 1200].map((count) => countOf(count, 'batch', 'batches'))).toEqual([
    '0 batches',
    '1 batch',
    '1,200 batches',
  ]);
});

test('a link keeps what it is made of', () => {
  const [rest, query] = [['runs', 'a/b?c#d%'], { q: 'x&y=z +' }];
  expect(parseRoute(toHash('data', rest, { ...query, none: '' }))).toEqual({ panel: 'data', rest, query });
  expect(parseRoute('#/data/')).toEqual({ panel: 'data', rest: [], query: {} });
});

test.each([
  ['expires_at', { type: 'integer' }, '2026-01-15 12:00', 1_768_478_400],
  ['expires_at', { type: 'integer' }, '2026-01-15T13:00:00+01:00', 1_768_478_400],
  ['expires_at', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, ' ', null],
  ['count', { type: 'integer' }, ' 7 ', 7],
  ['name', { type: 'string' }, '7', '7'],
  ['name', { type: 'string' }, '', ''],
])('in the field %s of the type %j, %j means %j', (name, schema, text, value) => {
  const [field] = toFields({ name: 'batches', singular: 'batch' }, { [name]: schema }, {});
  expect(field && toValue(field, text)).toEqual(value);
});

test.each([
  [{ enum: ['a', 'b'] }, ['a', 'b']],
  [{ anyOf: [{ enum: ['a'] }, { type: 'null' }] }, ['a', null]],
  [{ type: ['boolean', 'null'] }, [true, false, null]],
])('in a field of the type %j, a user chooses among %j', (schema, choices) => {
  const [field] = toFields({ name: 'batches', singular: 'batch' }, { name: schema }, {});
  expect(field).toMatchObject({ editor: 'choice', choices });
});
