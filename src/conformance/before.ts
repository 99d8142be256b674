// The pages before a run (contract: Endpoints, 2). In which part of the runs ahead of it such a page lies is an assumption: before-page.
import { broken, type Finding, type Law, NotCheckable, type Target } from './check.ts';
import { idsOf, type ListParameters, readPage, runs, type SeenPage, showIds } from './lists.ts';
import { aboutOrder, expectRecords, inEachOrder, type Order, walkLarge } from './walk.ts';

type Limit = Pick<ListParameters, 'limit'>;

/** What a finding is about: the order, and that no limit was sent where none was. */
const aboutPage = (order: Order, { limit }: Limit): string | undefined =>
  limit === undefined ? [aboutOrder(order), 'before'].filter((part) => part).join(', ') : aboutOrder(order);

/** The first runs, as they are at the time: a list that grows has others ahead of them soon. */
const readStart = async (target: Target, order: Order, count: number): Promise<SeenPage> => {
  const page = await readPage(target, runs, { limit: 10, order }, 'fresh');
  expectRecords(page, count);
  return page;
};

/** The page before the third run: the two ahead of it. */
export async function* checkShortPage(
  target: Target,
  order: Order,
  limit: Limit = { limit: 10 },
): AsyncGenerator<Finding> {
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
  ); // what is new stands first
  const isSame = expected.toSorted().join() === found.toSorted().join();
  const isTied = ahead[0]?.created_at === ahead[1]?.created_at;
  if (!isSame || (!isTied && expected.join() !== found.join()))
    yield broken(page.asked, showIds(expected), showIds(all), aboutPage(order, limit));
}

/** The page before the last run of a large page: whichever of those ahead of it, in their order. */
export async function* checkFarPage(
  target: Target,
  order: Order,
  limit: Limit = { limit: 3 },
): AsyncGenerator<Finding> {
  const walk = await walkLarge(target, runs, order);
  const last = walk.pages[0]?.records.at(-1)?.id;
  const placeOf = new Map(walk.records.map(({ id }, index) => [id, index]));
  const end = placeOf.get(last ?? '') ?? -1;
  if (last === undefined || end < 9) return;
  const page = await readPage(target, runs, { ...limit, before: last, order });
  const places = idsOf(page).map((id) => placeOf.get(id) ?? -1); // a new one
  const isWrong = places.some((at, index) => at >= end || at < (places[index - 1] ?? -1));
  if (isWrong || places.length === 0)
    yield broken(
      page.asked,
      `runs ahead of ${last}, in their order`,
      showIds(idsOf(page)),
      aboutPage(order, limit),
    );
}

/** A page before the sixth run, with several ahead of the page and several behind it. */
const readMiddle = async (target: Target, order: Order): Promise<SeenPage> => {
  const start = await readStart(target, order, 6);
  return readPage(target, runs, { limit: 2, before: start.records[5]?.id, order });
};

async function* checkLimit(target: Target, order: Order): AsyncGenerator<Finding> {
  const page = await readMiddle(target, order);
  if (page.records.length !== 2)
    yield broken(page.asked, '2 records', String(page.records.length), aboutOrder(order));
}

async function* checkHasMore(target: Target, order: Order): AsyncGenerator<Finding> {
  const page = await readMiddle(target, order);
  if (page.records.length > 2)
    throw new NotCheckable('the page has all runs ahead of it: see runs-limit-before.');
  yield* findFalse(page, aboutOrder(order));
  yield* checkDefaultHasMore(target, order);
}

/** The same without limit, where there are enough runs: one is ahead of the page. */
async function* checkDefaultHasMore(target: Target, order: Order): AsyncGenerator<Finding> {
  const before = (await walkLarge(target, runs, order)).records[runs.defaultLimit + 1]?.id;
  if (before === undefined) return;
  const page = await readPage(target, runs, { order, before });
  if (page.records.length === runs.defaultLimit) yield* findFalse(page, aboutPage(order, {}));
}

function* findFalse({ asked, hasMore }: SeenPage, about: string | undefined): Generator<Finding> {
  if (!hasMore)
    yield broken(asked, 'has_more true, since records lie on both sides', 'has_more false', about);
}

const { section, needs } = runs;

export const beforeLaws: readonly Law[] = [
  {
    id: 'runs-before',
    section,
    says: 'before=ID returns the page before that record, without it.',
    needs,
    async *check(target) {
      yield* inEachOrder(runs, (order) => checkShortPage(target, order));
      yield* inEachOrder(runs, (order) => checkFarPage(target, order));
    },
  },
  {
    id: 'runs-limit-before',
    section: 'Limits',
    says: 'limit is the number of records on a page with before, too.',
    needs,
    check: (target) => inEachOrder(runs, (order) => checkLimit(target, order)),
  },
  {
    id: 'runs-before-has-more',
    section: 'List envelope',
    says: 'With before, has_more is true where records lie on both sides of the page.',
    needs,
    check: (target) => inEachOrder(runs, (order) => checkHasMore(target, order)),
  },
];
