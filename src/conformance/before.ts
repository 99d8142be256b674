// Pages before a run (contract: Endpoints, 2). Which of the preceding runs such a page shows is an assumption: before-page.
import { type CheckFinding, type CheckTarget, type Findings, NotCheckable, toChecks } from './check.ts';
import {
  type CheckedList,
  formatIds,
  idsOf,
  type ListParameters,
  readPage,
  runs,
  type SeenPage,
} from './lists.ts';
import {
  aboutPage,
  expectRecords,
  failedPage,
  inEachOrder,
  inOrders,
  type Order,
  walkLarge,
} from './walk.ts';

type Limit = Pick<ListParameters, 'limit'>;

/** The first runs, read afresh: a list that grows soon has others ahead of them. */
const readStart = async (target: CheckTarget, order: Order, count: number): Promise<SeenPage> => {
  const page = await readPage(target, runs, { limit: 10, order }, 'fresh');
  expectRecords(page, count);
  return page;
};

/** The page before the third run must be the two ahead of it. */
export async function* checkShortPage(
  target: CheckTarget,
  order: Order,
  limit: Limit = { limit: 10 },
): Findings {
  const start = await readStart(target, order, 3);
  const ahead = start.records.slice(0, 2);
  const page = await readPage(target, runs, { ...limit, before: start.records[2]?.id, order }, 'fresh');
  const [expected, all] = [ahead.map(({ id }) => id), idsOf(page)];
  const known = new Set(idsOf(start));
  const found = all.slice(
    Math.max(
      0,
      all.findIndex((id) => known.has(id)),
    ),
  ); // new runs come first
  const isSame = expected.toSorted().join() === found.toSorted().join();
  const isTied = ahead[0]?.created_at === ahead[1]?.created_at;
  if (!isSame || (!isTied && expected.join() !== found.join()))
    yield failedPage(page, formatIds(expected), formatIds(all), aboutPage(page));
}

/** The page before the last run of a large page may be any of those ahead of it, in list order. */
export async function* checkFarPage(
  target: CheckTarget,
  order: Order,
  limit: Limit = { limit: 3 },
): Findings {
  const walk = await walkLarge(target, runs, order);
  const last = walk.pages[0]?.records.at(-1)?.id;
  const placeOf = new Map(walk.records.map(({ id }, index) => [id, index]));
  const end = placeOf.get(last ?? '') ?? -1;
  if (last === undefined || end < 9) return;
  const page = await readPage(target, runs, { ...limit, before: last, order });
  const places = idsOf(page).map((id) => placeOf.get(id) ?? -1); // -1: a new run
  const isWrong = places.some((at, index) => at >= end || at < (places[index - 1] ?? -1));
  if (isWrong || places.length === 0)
    yield failedPage(page, `runs ahead of ${last}, in list order`, formatIds(idsOf(page)), aboutPage(page));
}

/** A page before the sixth run, with runs on both sides of it. */
const readMiddle = async (target: CheckTarget, order: Order): Promise<SeenPage> => {
  const start = await readStart(target, order, 6);
  return readPage(target, runs, { limit: 2, before: start.records[5]?.id, order });
};

async function* checkLimit(target: CheckTarget, _list: CheckedList, order: Order): Findings {
  const page = await readMiddle(target, order);
  if (page.records.length !== 2) yield failedPage(page, '2 records', String(page.records.length));
}

async function* checkHasMore(target: CheckTarget, _list: CheckedList, order: Order): Findings {
  const page = await readMiddle(target, order);
  if (page.records.length > 2)
    throw new NotCheckable('the page has all the runs before the cursor: see runs-limit-before.');
  yield* findFalse(page);
  yield* checkDefaultHasMore(target, order);
}

/** The same without limit, if there are enough runs to leave one ahead of the page. */
async function* checkDefaultHasMore(target: CheckTarget, order: Order): Findings {
  const before = (await walkLarge(target, runs, order)).records[runs.defaultLimit + 1]?.id;
  if (before === undefined) return;
  const page = await readPage(target, runs, { order, before });
  if (page.records.length === runs.defaultLimit) yield* findFalse(page);
}

function* findFalse(page: SeenPage): Generator<CheckFinding> {
  const expected = 'has_more true, since there are records on both sides';
  if (!page.hasMore) yield failedPage(page, expected, 'has_more false', aboutPage(page));
}

async function* checkBefore(target: CheckTarget): Findings {
  yield* inEachOrder(runs, (order) => checkShortPage(target, order));
  yield* inEachOrder(runs, (order) => checkFarPage(target, order));
}

export const beforeChecks = [
  ...toChecks(runs, runs.contract.section, {
    before: ['before=ID returns the page before that record, without it.', checkBefore],
  }),
  ...toChecks(runs, 'Limits', {
    'limit-before': ['limit is also the number of records on a page with before.', inOrders(checkLimit)],
  }),
  ...toChecks(runs, 'List envelope', {
    'before-has-more': [
      'With before, has_more is true if there are records on both sides of the page.',
      inOrders(checkHasMore),
    ],
  }),
];
