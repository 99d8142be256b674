/** A list in a total order, in which one can go to an item and walk on from it. */
export interface OrderedList<Item, Position> {
  /** Where the item of this id stands; undefined where the list has none. */
  locate(id: string): Position | undefined;
  /** The items behind `from` (or from the very end), oldest first for `asc`, newest first for `desc`. */
  walk(from: Position | undefined, order: Order): Iterable<Item>;
  /** Below 0 where `a` is older than `b`. */
  compare(a: Position, b: Position): number;
  positionOf(item: Item): Position;
}

export type Order = 'asc' | 'desc';

export interface PageQuery<Position> {
  readonly limit: number;
  readonly order: Order;
  readonly after?: Position | undefined;
  readonly before?: Position | undefined;
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
export const cursorPage = <Item, Position>(
  list: OrderedList<Item, Position>,
  { limit, order, after, before }: PageQuery<Position>,
): CursorPage<Item> => {
  if (before !== undefined && after === undefined) {
    const page = take(list.walk(before, order === 'asc' ? 'desc' : 'asc'), limit);
    return { ...page, items: page.items.reverse() };
  }
  const items = list.walk(after, order);
  return take(before === undefined ? items : until(before, items, list, order), limit);
};

const take = <Item>(source: Iterable<Item>, limit: number): CursorPage<Item> => {
  const items: Item[] = [];
  for (const item of source) {
    if (items.length === limit) return { items, hasMore: true };
    items.push(item);
  }
  return { items, hasMore: false };
};

function* until<Item, Position>(
  end: Position,
  items: Iterable<Item>,
  list: OrderedList<Item, Position>,
  order: Order,
): Generator<Item> {
  const forward = order === 'asc' ? 1 : -1;
  for (const item of items) {
    if (list.compare(list.positionOf(item), end) * forward >= 0) return;
    yield item;
  }
}
