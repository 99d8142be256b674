import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAssumptions } from '../assumptions/marking.ts';
import {
  type CursorPage,
  cursorPage,
  listPage,
  type Order,
  type OrderedList,
  type PageQuery,
} from './list-page.ts';

/** The plainest list there is: numbers in rising order, each its own id. */
const listOf = (numbers: readonly number[]): OrderedList<number> => ({
  length: numbers.length,
  at: (index) => numbers[index] ?? Number.NaN,
  indexOf: (id) => numbers.findIndex((number) => String(number) === id),
});

/** A page whose cursors are numbers of the list. */
const pageOf = (numbers: readonly number[], { after, before, ...query }: PageQuery): CursorPage<number> => {
  const at = (cursor: number | undefined): number | undefined =>
    cursor === undefined ? undefined : numbers.indexOf(cursor);
  return cursorPage(listOf(numbers), { ...query, after: at(after), before: at(before) });
};

const list = [1, 2, 3, 4, 5, 6, 7];

test.each([
  ['the first page', { limit: 3, order: 'desc' }, [7, 6, 5], true],
  ['the page after a cursor', { limit: 3, order: 'desc', after: 5 }, [4, 3, 2], true],
  ['the last page', { limit: 3, order: 'desc', after: 3 }, [2, 1], false],
  ['the items next to before, in the current order', { limit: 3, order: 'desc', before: 2 }, [5, 4, 3], true],
  ['all that is ahead of before', { limit: 3, order: 'desc', before: 5 }, [7, 6], false],
  ['what lies between after and before', { limit: 9, order: 'desc', after: 6, before: 2 }, [5, 4, 3], false],
  ['a page of what lies between', { limit: 2, order: 'asc', after: 1, before: 6 }, [2, 3], true],
  ['nothing where both are one', { limit: 2, order: 'desc', after: 4, before: 4 }, [], false],
] as const)('gives %s', (_title, query, items, hasMore) => {
  expect(pageOf(list, query)).toEqual({ items, hasMore });
});

test('of two cursors that name no record, after is refused', () => {
  const { assume } = createAssumptions({ 'unknown-cursor': '400' }).forAnswer();
  const query = { limit: 1, order: 'asc', after: 'x', before: 'y' } as const;
  expect(() => listPage(listOf(list), query, assume)).toThrow("has the id 'x'");
});

const cases = fc.record({
  numbers: fc.uniqueArray(fc.integer()).map((numbers) => numbers.sort((a, b) => a - b)),
  limit: fc.integer({ min: 1, max: 12 }),
  order: fc.constantFrom<Order>('asc', 'desc'),
});

test('forward pages concatenate to the complete list, and a full page before the end says that there is more', () => {
  fc.assert(
    fc.property(cases, ({ numbers, limit, order }) => {
      const whole = order === 'asc' ? numbers : numbers.toReversed();
      const seen: number[] = [];
      for (;;) {
        const page = pageOf(numbers, { limit, order, after: seen.at(-1) });
        seen.push(...page.items);
        expect(page.hasMore).toBe(seen.length < whole.length);
        if (!page.hasMore) break;
        expect(page.items).toHaveLength(limit);
      }
      expect(seen).toEqual(whole);
    }),
  );
});

test('before undoes after: the page before the first item of the next page is the previous page', () => {
  fc.assert(
    fc.property(cases, ({ numbers, limit, order }) => {
      const first = pageOf(numbers, { limit, order });
      const second = pageOf(numbers, { limit, order, after: first.items.at(-1) });
      const [next] = second.items;
      fc.pre(first.hasMore && next !== undefined);
      expect(pageOf(numbers, { limit, order, before: next })).toEqual({
        items: first.items,
        hasMore: false,
      });
    }),
  );
});
