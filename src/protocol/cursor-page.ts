/** A list in a total order, oldest first. */
export interface OrderedList<Item> {
  readonly length: number;
  at(index: number): Item;
  /** Where the item of this id stands; -1 where the list has none. */
  indexOf(id: string): number;
}

export type Order = 'asc' | 'desc';

export interface PageQuery {
  readonly limit: number;
  readonly order: Order;
  /** The index of the item that the page comes behind. */
  readonly after?: number | undefined;
  /** The index of the item that the page comes ahead of. */
  readonly before?: number | undefined;
}

export interface CursorPage<Item> {
  readonly items: Item[];
  readonly hasMore: boolean;
}

/**
 * Cuts one page out of a list.
 *
 * - `after`: the items behind the cursor in the order asked for.
 * - `before`: the items next to the cursor and ahead of it, in that same order; `hasMore` looks backward.
 * - both: the items between the two, read forward from `after`.
 */
export const cursorPage = <Item>(
  list: OrderedList<Item>,
  { limit, order, after, before }: PageQuery,
): CursorPage<Item> => {
  // Indices and places are the same in rising order; in falling order one counts from the other end.
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
