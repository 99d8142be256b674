import { truncate } from '../util/truncate.ts';
import type { Assume } from './assumptions.ts';
import { type CursorPage, cursorPage, type Order, type OrderedList } from './cursor-page.ts';
import { refuse } from './errors.ts';

/** The query parameters of lists; the contract says which operation takes which. */
export interface ListQuery {
  readonly limit: number;
  readonly order: Order;
  readonly after?: string;
  readonly before?: string;
}

/** The page that a call requests (contract: Endpoints 2 to 4). */
export const listPage = <Item>(
  list: OrderedList<Item>,
  { limit, order, after, before }: ListQuery,
  assume: Assume,
): CursorPage<Item> => {
  // Marks the reply with what it depends on.
  assume('total-order');
  assume('page-ends');
  assume('timestamp-unit');
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
  return cursorPage(list, { limit, order, ...cursors });
};

/** A list without records: some assumptions answer with it if the owner does not exist. */
export const emptyList: OrderedList<never> = {
  length: 0,
  at: (index) => {
    throw new Error(`No item at index ${index}: the list is empty.`);
  },
  indexOf: () => -1,
};
