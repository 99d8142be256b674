// Compares any page of a list with the walk over the whole list, which was read before. A list may grow meanwhile.
import { countOf } from '../../core/util/count-of.ts';
import type { CheckTarget } from './types.ts';
import { formatIds, idsOf, readPage, type SeenPage, type Walk } from './walk.ts';

/** What is wrong with a page: its records, their number, or has_more. */
export type Aspect = 'records' | 'count' | 'has_more';

/** Finds what is wrong with a page. */
export async function* comparePage(target: CheckTarget, page: SeenPage, walk: Walk) {
  const placed = placeIn(page, walk);
  const { found, limit, before, hasMore } = placed;
  if (found.length > limit)
    yield toDifference('count', `at most ${countOf(limit, 'record')}`, `${found.length}`);
  yield* before === undefined ? compareAfter(placed) : compareBefore(placed, before);
  const why = before === undefined ? await findWrongHasMore(target, placed) : findWrongBefore(placed);
  if (why !== undefined)
    yield toDifference('has_more', `has_more ${!hasMore}, since ${why}`, `has_more ${hasMore}`);
}

/** A difference between a page and the walk. */
const toDifference = (aspect: Aspect, expected: string, actual: string) => ({ aspect, expected, actual });

/** A page, and where its records are in the walk. Records that are not in the walk are new, or do not belong to the list. */
const placeIn = (page: SeenPage, walk: Walk) => {
  const found = idsOf(page);
  const places = found.map((id) => walk.placeOf.get(id));
  const first = places.findIndex((place) => place !== undefined);
  const last = places.findLastIndex((place) => place !== undefined);
  const limit = page.query.limit ?? page.list.defaultLimit;
  return { ...page, ...page.query, walk, found, places, first, last, limit };
};

type PlacedPage = ReturnType<typeof placeIn>;

const wrongRecords = ({ found }: PlacedPage, expected: string) =>
  toDifference('records', expected, formatIds(found));

function* findTooFew({ found: { length } }: PlacedPage, least: number) {
  if (length < least) yield toDifference('count', countOf(least, 'record'), `${length}`);
}

/** A first page, or a page after a cursor. New records appear only at the start or the end of a list. */
function* compareAfter(page: PlacedPage) {
  const { list, walk, found, first, last, limit, after } = page;
  const { ids, placeOf } = walk;
  const cursor = after === undefined ? undefined : placeOf.get(after);
  const isAtStart = cursor === undefined;
  const start = isAtStart ? 0 : cursor + 1;
  const isAtEnd =
    last === -1 ? isAtStart || start === ids.length : placeOf.get(found[last] ?? '') === ids.length - 1;
  const shown = found.slice(isAtStart ? Math.max(first, 0) : 0, isAtEnd ? last + 1 : undefined);
  if (shown.length > 0 && shown.join() !== ids.slice(start, start + shown.length).join())
    yield wrongRecords(page, formatIds(ids.slice(start, start + limit)));
  // The contract has no maximum for checkpoints, so that a smaller page may be the target's maximum (assumed:checkpoint-limit-bounds).
  const mayBeCut =
    list.name === 'checkpoints' && limit > list.defaultLimit && found.length >= list.defaultLimit;
  // Nobody knows which records follow a new record.
  if (!mayBeCut && (after === undefined || cursor !== undefined))
    yield* findTooFew(page, Math.min(limit, ids.length - start));
}

/** A page before a cursor. Which of the records ahead of the cursor are on the page is an assumption: before-page. */
function* compareBefore(page: PlacedPage, before: string) {
  const { walk, found, places, first, limit } = page;
  const end = walk.placeOf.get(before) ?? 0;
  const shown = places.slice(Math.max(first, 0));
  const isWrong = shown.some(
    (place, at) => place === undefined || place >= end || place <= (shown[at - 1] ?? -1),
  );
  const isIncomplete = end <= limit && first === 0 && found.length === end && shown[0] !== 0;
  const wanted =
    end <= limit ? formatIds(walk.ids.slice(0, end)) : `records ahead of ${before}, in list order`;
  if (first >= 0 && (isWrong || isIncomplete)) yield wrongRecords(page, wanted);
  yield* findTooFew(page, Math.min(limit, end));
}

/** The contract does not state which way has_more looks with `before`; it cannot be false with records on both sides. */
const findWrongBefore = ({ hasMore, first, places }: PlacedPage): string | undefined =>
  !hasMore && first === 0 && (places[0] ?? 0) > 0 ? 'there are records on both sides' : undefined;

/** False is wrong if the walk has records after the page. True is wrong if the next page is empty. */
const findWrongHasMore = async (target: CheckTarget, page: PlacedPage): Promise<string | undefined> => {
  const { list, query, hasMore, walk, found, places, last } = page;
  const end = found.at(-1);
  if (end === undefined) return hasMore ? 'the page is empty' : undefined;
  const next = last === -1 ? undefined : walk.ids[(places[last] ?? 0) + 1];
  if (!hasMore) return next !== undefined && last === found.length - 1 ? `${next} follows` : undefined;
  if (!walk.isComplete || next !== undefined) return undefined;
  const behind = await readPage(target, list, { ...query, after: end }, { fresh: true });
  return behind.records.length === 0 ? 'nothing follows' : undefined;
};
