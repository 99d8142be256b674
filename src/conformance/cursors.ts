// That cursors and has_more lead through a list: no record twice, none missed, and an end.
import { broken, type Finding, type Law, NotCheckable, type Target } from './law.ts';
import {
  idsOf,
  type ListParameters,
  type ListUnderLaw,
  lists,
  readHead,
  readList,
  readPage,
  runs,
  type SeenPage,
  showIds,
} from './lists.ts';

type Order = ListParameters['order'];

/** The orders in which a list can be asked for. */
const ordersOf = (list: ListUnderLaw): readonly Order[] => (list === runs ? ['desc', 'asc'] : [undefined]);

const expectRecords = ({ records }: SeenPage, count: number): void => {
  if (records.length < count)
    throw new NotCheckable(`the list has ${records.length} records, and it takes ${count}.`);
};

/** The page after a record in the middle, held against the large page that shows them both. */
async function* checkAfter(target: Target, list: ListUnderLaw, order: Order): AsyncGenerator<Finding> {
  const head = await readHead(target, list, order);
  expectRecords(head, 2);
  const ids = idsOf(head);
  const at = Math.floor((ids.length - 1) / 2);
  const cursor = ids[at] ?? '';
  const page = await readPage(target, list, { limit: 3, after: cursor, order });
  const found = idsOf(page);
  const behind = ids.slice(at + 1);
  // Whether the page is as long as it should be is a law of its own.
  const expected = behind.slice(0, Math.max(found.length, 1));
  const isBeyondHead = head.hasMore && found.length > behind.length;
  const seen = isBeyondHead ? found.slice(0, behind.length) : found;
  if (found.includes(cursor)) yield broken(page.asked, `a page without ${cursor} itself`, showIds(found));
  else if (seen.join() !== expected.join())
    yield broken(page.asked, showIds(behind.slice(0, 3)), showIds(found));
}

/** Several pages of which the last is full, where the count allows that: there has_more is easily wrong. */
const chooseLimit = (count: number): number => {
  const pages = [4, 3, 5, 6, 7, 8, 9, 10, 2].find((candidate) => count % candidate === 0) ?? 4;
  return Math.ceil(count / pages);
};

/** Walks as real clients do: as long as has_more is true, with the id of the last record. */
async function* checkWalk(target: Target, list: ListUnderLaw): AsyncGenerator<Finding> {
  const head = await readHead(target, list);
  expectRecords(head, 2);
  const wanted = idsOf(head);
  const limit = chooseLimit(wanted.length);
  const known = new Set<string>();
  let page: SeenPage;
  let after: string | undefined;
  do {
    page = await readPage(target, list, { limit, after });
    const twice = idsOf(page).find((id) => known.has(id));
    if (twice !== undefined)
      return yield broken(page.asked, 'records that were on no page before', `${twice} again`);
    for (const id of idsOf(page)) known.add(id);
    if (page.records.length === 0) break;
    after = page.records.at(-1)?.id;
  } while (page.hasMore && known.size < wanted.length);

  const seen = [...known];
  const missed = wanted.filter((id) => !known.has(id));
  if (missed.length > 0)
    yield broken(page.asked, `pages that lead to all ${wanted.length} records`, `never ${showIds(missed)}`);
  else if (wanted.join() !== seen.slice(0, wanted.length).join())
    yield broken(page.asked, 'the records in the order of the large page', showIds(seen));
  else if (page.hasMore && !head.hasMore)
    yield broken(page.asked, 'has_more false with the last record', 'has_more true');
}

/** Whether has_more tells the truth on the first page, and on the last one when it is full. */
async function* checkHasMore(target: Target, list: ListUnderLaw): AsyncGenerator<Finding> {
  const { ids, isWhole } = await readList(target, list);
  const first = await readPage(target, list, { limit: 1 });
  yield* findLie(first, ids, isWhole);
  if (!isWhole)
    throw new NotCheckable(`the list has more than ${ids.length} records: its end was not looked for.`);
  if (ids.length < 2) return;
  yield* findLie(await readPage(target, list, { limit: 1, after: ids.at(-2) }), ids, isWhole);
}

function* findLie(page: SeenPage, ids: readonly string[], isWhole: boolean): Generator<Finding> {
  const last = idsOf(page).at(-1);
  if (last !== undefined && !ids.includes(last))
    throw new NotCheckable(`${page.asked} shows a record that the list does not have: ${last}.`);
  const left = last === undefined ? [] : ids.slice(ids.indexOf(last) + 1);
  const hasMore = left.length > 0 || !isWhole;
  if (page.hasMore === hasMore) return;
  const expected = hasMore ? `true, since there follow ${showIds(left)}` : 'false, since nothing follows';
  yield broken(page.asked, `has_more ${expected}`, `has_more ${page.hasMore}`);
}

/** The page before the third record: the two ahead of it, in whatever way a larger limit is filled. */
async function* checkBefore(target: Target, order: 'asc' | 'desc'): AsyncGenerator<Finding> {
  const head = await readHead(target, runs, order);
  expectRecords(head, 3);
  const ahead = head.records.slice(0, 2);
  const page = await readPage(target, runs, { limit: 10, before: idsOf(head)[2], order });
  const [expected, found] = [ahead.map(({ id }) => id), idsOf(page)];
  const isSame = expected.toSorted().join() === found.toSorted().join();
  const isTied = ahead[0]?.created_at === ahead[1]?.created_at;
  if (!isSame || (!isTied && expected.join() !== found.join()))
    yield broken(page.asked, showIds(expected), showIds(found));
}

export const cursorLaws: readonly Law[] = [
  ...lists.flatMap((list): Law[] => [
    {
      id: `${list.name}-after`,
      section: list.section,
      says: 'after=ID returns the page behind that record, without it.',
      needs: list.needs,
      async *check(target) {
        for (const order of ordersOf(list)) yield* checkAfter(target, list, order);
      },
    },
    {
      id: `${list.name}-walk`,
      section: list.section,
      says: 'Small pages, one after the other, show what a large page shows: each record once, and they end.',
      needs: list.needs,
      check: (target) => checkWalk(target, list),
    },
    {
      id: `${list.name}-has-more`,
      section: 'List envelope',
      says: 'has_more is true where records follow, and false where none do.',
      needs: list.needs,
      check: (target) => checkHasMore(target, list),
    },
  ]),
  {
    id: 'runs-before',
    section: runs.section,
    says: 'before=ID returns the page before that record, without it.',
    needs: runs.needs,
    async *check(target) {
      for (const order of ['desc', 'asc'] as const) yield* checkBefore(target, order);
    },
  },
];
