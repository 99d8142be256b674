import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CursorPage, cursorPage, type Order, type OrderedList, type PageQuery } from './list-page.ts';

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
  ['the whole list', { limit: 7, order: 'asc' }, [1, 2, 3, 4, 5, 6, 7], false],
  ['the page after a cursor', { limit: 3, order: 'desc', after: 5 }, [4, 3, 2], true],
  ['the last page', { limit: 3, order: 'desc', after: 3 }, [2, 1], false],
  ['nothing behind the last item', { limit: 3, order: 'desc', after: 1 }, [], false],
  ['the items next to before, in the current order', { limit: 3, order: 'desc', before: 2 }, [5, 4, 3], true],
  ['all that is ahead of before', { limit: 3, order: 'desc', before: 5 }, [7, 6], false],
  ['nothing ahead of the first item', { limit: 3, order: 'desc', before: 7 }, [], false],
  ['the same in rising order', { limit: 2, order: 'asc', before: 5 }, [3, 4], true],
  ['what lies between after and before', { limit: 9, order: 'desc', after: 6, before: 2 }, [5, 4, 3], false],
  ['a page of what lies between', { limit: 2, order: 'asc', after: 1, before: 6 }, [2, 3], true],
  ['nothing between neighbours', { limit: 2, order: 'asc', after: 3, before: 4 }, [], false],
  ['nothing if before is ahead of after', { limit: 2, order: 'asc', after: 5, before: 2 }, [], false],
  ['nothing where both are one', { limit: 2, order: 'desc', after: 4, before: 4 }, [], false],
] as const)('gives %s', (_title, query, items, hasMore) => {
  expect(pageOf(list, query)).toEqual({ items, hasMore });
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

test('a pager that keeps before and moves after on ends, and sees just what lies between', () => {
  fc.assert(
    fc.property(cases, fc.nat(), fc.nat(), ({ numbers, limit, order }, a, b) => {
      fc.pre(numbers.length > 0);
      const whole = order === 'asc' ? numbers : numbers.toReversed();
      const [from, to] = [a % whole.length, b % whole.length];
      const seen: (number | undefined)[] = [whole[from]];
      for (;;) {
        const page = pageOf(numbers, { limit, order, after: seen.at(-1), before: whole[to] });
        seen.push(...page.items);
        if (!page.hasMore) break;
      }
      expect(seen.slice(1)).toEqual(whole.slice(from + 1, Math.max(from + 1, to)));
    }),
  );
});
