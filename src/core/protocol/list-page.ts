import type { Assume } from '../assumptions/table.ts';
import { truncate } from '../util/truncate.ts';
import { refuse } from './errors.ts';

/** A list of records in a total order, oldest first. A list of a world has only the records that its clock has reached. */
export interface OrderedList<Item> {
  readonly length: number;
  at(index: number): Item;
  /** The index of the item with this id; -1 if the list has none. */
  indexOf(id: string): number;
}

/** The order of a list by creation. */
export type Order = 'asc' | 'desc';

/** The query parameters of lists; the contract says which operation takes which. */
export interface ListQuery {
  readonly limit: number;
  readonly order: Order;
  readonly after?: string;
  readonly before?: string;
}

/** A list without records: under some assumptions, owners that do not exist have it. */
const emptyList: OrderedList<never> = {
  length: 0,
  at: (index) => {
    throw new Error(`No item at index ${index}: the list is empty.`);
  },
  indexOf: () => -1,
};

/** The page that a call requests (contract: Endpoints 2 to 4). If the list is undefined, its owner does not exist. */
export const listPage = <Item>(
  list: OrderedList<Item> = emptyList,
  { limit, order, after, before }: ListQuery,
  assume: Assume,
): CursorPage<Item> => {
  // Only marks the reply: the assumption has a single value.
  if (before !== undefined) assume(after === undefined ? 'before-page' : 'after-and-before');

  const cursors = {
    after: after === undefined ? undefined : list.indexOf(after),
    before: before === undefined ? undefined : list.indexOf(before),
  };
  for (const [name, id] of [
    ['after', after],
    ['before', before],
  ] as const) {
    if (id === undefined || cursors[name] !== -1) continue;
    const answer = assume('unknown-cursor');
    if (answer === 'empty-page') return { items: [], hasMore: false };
    refuse('unknown-cursor', {
      status: Number(answer),
      message: `No record of this list has the id '${truncate(id)}'.`,
      param: name,
    });
  }
  if (limit === 0) return { items: [], hasMore: false }; // the schema allows 0 only under the assumption `limit-too-small`
  return cursorPage(list, { limit, order, ...cursors });
};

/** The page to cut out of a list. */
export interface PageQuery {
  readonly limit: number;
  readonly order: Order;
  /** The index of the item after which the page starts. */
  readonly after?: number | undefined;
  /** The index of the item before which the page ends. */
  readonly before?: number | undefined;
}

export interface CursorPage<Item> {
  readonly items: Item[];
  readonly hasMore: boolean;
}

/**
 * Cuts one page out of a list.
 *
 * - `after`: the items after the cursor, in the requested order.
 * - `before`: the items directly before the cursor, in the same order; `hasMore` is about those before the page.
 * - both: the items between the two, starting at `after`.
 */
export const cursorPage = <Item>(
  list: OrderedList<Item>,
  { limit, order, after, before }: PageQuery,
): CursorPage<Item> => {
  // In descending order, positions count from the other end of the list.
  const { length } = list;
  const flip = (index: number): number => (order === 'asc' ? index : length - 1 - index);
  const first = after === undefined ? 0 : flip(after) + 1;
  const end = before === undefined ? length : flip(before);
  const isBackward = after === undefined && before !== undefined;
  const from = isBackward ? Math.max(first, end - limit) : first;
  const to = isBackward ? end : Math.min(first + limit, end);
  return {
    items: Array.from({ length: Math.max(0, to - from) }, (_, at) => list.at(flip(from + at))),
    hasMore: isBackward ? from > first : to < end,
  };
};
