// has_more states whether records follow (contract: List envelope).
import { type CheckTarget, type Findings, NotCheckable, toChecks } from './check.ts';
import { type CheckedList, idsOf, lists, readPage, type SeenPage } from './lists.ts';
import { failedPage, firstOrder, inOrders, type Order, type Walk, walkLarge, walkSmall } from './walk.ts';

/**
 * Yields a finding if has_more of a page is wrong. A list may grow while it is read, so two replies are compared: false is
 * wrong if the page still has it after a following record was read, true if a later page shows that nothing follows.
 *
 * @param next the id of a record that was read after the page
 */
async function* findWrong(target: CheckTarget, page: SeenPage, next: string | undefined): Findings {
  const { list, query, records, hasMore } = page;
  const last = records.at(-1)?.id;
  if (last === undefined && hasMore)
    yield failedPage(page, 'has_more false on an empty page', 'has_more true');
  if (last === undefined) return;

  if (!hasMore && next !== undefined) {
    const again = await readPage(target, list, query, 'fresh');
    if (!again.hasMore && again.records.at(-1)?.id === last)
      yield failedPage(page, `has_more true, since ${next} follows`, 'has_more false');
  }
  if (hasMore && next === undefined) {
    const behind = await readPage(target, list, { ...query, after: last }, 'fresh');
    if (behind.records.length === 0)
      yield failedPage(page, 'has_more false, since nothing follows', 'has_more true');
  }
}

/** Checks the pages that were read: each shows whether records follow the one before it. The first wrong one is reported. */
async function* checkPages(target: CheckTarget, { pages }: Walk): Findings {
  const known = new Set<string>();
  for (const [index, page] of pages.entries()) {
    for (const id of idsOf(page)) known.add(id);
    const following = pages[index + 1];
    if (following === undefined && page.records.length > 0) return;
    const next = following && idsOf(following).find((id) => !known.has(id));
    for await (const finding of findWrong(target, page, next)) return yield finding;
  }
}

async function* checkHasMore(target: CheckTarget, list: CheckedList, order: Order): Findings {
  const walk = await walkLarge(target, list, order);
  yield* checkPages(target, walk);
  yield* checkPages(target, await walkSmall(target, list, order));
  const ids = idsOf(walk);
  if (ids.length === 0) return;
  for (const query of [{ limit: 1, order }, order === firstOrder(list) ? {} : { order }]) {
    const page = await readPage(target, list, query);
    const shown = new Set(idsOf(page));
    const next = ids.find((id) => !shown.has(id));
    yield* findWrong(target, page, next);
  }
  if (walk.end === 'bound') throw new NotCheckable(walk.reason);
  if (walk.end !== 'empty' || ids.length === 1) return;
  // The last page is full with limit=1, where has_more is easily wrong.
  for (const limit of [1, undefined])
    yield* findWrong(target, await readPage(target, list, { limit, order, after: ids.at(-2) }), undefined);
}

export const hasMoreChecks = lists.flatMap((list) =>
  toChecks(list, 'List envelope', {
    'has-more': ['has_more is true if records follow, and false if none do.', inOrders(checkHasMore)],
  }),
);
