// Pages of lists: the right records, as many as requested, and has_more (contract: Endpoints 2 to 4, List envelope, Limits).
import { checkEach, type Findings, failed, NotCheckable, toChecks, toUnchecked } from '../check.ts';
import { type Aspect, comparePage } from '../compare-page.ts';
import { type CheckedList, type ListQuery, listCall, lists, maxLimit, ordersOf, runs } from '../lists.ts';
import { fieldOf, itemsOf, parseReply, tryCall } from '../replies.ts';
import type { Check, CheckFinding, CheckTarget } from '../types.ts';
import type { SeenPage, Walk } from '../walk.ts';
import {
  expectRecords,
  findMaxLimit,
  formatIds,
  idsOf,
  readOtherThread,
  readPage,
  walkList,
  walkPages,
} from '../walk.ts';
import { checkDefaultOrder, checkOrders, watchLost } from './order.ts';

/** How many borders between large pages are checked, and how many large pages are read again. */
const maxBorders = 10;

/** The queries whose cursor exists: a short list lacks some of the records to use as cursors. */
const withCursor = (queries: readonly ListQuery[]): readonly ListQuery[] =>
  queries.filter(({ after, before }) => after !== undefined || before !== undefined);

/** The single pages that are compared with the walk. `max` is the largest limit that is served. */
const pagesOf = ({ ids, pages, isComplete, list, order }: Walk, max: number) => {
  const { length } = ids;
  const borders = ids.flatMap((_, at) => ((at + 2) % maxLimit === 0 && at + 2 < length ? [at] : []));
  const step = (count: number): number => Math.ceil(count / maxBorders);
  const middle = Math.floor(((pages[0]?.records.length ?? 0) - 1) / 2);
  const inside = [middle, ...borders.filter((_, index) => index % step(borders.length) === 0)];
  const fromEnd = (place: number) => (isComplete ? ids.at(place) : undefined);
  const cursors: ListQuery[] = length > 1 ? [{ after: ids[0] }, { before: ids[1] }] : [];
  return {
    // The smallest and largest sizes, and some between: some gateways have their own largest size.
    first: [1, 3, Math.min(37, length - 1), 50, 73, max]
      .filter((limit, at) => at < 2 || limit === max || (limit > 3 && limit < Math.min(length, max)))
      .map((limit) => ({ limit })),
    // The pages after some records: the middle of the first large page, and before each border between pages.
    after: withCursor(inside.map((at) => ({ limit: 3, after: ids[at] }))),
    // The pages whose has_more and cursors are easily wrong: the last two records, and nothing after them.
    last: withCursor([
      ...[1, 2, undefined].map((limit) => ({ limit, after: fromEnd(-2) })),
      ...[1, max].map((limit) => ({ limit, after: fromEnd(-3) })),
    ]),
    end: withCursor([1, max, undefined].map((limit) => ({ limit, after: fromEnd(-1) }))),
    before: withCursor([
      ...[0, 2].map((at) => ({ limit: 10, before: ids[at] })),
      { limit: 2, before: ids[5] },
      { limit: 1, before: ids[1] },
      ...[ids.slice(0, max).at(-1), ids.at(-1)].map((id) => ({ limit: 3, before: id })),
    ]),
    defaultBefore: withCursor(
      [0, 2, list.defaultLimit + 1, Math.min(length, max) - 1].map((at) => ({ before: ids[at] })),
    ),
    // Pages without limit, after the first record; and pages without order, compared with the walk in the default order.
    bare: [
      ...cursors.slice(0, 1),
      ...(list === runs && order === ordersOf(list)[0]
        ? [{}, { limit: 3 }, ...cursors].map((query) => ({ ...query, order: undefined }))
        : []),
    ],
    // The pages of the walk itself, read again, since the list may have grown: some gateways cut only large pages.
    large: pages
      .filter((_, index) => index % step(pages.length) === 0)
      .map(({ query: { limit, after } }) => ({ limit, after })),
  } satisfies Record<string, readonly ListQuery[]>;
};

