// That has_more says whether records follow (contract: List envelope).
import { broken, type Finding, type Law, NotCheckable, type Target } from './check.ts';
import { idsOf, type ListUnderLaw, lists, readPage, type SeenPage } from './lists.ts';
import { aboutOrder, firstOrder, inEachOrder, type Order, type Walk, walkLarge, walkSmall } from './walk.ts';

/**
 * Whether has_more of a page is a lie. A list may grow while it is read, so each verdict rests on two replies in their order:
 * false is a lie if a page still says it after a record behind it was seen, true if nothing lies there later.
 *
 * @param next a record that was seen behind the page
 */
async function* findLie(
  target: Target,
  { list, query, asked, records, hasMore }: SeenPage,
  next: string | undefined,
): AsyncGenerator<Finding> {
  const { order } = query;
  const last = records.at(-1)?.id;
  const isEmptyLie = last === undefined && hasMore;
  if (isEmptyLie) yield broken(asked, 'has_more false on an empty page', 'has_more true', aboutOrder(order));
  if (last === undefined) return;

  if (!hasMore && next !== undefined) {
    const again = await readPage(target, list, query, 'fresh');
    if (!again.hasMore && again.records.at(-1)?.id === last)
      yield broken(asked, `has_more true, since ${next} follows`, 'has_more false', aboutOrder(order));
  }
  if (hasMore && next === undefined) {
    const behind = await readPage(target, list, { ...query, after: last }, 'fresh');
    if (behind.records.length === 0)
      yield broken(asked, 'has_more false, since nothing follows', 'has_more true', aboutOrder(order));
  }
}

/** The pages of a walk, of which each shows what follows the one before it: the first lie is enough. */
async function* checkPages(target: Target, { pages }: Walk): AsyncGenerator<Finding> {
  const known = new Set<string>();
  for (const [index, page] of pages.entries()) {
    for (const id of idsOf(page)) known.add(id);
    const following = pages[index + 1];
    if (following === undefined && page.records.length > 0) return;
    const next = following && idsOf(following).find((id) => !known.has(id));
    for await (const lie of findLie(target, page, next)) return yield lie;
  }
}

async function* checkHasMore(target: Target, list: ListUnderLaw, order: Order): AsyncGenerator<Finding> {
  const walk = await walkLarge(target, list, order);
  yield* checkPages(target, walk);
  yield* checkPages(target, await walkSmall(target, list, order));
  const ids = idsOf(walk);
  if (ids.length === 0) return;
  for (const query of [{ limit: 1, order }, order === firstOrder(list) ? {} : { order }]) {
    const page = await readPage(target, list, query);
    const shown = new Set(idsOf(page));
    const next = ids.find((id) => !shown.has(id));
    yield* findLie(target, page, next);
  }
  if (walk.end === 'bound') throw new NotCheckable(walk.why);
  if (walk.end !== 'empty' || ids.length === 1) return;
  // The last page is full with limit=1, where has_more is easily wrong.
  for (const limit of [1, undefined])
    yield* findLie(target, await readPage(target, list, { limit, order, after: ids.at(-2) }), undefined);
}

export const hasMoreLaws: readonly Law[] = lists.map((list) => ({
  id: `${list.name}-has-more`,
  section: 'List envelope',
  says: 'has_more is true where records follow, and false where none do.',
  needs: list.needs,
  check: (target) => inEachOrder(list, (order) => checkHasMore(target, list, order)),
}));
