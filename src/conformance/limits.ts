// A page has as many records as requested (contract: Endpoints 2 to 4, and Limits).
import {
  type CheckFinding,
  type CheckTarget,
  checkEach,
  type Findings,
  NotCheckable,
  toChecks,
} from './check.ts';
import {
  type CheckedList,
  checkpoints,
  findMaxLimit,
  idsOf,
  type ListParameters,
  lists,
  readPage,
  runs,
  type SeenPage,
} from './lists.ts';
import { failedPage, firstOrder, inOrders, type Order, walkLarge, walkSmall } from './walk.ts';

/** The contract has no maximum for checkpoints, so that a smaller page may be the target's maximum (assumed:checkpoint-limit-bounds). */
const mayBeCut = ({ list, records, query: { limit = 0 } }: SeenPage): boolean =>
  list === checkpoints && limit > list.defaultLimit && records.length >= list.defaultLimit;

/** @param count how many records there are for the page; a list that grows may have more */
function* findWrongCount(
  page: SeenPage,
  limit: number,
  count: number,
  about?: string,
): Generator<CheckFinding> {
  const found = page.records.length;
  const least = Math.min(limit, count);
  if (found > limit) yield failedPage(page, `at most ${limit} records`, `${found}`, about);
  else if (found < least && !mayBeCut(page)) yield failedPage(page, `${least} records`, `${found}`, about);
}

/** The smallest and largest sizes, and some between: some gateways limit pages to a size of their own. */
const chooseSizes = (count: number, max = 0): Set<number> => {
  const between = [Math.min(37, count - 1), 73].filter((size) => size < Math.min(count, max));
  return new Set([1, 3, ...between.filter((size) => size > 3), ...(max > 0 ? [max] : [])]);
};

/** Checks first pages of several sizes. */
async function* checkFirstPages(target: CheckTarget, list: CheckedList, order: Order): Findings {
  const { records } = await walkLarge(target, list, order);
  if (records.length === 0) throw new NotCheckable('the list is empty.');
  const max = await findMaxLimit(target, list);
  yield* checkEach(chooseSizes(records.length, max), async function* (limit) {
    const page = await readPage(target, list, { limit, order }, 'fresh');
    yield* findWrongCount(page, limit, records.length);
  });
}

/** Checks the pages after the first: a page with has_more true, if that is right, must be full. */
async function* checkFurtherPages(target: CheckTarget, list: CheckedList, order: Order): Findings {
  const walks = [await walkSmall(target, list, order), await walkLarge(target, list, order)];
  if (walks.every(({ records, pages }) => records.length === pages[0]?.records.length))
    throw new NotCheckable('the list has only one page.');
  for (const { pages, end } of walks) {
    const further = pages.slice(1, end === 'empty' || end === 'repeated' ? -1 : undefined);
    for (const [index, page] of further.entries()) {
      const { limit = list.defaultLimit } = page.query;
      const isFollowed = page.hasMore && index + 1 < further.length;
      yield* findWrongCount(page, limit, isFollowed ? limit : 0);
    }
  }
}

/** Checks pages without limit: the first one, and one for each other parameter. */
async function* checkDefault(target: CheckTarget, list: CheckedList): Findings {
  const size = list.defaultLimit;
  const order = firstOrder(list);
  const ids = idsOf(await walkLarge(target, list));
  const pages: [about: string, query: ListParameters, count: number][] = [['no parameter', {}, ids.length]];
  if (ids.length > 1) pages.push(['after', { order, after: ids[0] }, ids.length - 1]);
  if (list === runs) pages.push(['order=asc', { order: 'asc' }, ids.length]);
  if (list === runs && ids.length > size + 1)
    pages.push(['before', { order, before: ids[size + 1] }, size + 1]);
  yield* checkEach(pages, async function* ([about, query, count]) {
    yield* findWrongCount(await readPage(target, list, query, 'fresh'), size, count, about);
  });
  if (ids.length <= size)
    throw new NotCheckable(`the list has ${ids.length} records; this check needs more than ${size}.`);
}

export const limitChecks = lists.flatMap((list) =>
  toChecks(list, 'Limits', {
    limit: ['limit is the number of records on a page, if the list has as many.', inOrders(checkFirstPages)],
    'limit-after': ['limit is also the number of records on a page with after.', inOrders(checkFurtherPages)],
    'default-limit': [
      `Without limit, a page has ${list.defaultLimit} records, if there are as many, with any other parameters.`,
      checkDefault,
    ],
  }),
);
