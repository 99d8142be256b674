// Cursors lead through a list: no record repeated, none missed, and an end.
import { type CheckFinding, type CheckTarget, type Findings, NotCheckable, toChecks } from './check.ts';
import {
  type CheckedList,
  findMaxLimit,
  formatIds,
  idsOf,
  lists,
  maxLimit,
  readPage,
  type SeenPage,
} from './lists.ts';
import {
  expectRecords,
  failedPage,
  inOrders,
  isWhole,
  type Order,
  type Walk,
  walkLarge,
  walkSmall,
} from './walk.ts';

/** How many boundaries between large pages are checked. */
const maxBorders = 10;

/** The positions of the cursors to try: the middle of the first large page, and before each page boundary. */
const chooseCursors = ({ pages, records }: Walk): number[] => {
  const borders: number[] = [];
  let end = 0;
  for (const [index, page] of pages.entries()) {
    end += page.records.length;
    if ((pages[index + 1]?.records.length ?? 0) > 0 && end < records.length) borders.push(end - 2);
  }
  const step = Math.ceil(borders.length / maxBorders);
  const middle = Math.floor(((pages[0]?.records.length ?? 0) - 1) / 2);
  return [middle, ...borders.filter((_, index) => index % step === 0)].filter((at) => at >= 0);
};

/** Compares the pages after some records with the large pages. */
async function* checkAfter(target: CheckTarget, list: CheckedList, order: Order): Findings {
  const walk = await walkLarge(target, list, order);
  expectRecords(walk, 2);
  const ids = idsOf(walk);
  const known = new Set(ids);
  for (const at of chooseCursors(walk)) {
    const cursor = ids[at] ?? '';
    const page = await readPage(target, list, { limit: 3, after: cursor, order });
    const found = idsOf(page);
    const behind = ids.slice(at + 1);
    // The length of the page is checked elsewhere, and new records may follow those that were read.
    const isLonger = found.length > behind.length && !found.slice(behind.length).some((id) => known.has(id));
    const expected = behind.slice(0, Math.max(found.length, 1));
    const seen = isLonger ? found.slice(0, behind.length) : found;
    if (found.includes(cursor)) yield failedPage(page, `a page without ${cursor} itself`, formatIds(found));
    else if (seen.join() !== expected.join())
      yield failedPage(page, formatIds(behind.slice(0, 3)), formatIds(found));
  }
}

/** Reads small pages as real clients do, while has_more is true, and compares them with a large page. */
async function* checkWalk(target: CheckTarget, list: CheckedList, order: Order): Findings {
  const large = await walkLarge(target, list, order);
  yield noteReach(large, order);
  yield* findLoop(large);
  const head = await readPage(target, list, { limit: await findMaxLimit(target, list), order }, 'fresh');
  expectRecords(head, 2);
  const walk = await walkSmall(target, list, order, head);
  yield* findLoop(walk);
  if (walk.end === 'repeated') return;

  const wanted = idsOf(head).slice(0, maxLimit);
  const [seen, last] = followHasMore(walk);
  const ahead = seen.slice(0, Math.max(0, seen.indexOf(wanted[0] ?? '')));
  const missed = wanted.filter((id) => !seen.includes(id));
  if (missed.length > 0 && walk.end === 'refused') throw new NotCheckable(walk.reason);
  if (missed.length > 0)
    yield failedPage(last, `pages with all ${wanted.length} records`, `none with ${formatIds(missed)}`);
  else if (wanted.join() !== seen.slice(ahead.length, ahead.length + wanted.length).join())
    yield failedPage(last, 'the records in the order of the large page', formatIds(seen));
  else if (ahead.length > 0) {
    // New records, which a large page now shows, or records that the large page lost.
    const again = await readPage(target, list, { limit: await findMaxLimit(target, list), order }, 'fresh');
    const left = ahead.filter((id) => !idsOf(again).includes(id));
    if (left.length > 0 && again.records.length > left.length)
      yield failedPage(again, `a page that begins with ${formatIds(left)}`, formatIds(idsOf(again)));
  }
}

/** How much of the list was read. */
const noteReach = (walk: Walk, order: Order): CheckFinding => {
  const count = `${walk.records.length} records${order === undefined ? '' : ` in order ${order}`}`;
  return { kind: 'note', message: isWhole(walk) ? `read all ${count}.` : `read ${count}: ${walk.reason}` };
};

/** Yields a finding if a record is repeated although has_more was true. */
function* findLoop({ pages, repeated }: Walk): Generator<CheckFinding> {
  const [page, former] = [pages.at(-1), pages.at(-2)];
  if (repeated === undefined || page === undefined || former?.hasMore === false) return;
  yield failedPage(page, 'records that were not on earlier pages', `${repeated} again`);
}

/** The ids that a client reads until has_more is false, and the last page it reads. */
const followHasMore = ({ pages }: Walk): [ids: readonly string[], last: SeenPage] => {
  const end = pages.findIndex(({ hasMore }) => !hasMore);
  const followed = end === -1 ? pages : pages.slice(0, end + 1);
  return [followed.flatMap(idsOf), followed.at(-1) as SeenPage]; // a walk has a first page
};

/** Checks the page after the last record, which a client reads if it ignores has_more. */
async function* checkEnd(target: CheckTarget, list: CheckedList, order: Order): Findings {
  const walk = await walkLarge(target, list, order);
  expectRecords(walk, 1);
  const page = walk.pages.at(-1);
  if (page === undefined || walk.end === 'empty') return;
  if (walk.end !== 'repeated' || !isWhole(walk)) throw new NotCheckable(walk.reason);
  yield failedPage(page, 'an empty page', formatIds(idsOf(page)));
}

export const cursorChecks = lists.flatMap((list) =>
  toChecks(list, list.contract.section, {
    after: ['after=ID returns the page after that record, without it.', inOrders(checkAfter)],
    walk: ['Reading small pages in turn returns each record of a large page once.', inOrders(checkWalk)],
    end: ['The page after the last record is empty; the list does not start again.', inOrders(checkEnd)],
  }),
);
