// Compares any page of a list with the walk over the whole list, which was read before. A list may grow meanwhile.
import type { CheckTarget } from './check.ts';
import { formatIds, idsOf, readPage, type SeenPage, type Walk } from './lists.ts';

/** What of a page is wrong: its records, their number, or has_more. */
export type Aspect = 'records' | 'count' | 'has_more';

/** A difference between a page and the walk. */
export interface PageFault {
  readonly aspect: Aspect;
  readonly expected: string;
  readonly actual: string;
}

/** Finds what is wrong with a page. */
export async function* comparePage(
  target: CheckTarget,
  page: SeenPage,
  walk: Walk,
): AsyncGenerator<PageFault> {
  const compare = page.query.before === undefined ? findAfterFaults : findBeforeFaults;
  yield* compare(page, walk);
  yield* findWrongHasMore(target, page, walk);
}

/** The records of a page that the walk has, and how many others are ahead of them. */
const splitNew = (page: SeenPage, { placeOf }: Walk) => {
  const found = idsOf(page);
  const places = found.map((id) => placeOf.get(id));
  const first = places.findIndex((place) => place !== undefined);
  const last = places.findLastIndex((place) => place !== undefined);
  return { found, places, first, last };
};

const limitOf = ({ list, query }: SeenPage): number => query.limit ?? list.defaultLimit;

/** The contract has no maximum for checkpoints, so that a smaller page may be the target's maximum (assumed:checkpoint-limit-bounds). */
const mayBeCut = ({ list, records, query: { limit = 0 } }: SeenPage): boolean =>
  list.name === 'checkpoints' && limit > list.defaultLimit && records.length >= list.defaultLimit;

function* findTooMany(
  { records: { length } }: { readonly records: readonly unknown[] },
  limit: number,
): Generator<PageFault> {
  if (length > limit) yield { aspect: 'count', expected: `at most ${limit} records`, actual: `${length}` };
}

/** A first page, or the one after a cursor. New records come only ahead of all others, or behind them. */
function* findAfterFaults(page: SeenPage, walk: Walk): Generator<PageFault> {
  const { found, first, last } = splitNew(page, walk);
  const { after } = page.query;
  const cursor = after === undefined ? undefined : walk.placeOf.get(after);
  const start = (cursor ?? -1) + 1;
  const limit = limitOf(page);
  yield* findTooMany(page, limit);

  const isAtStart = cursor === undefined;
  const head = isAtStart ? Math.max(first, 0) : 0;
  const isAtEnd =
    last === -1
      ? isAtStart || start === walk.ids.length
      : walk.placeOf.get(found[last] ?? '') === walk.ids.length - 1;
  const shown = found.slice(head, isAtEnd ? last + 1 : undefined);
  const expected = walk.ids.slice(start, start + Math.max(shown.length, 1));
  if (after !== undefined && found.includes(after))
    yield { aspect: 'records', expected: `a page without ${after} itself`, actual: formatIds(found) };
  else if (shown.length > 0 && shown.join() !== expected.join())
    yield {
      aspect: 'records',
      expected: formatIds(walk.ids.slice(start, start + limit)),
      actual: formatIds(found),
    };

  if (after !== undefined && cursor === undefined) return; // a new record: what follows it is unknown
  const least = Math.min(limit, walk.ids.length - start);
  if (found.length < least && !mayBeCut(page))
    yield { aspect: 'count', expected: `${least} records`, actual: `${found.length}` };
}

/** A page before a cursor. Which of the records ahead of it the page has is an assumption: before-page. */
function* findBeforeFaults(page: SeenPage, walk: Walk): Generator<PageFault> {
  const { found, places, first } = splitNew(page, walk);
  const { before = '' } = page.query;
  const end = walk.placeOf.get(before) ?? 0;
  const limit = limitOf(page);
  yield* findTooMany(page, limit);

  const shown = places.slice(Math.max(first, 0));
  const isWrong = shown.some(
    (place, at) => place === undefined || place >= end || place <= (shown[at - 1] ?? -1),
  );
  const isIncomplete = end <= limit && first === 0 && found.length === end ? shown[0] !== 0 : false;
  if (first >= 0 && (isWrong || isIncomplete))
    yield {
      aspect: 'records',
      expected:
        end <= limit ? formatIds(walk.ids.slice(0, end)) : `records ahead of ${before}, in list order`,
      actual: formatIds(found),
    };
  const least = Math.min(limit, end);
  if (found.length < least)
    yield { aspect: 'count', expected: `${least} records`, actual: `${found.length}` };
}

/**
 * False is wrong if the walk has records behind the page; true, if nothing follows when it is looked up.
 * With `before`, the contract does not state which way has_more looks; it cannot be false with records on both sides.
 */
async function* findWrongHasMore(target: CheckTarget, page: SeenPage, walk: Walk): AsyncGenerator<PageFault> {
  const { list, query, hasMore } = page;
  const { found, places, first, last } = splitNew(page, walk);
  const wrong = (why: string): PageFault => ({
    aspect: 'has_more',
    expected: `has_more ${!hasMore}, since ${why}`,
    actual: `has_more ${hasMore}`,
  });
  if (query.before !== undefined) {
    if (!hasMore && first === 0 && (places[0] ?? 0) > 0) yield wrong('there are records on both sides');
    return;
  }
  const end = found.at(-1);
  if (end === undefined) {
    if (hasMore) yield wrong('the page is empty');
    return;
  }
  const next = last === -1 ? undefined : walk.ids[(places[last] ?? 0) + 1];
  if (!hasMore && next !== undefined && last === found.length - 1) yield wrong(`${next} follows`);
  if (hasMore && walk.isWhole && next === undefined) {
    const behind = await readPage(target, list, { ...query, after: end }, { fresh: true });
    if (behind.records.length === 0) yield wrong('nothing follows');
  }
}