/** Reads a list in pages of one size, and the end of a list that is longer than that. */
async function* walkSmall(target: CheckTarget, { list, order, ids }: Walk, limit: number | undefined) {
  const size = limit ?? list.defaultLimit;
  // Most lists are read to their end.
  const bound = size === 1 ? 30 : ids.length > 500 ? 10 : 25;
  const isLonger = size > 1 && ids.length > size * bound;
  for (const after of isLonger ? [undefined, ids.at(-3 * size)] : [undefined]) {
    let count = 0;
    for await (const page of walkPages((query) => readPage(target, list, query), { limit, order, after })) {
      yield page;
      count += 1;
      if (count === bound) break;
    }
  }
}

/** Pages by name, and walks by the size of their pages. */
type Pages = keyof ReturnType<typeof pagesOf> | 1 | 20 | 25 | 'default';

/** Reads pages. If one cannot be read, the others still are. */
async function* readPages(target: CheckTarget, walk: Walk, name: Pages): AsyncGenerator<SeenPage> {
  const { list, order } = walk;
  if (typeof name === 'number' || name === 'default')
    return yield* walkSmall(target, walk, name === 'default' ? undefined : name);
  const max = (await findMaxLimit(target, list)) ?? list.defaultLimit;
  let failure: unknown;
  for (const query of pagesOf(walk, max)[name])
    try {
      yield await readPage(target, list, { order, ...query }, name === 'large' ? { fresh: true } : {});
    } catch (error) {
      toUnchecked(error); // rethrows other errors
      failure ??= error;
    }
  if (failure !== undefined) throw failure;
}

/** The `about` of a finding on a page: its order and cursor, and the missing limit. The same in every run. */
const aboutPage = ({ query: { limit, order, after, before } }: SeenPage): string | undefined => {
  const parts = [
    order && `order=${order}`,
    after !== undefined && 'after',
    before !== undefined && 'before',
    limit === undefined && 'no limit',
    limit === 1 && 'limit=1',
  ];
  return parts.filter(Boolean).join(', ') || undefined;
};

const failedPage = (page: SeenPage, expected: string, actual: string): CheckFinding =>
  failed(page.request, expected, actual, aboutPage(page));

/** Runs a check for the walk of each order that the list has. */
const inEachOrder =
  (check: (walk: Walk, target: CheckTarget) => AsyncIterable<CheckFinding>) =>
  (target: CheckTarget, list: CheckedList): Findings =>
    checkEach(ordersOf(list), async function* (order) {
      yield* check(await walkList(target, list, order), target);
    });

const compares = (count: number, aspects: readonly Aspect[], ...names: readonly Pages[]) =>
  inEachOrder(async function* (walk, target) {
    yield* checkEach(names, async function* (name) {
      for await (const page of readPages(target, walk, name))
        for await (const { aspect, expected, actual } of comparePage(target, page, walk))
          if (aspects.includes(aspect)) yield failedPage(page, expected, actual);
    });
    expectRecords(walk, count);
  });

/** Finds a repeated record after has_more true, and a list that could not be read to its end. */
const checkWalk = inEachOrder(async function* (walk) {
  const { ids, order, isComplete, reason, failure, pages, repeated } = walk;
  if (failure !== undefined) yield toUnchecked(failure);
  const count = `${ids.length} records${order === undefined ? '' : ` in order ${order}`}`;
  yield { kind: 'note', message: isComplete ? `read all ${count}.` : `read ${count}: ${reason}` };
  const [former, last] = pages.slice(-2);
  if (repeated !== undefined && last !== undefined && former?.hasMore)
    yield failedPage(last, 'records that were not on earlier pages', `${repeated} again`);
});

async function* checkSmallPages(target: CheckTarget, list: CheckedList): Findings {
  yield* checkWalk(target, list);
  yield* compares(2, ['records'], 1, 20, 25)(target, list);
}

