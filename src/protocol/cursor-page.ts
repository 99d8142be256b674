/** A list of records in a total order, oldest first. */
export interface OrderedList<Item> {
  readonly length: number;
  at(index: number): Item;
  /** The index of the item with this id; -1 if the list has none. */
  indexOf(id: string): number;
}

/** The order of a list by creation. */
export type Order = 'asc' | 'desc';

/** Which page to cut out of a list. */
export interface PageQuery {
  readonly limit: number;
  readonly order: Order;
  /** The index of the item after which the page starts. */
  readonly after?: number | undefined;
  /** The index of the item before which the page ends. */
  readonly before?: number | undefined;
}

/** One page of a list. */
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
