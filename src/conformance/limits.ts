// That a page has as many records as were asked for (contract: Endpoints 2 to 4, and Limits).
import { broken, checkEach, type Finding, type Law, NotCheckable, type Target } from './check.ts';
import {
  checkpoints,
  findMaxLimit,
  idsOf,
  type ListParameters,
  type ListUnderLaw,
  lists,
  readPage,
  runs,
  type SeenPage,
} from './lists.ts';
import { aboutOrder, firstOrder, inEachOrder, type Order, walkLarge, walkSmall } from './walk.ts';

/** No bounds are stated for checkpoints: a page of fewer may be as large as it gets (assumed:checkpoint-limit-bounds). */
const mayBeCut = ({ list, records, query: { limit = 0 } }: SeenPage): boolean =>
  list === checkpoints && limit > list.defaultLimit && records.length >= list.defaultLimit;

/** @param count how many records there are for the page; a list that grows may have more by now */
function* findWrongCount(page: SeenPage, limit: number, count: number, about?: string): Generator<Finding> {
  const found = page.records.length;
  const least = Math.min(limit, count);
  if (found > limit) yield broken(page.asked, `at most ${limit} records`, `${found}`, about);
  else if (found < least && !mayBeCut(page)) yield broken(page.asked, `${least} records`, `${found}`, about);
}

/** The smallest sizes and the largest, and what lies between as far as the list goes: some gateways cut pages at a size of their own. */
const chooseSizes = (count: number, max = 0): Set<number> => {
  const between = [Math.min(37, count - 1), 73].filter((size) => size < Math.min(count, max));
  return new Set([1, 3, ...between.filter((size) => size > 3), ...(max > 0 ? [max] : [])]);
};

/** First pages of several sizes. */
async function* checkFirstPages(target: Target, list: ListUnderLaw, order: Order): AsyncGenerator<Finding> {
  const { records } = await walkLarge(target, list, order);
  if (records.length === 0) throw new NotCheckable('the list is empty.');
  const max = await findMaxLimit(target, list);
  yield* checkEach(chooseSizes(records.length, max), async function* (limit) {
    const page = await readPage(target, list, { limit, order }, 'fresh');
    yield* findWrongCount(page, limit, records.length, aboutOrder(order));
  });
}

/** The further pages of both walks: one that says that more follows, and is right, is full. */
async function* checkFurtherPages(target: Target, list: ListUnderLaw, order: Order): AsyncGenerator<Finding> {
  const walks = [await walkSmall(target, list, order), await walkLarge(target, list, order)];
  if (walks.every(({ records, pages }) => records.length === pages[0]?.records.length))
    throw new NotCheckable('the list has one page.');
  for (const { pages, end } of walks) {
    const further = pages.slice(1, end === 'empty' || end === 'repeated' ? -1 : undefined);
    for (const [index, page] of further.entries()) {
      const { limit = list.defaultLimit } = page.query;
      const isFollowed = page.hasMore && index + 1 < further.length;
      yield* findWrongCount(page, limit, isFollowed ? limit : 0, aboutOrder(order));
    }
  }
}

/** Pages without limit: the first one, and one of each other parameter. */
async function* checkDefault(target: Target, list: ListUnderLaw): AsyncGenerator<Finding> {
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
    throw new NotCheckable(`the list has ${ids.length} records, and it takes more than ${size}.`);
}

export const limitLaws: readonly Law[] = lists.flatMap((list): Law[] => [
  {
    id: `${list.name}-limit`,
    section: 'Limits',
    says: 'limit is the number of records on a page of a list that has as many.',
    needs: list.needs,
    check: (target) => inEachOrder(list, (order) => checkFirstPages(target, list, order)),
  },
  {
    id: `${list.name}-limit-after`,
    section: 'Limits',
    says: 'limit is the number of records on a page with after, too.',
    needs: list.needs,
    check: (target) => inEachOrder(list, (order) => checkFurtherPages(target, list, order)),
  },
  {
    id: `${list.name}-default-limit`,
    section: 'Limits',
    says: `Without limit, a page has ${list.defaultLimit} records where there are as many, whatever else is asked for.`,
    needs: list.needs,
    check: (target) => checkDefault(target, list),
  },
]);
