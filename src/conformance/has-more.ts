// has_more states whether records follow (contract: List envelope).
import { type Check, type CheckFinding, type CheckTarget, failed, NotCheckable } from './check.ts';
import { type CheckedList, idsOf, lists, readPage, type SeenPage } from './lists.ts';
import { aboutOrder, firstOrder, inEachOrder, type Order, type Walk, walkLarge, walkSmall } from './walk.ts';

/**
 * Yields a finding if has_more of a page is wrong. A list may grow while it is read, so two replies are compared: false is
 * wrong if the page still has it after a following record was read, true if a later page shows that nothing follows.
 *
 * @param next the id of a record that was read after the page
 */
async function* findWrong(
  target: CheckTarget,
  { list, query, request, records, hasMore }: SeenPage,
  next: string | undefined,
): AsyncGenerator<CheckFinding> {
  const { order } = query;
  const last = records.at(-1)?.id;
  const isEmptyWrong = last === undefined && hasMore;
  if (isEmptyWrong)
    yield failed(request, 'has_more false on an empty page', 'has_more true', aboutOrder(order));
  if (last === undefined) return;

  if (!hasMore && next !== undefined) {
    const again = await readPage(target, list, query, 'fresh');
    if (!again.hasMore && again.records.at(-1)?.id === last)
      yield failed(request, `has_more true, since ${next} follows`, 'has_more false', aboutOrder(order));
  }
  if (hasMore && next === undefined) {
    const behind = await readPage(target, list, { ...query, after: last }, 'fresh');
    if (behind.records.length === 0)
      yield failed(request, 'has_more false, since nothing follows', 'has_more true', aboutOrder(order));
  }
}

/** Checks the pages that were read: each shows whether records follow the one before it. The first wrong one is reported. */
async function* checkPages(target: CheckTarget, { pages }: Walk): AsyncGenerator<CheckFinding> {
  const known = new Set<string>();
  for (const [index, page] of pages.entries()) {
    for (const id of idsOf(page)) known.add(id);
    const following = pages[index + 1];
    if (following === undefined && page.records.length > 0) return;
    const next = following && idsOf(following).find((id) => !known.has(id));
    for await (const finding of findWrong(target, page, next)) return yield finding;
  }
}

async function* checkHasMore(
  target: CheckTarget,
  list: CheckedList,
  order: Order,
): AsyncGenerator<CheckFinding> {
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

export const hasMoreChecks: readonly Check[] = lists.map((list) => ({
  id: `${list.name}-has-more`,
  section: 'List envelope',
  description: 'has_more is true if records follow, and false if none do.',
  needs: list.needs,
  run: (target) => inEachOrder(list, (order) => checkHasMore(target, list, order)),
}));
