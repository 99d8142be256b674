// That cursors lead through a list: no record twice, none missed, and an end.
import { broken, type Finding, type Law, NotCheckable, type Target } from './check.ts';
import {
  findMaxLimit,
  idsOf,
  type ListUnderLaw,
  lists,
  maxLimit,
  readPage,
  type SeenPage,
  showIds,
} from './lists.ts';
import {
  aboutOrder,
  expectRecords,
  inEachOrder,
  isWhole,
  type Order,
  type Walk,
  walkLarge,
  walkSmall,
} from './walk.ts';

/** How many of the borders between large pages are looked at. */
const maxBorders = 10;

/** The cursors to look behind: one in the middle of the first large page, and one ahead of each border between pages. */
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

/** The pages after some records, held against the large pages that show the same. */
async function* checkAfter(target: Target, list: ListUnderLaw, order: Order): AsyncGenerator<Finding> {
  const walk = await walkLarge(target, list, order);
  expectRecords(walk, 2);
  const ids = idsOf(walk);
  const known = new Set(ids);
  for (const at of chooseCursors(walk)) {
    const cursor = ids[at] ?? '';
    const page = await readPage(target, list, { limit: 3, after: cursor, order });
    const found = idsOf(page);
    const behind = ids.slice(at + 1);
    // Whether the page is as long as it should be is a check of its own, and what is new may stand behind all that was seen.
    const isLonger = found.length > behind.length && !found.slice(behind.length).some((id) => known.has(id));
    const expected = behind.slice(0, Math.max(found.length, 1));
    const seen = isLonger ? found.slice(0, behind.length) : found;
    if (found.includes(cursor))
      yield broken(page.asked, `a page without ${cursor} itself`, showIds(found), aboutOrder(order));
    else if (seen.join() !== expected.join())
      yield broken(page.asked, showIds(behind.slice(0, 3)), showIds(found), aboutOrder(order));
  }
}

/** Walks in small pages as real clients do, as long as has_more is true, and holds what they see against a large page. */
async function* checkWalk(target: Target, list: ListUnderLaw, order: Order): AsyncGenerator<Finding> {
  const large = await walkLarge(target, list, order);
  yield noteReach(large, order);
  yield* findLoop(large, order);
  const head = await readPage(target, list, { limit: await findMaxLimit(target, list), order }, 'fresh');
  expectRecords(head, 2);
  const walk = await walkSmall(target, list, order, head);
  yield* findLoop(walk, order);
  if (walk.end === 'repeated') return;

  const wanted = idsOf(head).slice(0, maxLimit);
  const [seen, last] = followHasMore(walk);
  const ahead = seen.slice(0, Math.max(0, seen.indexOf(wanted[0] ?? '')));
  const missed = wanted.filter((id) => !seen.includes(id));
  if (missed.length > 0 && walk.end === 'refused') throw new NotCheckable(walk.why);
  if (missed.length > 0)
    yield broken(
      last.asked,
      `pages that lead to all ${wanted.length} records`,
      `never ${showIds(missed)}`,
      aboutOrder(order),
    );
  else if (wanted.join() !== seen.slice(ahead.length, ahead.length + wanted.length).join())
    yield broken(last.asked, 'the records in the order of the large page', showIds(seen), aboutOrder(order));
  else if (ahead.length > 0) {
    // They are new, and the large page shows them by now; or it leaves them out.
    const again = await readPage(target, list, { limit: await findMaxLimit(target, list), order }, 'fresh');
    const left = ahead.filter((id) => !idsOf(again).includes(id));
    if (left.length > 0 && again.records.length > left.length)
      yield broken(
        again.asked,
        `a page that begins with ${showIds(left)}`,
        showIds(idsOf(again)),
        aboutOrder(order),
      );
  }
}

/** How far the list was read. */
const noteReach = (walk: Walk, order: Order): Finding => {
  const count = `${walk.records.length} records${order === undefined ? '' : ` in order ${order}`}`;
  return { kind: 'note', says: isWhole(walk) ? `read all ${count}.` : `read ${count}: ${walk.why}` };
};

/** A record that comes a second time where the page before it said that more follows. */
function* findLoop({ pages, repeated }: Walk, order: Order): Generator<Finding> {
  const [page, former] = [pages.at(-1), pages.at(-2)];
  if (repeated === undefined || page === undefined || former?.hasMore === false) return;
  yield broken(page.asked, 'records that were on no page before', `${repeated} again`, aboutOrder(order));
}

/** What a client sees that ends where has_more is false, and the page on which it ends. */
const followHasMore = ({ pages }: Walk): [ids: readonly string[], last: SeenPage] => {
  const end = pages.findIndex(({ hasMore }) => !hasMore);
  const followed = end === -1 ? pages : pages.slice(0, end + 1);
  return [followed.flatMap(idsOf), followed.at(-1) as SeenPage]; // a walk has a first page
};

/** What lies behind the last record, which a client finds that does not look at has_more. */
async function* checkEnd(target: Target, list: ListUnderLaw, order: Order): AsyncGenerator<Finding> {
  const walk = await walkLarge(target, list, order);
  expectRecords(walk, 1);
  const page = walk.pages.at(-1);
  if (page === undefined || walk.end === 'empty') return;
  if (walk.end !== 'repeated' || !isWhole(walk)) throw new NotCheckable(walk.why);
  yield broken(page.asked, 'an empty page', showIds(idsOf(page)), aboutOrder(order));
}

export const cursorLaws: readonly Law[] = lists.flatMap((list): Law[] => [
  {
    id: `${list.name}-after`,
    section: list.section,
    says: 'after=ID returns the page behind that record, without it.',
    needs: list.needs,
    check: (target) => inEachOrder(list, (order) => checkAfter(target, list, order)),
  },
  {
    id: `${list.name}-walk`,
    section: list.section,
    says: 'Small pages, one after the other, show what a large page shows: each record once.',
    needs: list.needs,
    check: (target) => inEachOrder(list, (order) => checkWalk(target, list, order)),
  },
  {
    id: `${list.name}-end`,
    section: list.section,
    says: 'Behind the last record there is an empty page, not the beginning of the list once more.',
    needs: list.needs,
    check: (target) => inEachOrder(list, (order) => checkEnd(target, list, order)),
  },
]);
