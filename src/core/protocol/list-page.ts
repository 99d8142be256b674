import type { Assume } from '../assumptions/table.ts';
import { truncate } from '../util/truncate.ts';
import type { Page } from './call.ts';
import { refuse } from './refuse.ts';

/** A list of records in a total order, oldest first. */
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

/** The page that a call requests (contract: Endpoints 2 to 4). If the list is undefined, its owner does not exist: the page is empty. */
export const listPage = <Item>(
  list: OrderedList<Item> | undefined,
  query: ListQuery,
  assume: Assume,
): CursorPage<Item> => {
  const { limit, order, after, before } = query;
  // Only marks the reply: the assumption has a single value.
  if (before !== undefined) assume(after === undefined ? 'before-page' : 'after-and-before');

  const cursors = {
    after: after === undefined ? undefined : (list?.indexOf(after) ?? -1),
    before: before === undefined ? undefined : (list?.indexOf(before) ?? -1),
  };
  for (const name of ['after', 'before'] as const) {
    const id = query[name];
    if (id === undefined || cursors[name] !== -1) continue;
    const answer = assume('unknown-cursor');
    if (answer === 'empty-page') return { items: [], hasMore: false };
    refuse('unknown-cursor', {
      status: Number(answer),
      message: `No record of this list has the id '${truncate(id)}'.`,
      param: name,
    });
  }
  // The schema allows 0 only under the assumption `limit-too-small`.
  if (list === undefined || limit === 0) return { items: [], hasMore: false };
  return cursorPage(list, { limit, order, ...cursors });
};

/** The body of a page (contract: List envelope). @param idOfNone returns what stands for an id on an empty page */
export const toEnvelope = <Item extends { readonly id: string }, None>(
  { items, hasMore }: CursorPage<Item>,
  idOfNone: () => None,
) => ({
  object: 'list' as const,
  data: items,
  first_id: items[0]?.id ?? idOfNone(),
  last_id: items.at(-1)?.id ?? idOfNone(),
  has_more: hasMore,
});

/** The facts about a page that the journal keeps. @param envelope the body of a page */
export const pageFacts = (envelope: object): Page => {
  const { data, has_more } = envelope as { readonly data: readonly { readonly id: string }[] } & Page; // contract: List envelope
  return { ids: data.map(({ id }) => id), has_more };
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
