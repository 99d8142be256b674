import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIds, createUuids } from './ids.ts';
import { createPermutation } from './permutation.ts';

test('a permutation visits every number below its size once, and is undone', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 300 }), (key, size) => {
      const { at, indexOf } = createPermutation(key, size);
      const values = Array.from({ length: size }, (_, index) => at(index));
      expect(values.toSorted((a, b) => a - b)).toEqual(values.map((_, index) => index));
      expect(values.map(indexOf)).toEqual(values.map((_, index) => index));
    }),
  );
});

test('another key gives another order', () => {
  const order = (key: string) =>
    Array.from({ length: 100 }, (_, index) => createPermutation(key, 100).at(index));
  expect(order('a')).not.toEqual(order('b'));
});

test.each([
  ['letters and digits', createIds('run_', 'key'), /^run_[0-9A-Za-z]{24}$/],
  ['uuids', createUuids('key'), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
])('ids of %s tell their rank, and no other text does', (_title, ids, form) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.string(), (rank, text) => {
      const id = ids.at(rank);
      expect(id).toMatch(form);
      expect(ids.rankOf(id)).toBe(rank);
      expect(ids.rankOf(text)).toBeUndefined();
      expect(ids.rankOf(`${id.slice(0, -1)}~`)).toBeUndefined();
    }),
  );
});