/** The page after the last record must be empty: it must not start the list again, or have earlier records. */
const checkEnd = inEachOrder(async function* (walk, target) {
  expectRecords(walk, 1);
  if (!walk.isComplete) throw new NotCheckable(walk.reason);
  for await (const page of readPages(target, walk, 'end')) {
    const repeatedIds = idsOf(page).filter((id) => walk.placeOf.has(id));
    if (repeatedIds.length > 0) yield failedPage(page, 'an empty page', formatIds(repeatedIds));
  }
});

/** Each check, with the pages that it compares and the aspects that it looks at. */
const ofList = (list: CheckedList): Check[] => {
  const { section } = list.contract;
  const before: readonly Pages[] = list === runs ? ['defaultBefore'] : [];
  return [
    ...toChecks(list, 'Limits', {
      limit: [
        'limit is the number of records on the first page, if the list has as many, and they are its first ones.',
        compares(1, ['count', 'records'], 'first'),
      ],
      'limit-after': [
        'limit is also the number of records on a page with after.',
        compares(2, ['count'], 'after', 1, 20, 25, 'last', 'large'),
      ],
      'default-limit': [
        `Without limit, a page has ${list.defaultLimit} records, if there are as many, with any other parameters.`,
        compares(list.defaultLimit + 1, ['count'], 'default', 'bare', ...before),
      ],
      'default-page': [
        'Without limit, a page has the right records: the first ones, or those after or before a cursor, in the requested order.',
        compares(1, ['records'], 'default', 'bare', ...before),
      ],
    }),
    ...toChecks(list, section, {
      after: [
        'after=ID returns the page after that record, without it.',
        compares(2, ['records'], 'after', 'last'),
      ],
      walk: [
        'Reading small pages in turn returns each record of the list once, to its end.',
        checkSmallPages,
      ],
      end: ['The page after the last record is empty; the list does not start again.', checkEnd],
      'none-lost': [
        'No page skips a record: if an earlier and a later page show a record between two others, each page with those two has it.',
        async (target) => expectRecords(await walkList(target, list), 3), // the watch reports what is lost
        () => watchLost(list),
      ],
    }),
    ...toChecks(list, 'List envelope', {
      'has-more': [
        'has_more is true if records follow, and false if none do.',
        compares(1, ['has_more'], 'first', 'large', 1, 20, 25, 'default', 'last', 'end'),
      ],
    }),
  ];
};

/** The contract does not state what a cursor of another list returns, so only records of that list are a failure. */
async function* checkOtherCursor(target: CheckTarget): Findings {
  const others = await readOtherThread(target);
  expectRecords(others, 1);
  const [other] = idsOf(others);
  for (const name of ['after', 'before']) {
    const call = { ...listCall(runs, target.samples, { [name]: other }), fresh: true } as const;
    const page = parseReply(await tryCall(target, call));
    const strangers = itemsOf(page, 'data')
      .filter((record) => fieldOf(record, 'thread_id') === target.samples.otherThread)
      .map((record) => String(fieldOf(record, 'id')));
    if (strangers.length > 0) yield failed(call, 'no run of another thread', formatIds(strangers), name);
  }
}

/** The parameters that only runs have. */
const ofRuns = toChecks(runs, runs.contract.section, {
  order: ['order=asc and order=desc sort by created_at, and return the same runs.', checkOrders],
  'default-order': ['Without order, the runs are sorted desc.', checkDefaultOrder],
  before: ['before=ID returns the page before that record, without it.', compares(3, ['records'], 'before')],
  'limit-before': [
    'limit is also the number of records on a page with before.',
    compares(6, ['count'], 'before'),
  ],
  'before-has-more': [
    'With before, has_more is true if there are records on both sides of the page.',
    compares(6, ['has_more'], 'before', 'defaultBefore'),
  ],
});

const ofThreads = toChecks({ name: 'runs', needs: [...runs.needs, 'otherThread'] }, runs.contract.section, {
  'other-cursor': ['With a cursor of another thread, no page has runs of that thread.', checkOtherCursor],
});

export const pageChecks = [...lists.flatMap(ofList), ...ofRuns, ...ofThreads];
