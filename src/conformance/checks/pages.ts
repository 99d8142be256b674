// Pages of lists: the right records, as many as requested, and has_more (contract: Endpoints 2 to 4, List envelope, Limits).
import {
  type Check,
  type CheckCall,
  type CheckFinding,
  type CheckTarget,
  checkEach,
  type Findings,
  failed,
  NotCheckable,
  toChecks,
} from '../check.ts';
import { type Aspect, comparePage } from '../compare-page.ts';
import {
  type CheckedList,
  expectRecords,
  findMaxLimit,
  type ListQuery,
  lists,
  maxLimit,
  type Order,
  ordersOf,
  readPage,
  runs,
  type SeenPage,
  type Walk,
  walkList,
  walkPages,
} from '../lists.ts';

/** Pages to compare with the walk of the same order. */
type Pages = (target: CheckTarget, walk: Walk) => AsyncIterable<SeenPage>;

/** Single pages. One that cannot be read does not stop the others. */
const readEach = (
  chooseQueries: (walk: Walk, max: number) => readonly ListQuery[],
  more: Partial<CheckCall> = {},
): Pages =>
  async function* (target, walk) {
    const { list, order } = walk;
    const max = (await findMaxLimit(target, list)) ?? list.defaultLimit;
    const failures: NotCheckable[] = [];
    for (const query of chooseQueries(walk, max))
      try {
        yield await readPage(target, list, { order, ...query }, more);
      } catch (error) {
        if (!(error instanceof NotCheckable)) throw error;
        failures.push(error);
      }
    if (failures[0] !== undefined) throw failures[0];
  };

/** First pages of the smallest and largest sizes, and some between: some gateways limit pages to a size of their own. */
const firstPages = readEach(({ ids: { length } }, max) =>
  [1, 3, Math.min(37, length - 1), 73, max]
    .filter((limit, at) => at < 2 || limit === max || (limit > 3 && limit < Math.min(length, max)))
    .map((limit) => ({ limit })),
);

/** How many borders between large pages are checked. */
const maxBorders = 10;

/** The pages after some records: the middle of the first large page, and before each border between pages. */
const pagesAfter = readEach(({ pages, ids }) => {
  const middle = Math.floor(((pages[0]?.records.length ?? 0) - 1) / 2);
  const borders = ids.flatMap((_, at) => ((at + 2) % maxLimit === 0 && at + 2 < ids.length ? [at] : []));
  const step = Math.ceil(borders.length / maxBorders);
  return [middle, ...borders.filter((_, index) => index % step === 0)]
    .filter((at) => at >= 0)
    .map((at) => ({ limit: 3, after: ids[at] }));
});

/** Where has_more and cursors are easily wrong: the last two records, and nothing after them. */
const lastPages = readEach(({ ids, isWhole }, max) =>
  isWhole
    ? [
        ...[1, 2, undefined].map((limit) => ({ limit, after: ids.at(-2) })),
        ...[1, max].map((limit) => ({ limit, after: ids.at(-3) })),
      ].filter(({ after }) => after !== undefined)
    : [],
);

const pagesPastEnd = readEach(({ ids, isWhole }, max) =>
  isWhole && ids.length > 0 ? [1, max, undefined].map((limit) => ({ limit, after: ids.at(-1) })) : [],
);

/** How far lists are read in small pages: to the end of most. */
const maxSmallPages = 25;

/** Reads a list in pages of one size, and the end of a list that is longer than that. */
const walkSmall = (limit: number | undefined, bound = maxSmallPages): Pages =>
  async function* (target, walk) {
    const { list, order, ids } = walk;
    const size = limit ?? list.defaultLimit;
    const read = (query: ListQuery): Promise<SeenPage> => readPage(target, list, query);
    const starts =
      ids.length > size * bound && bound === maxSmallPages ? [undefined, ids.at(-3 * size)] : [undefined];
    for (const after of starts) {
      let count = 0;
      for await (const page of walkPages(read, { limit, order, after })) {
        yield page;
        count += 1;
        if (count === bound) break;
      }
    }
  };

const smallWalks = [walkSmall(1, 30), walkSmall(20), walkSmall(25)];
const defaultWalk = walkSmall(undefined);

/** The pages of the walk itself, read again, as the list may have grown since: some gateways cut only large ones. */
const largePages = readEach(({ pages }) => pages.map(({ query: { limit, after } }) => ({ limit, after })), {
  fresh: true,
});

const pagesBefore = readEach(({ ids }, max) =>
  [
    ...[0, 2].map((at) => ({ limit: 10, before: ids[at] })),
    { limit: 2, before: ids[5] },
    { limit: 1, before: ids[1] },
    { limit: 3, before: ids.slice(0, max).at(-1) },
  ].filter(({ before }) => before !== undefined),
);

const defaultPagesBefore = readEach(({ ids, list }, max) =>
  [0, 2, list.defaultLimit + 1, Math.min(ids.length, max) - 1].flatMap((at) =>
    ids[at] === undefined ? [] : [{ before: ids[at] }],
  ),
);

/** Pages without limit behind the first record, and pages without order, which is the first one. */
const defaultPages = readEach(({ ids, order, list }) => {
  const cursors = ids.length > 1 ? [{ after: ids[0] }, { before: ids[1] }] : [];
  const bare = [{ limit: undefined }, { limit: 3 }, ...cursors].map((query) => ({
    ...query,
    order: undefined,
  }));
  return [...cursors.slice(0, 1), ...(list === runs && order === ordersOf(list)[0] ? bare : [])];
});

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

/** Compares pages with the walk, in each order that the list has. */
const comparePages =
  (count: number, aspects: readonly Aspect[], ...compared: readonly Pages[]) =>
  (target: CheckTarget, list: CheckedList): Findings =>
    checkEach(ordersOf(list), async function* (order) {
      const walk = await walkList(target, list, order);
      yield* checkEach(compared, async function* (pages) {
        for await (const page of pages(target, walk))
          for await (const { aspect, expected, actual } of comparePage(target, page, walk))
            if (aspects.includes(aspect)) yield failedPage(page, expected, actual);
      });
      expectRecords(walk, count);
    });

/** The repetition of a record although has_more was true. */
async function* findLoops(target: CheckTarget, list: CheckedList): Findings {
  yield* checkEach(ordersOf(list), async function* (order: Order) {
    const walk = await walkList(target, list, order);
    const count = `${walk.ids.length} records${order === undefined ? '' : ` in order ${order}`}`;
    yield { kind: 'note', message: walk.isWhole ? `read all ${count}.` : `read ${count}: ${walk.reason}` };
    const [former, last] = walk.pages.slice(-2);
    if (walk.repeated !== undefined && last !== undefined && former?.hasMore)
      yield failedPage(last, 'records that were not on earlier pages', `${walk.repeated} again`);
  });
}

async function* checkWalk(target: CheckTarget, list: CheckedList): Findings {
  yield* findLoops(target, list);
  yield* comparePages(2, ['records'], ...smallWalks)(target, list);
}

/** The page after the last record must be empty: neither the list again, nor a record that is not behind it. */
async function* checkEnd(target: CheckTarget, list: CheckedList): Findings {
  yield* checkEach(ordersOf(list), async function* (order) {
    const walk = await walkList(target, list, order);
    expectRecords(walk, 1);
    if (!walk.isWhole) throw new NotCheckable(walk.reason);
    for await (const page of pagesPastEnd(target, walk)) {
      const known = page.records.map(({ id }) => id).filter((id) => walk.placeOf.has(id));
      if (known.length > 0) yield failedPage(page, 'an empty page', known.slice(0, 5).join(', '));
    }
  });
}

/** Each check with the pages that it compares, and what of them it looks at. */
const ofList = (list: CheckedList): Check[] => [
  ...toChecks(list, 'Limits', {
    limit: [
      'limit is the number of records on the first page, if the list has as many, and they are its first ones.',
      comparePages(1, ['count', 'records'], firstPages),
    ],
    'limit-after': [
      'limit is also the number of records on a page with after.',
      comparePages(2, ['count'], pagesAfter, ...smallWalks, lastPages, largePages),
    ],
    'default-limit': [
      `Without limit, a page has ${list.defaultLimit} records, if there are as many, with any other parameters.`,
      comparePages(
        list.defaultLimit + 1,
        ['count'],
        defaultWalk,
        defaultPages,
        ...(list === runs ? [defaultPagesBefore] : []),
      ),
    ],
    'default-page': [
      'Without limit, a page has the right records: the first ones, or those after or before a cursor, in the requested order.',
      comparePages(1, ['records'], defaultWalk, defaultPages, ...(list === runs ? [defaultPagesBefore] : [])),
    ],
  }),
  ...toChecks(list, list.contract.section, {
    after: [
      'after=ID returns the page after that record, without it.',
      comparePages(2, ['records'], pagesAfter, lastPages),
    ],
    walk: ['Reading small pages in turn returns each record of the list once, to its end.', checkWalk],
    end: ['The page after the last record is empty; the list does not start again.', checkEnd],
  }),
  ...toChecks(list, 'List envelope', {
    'has-more': [
      'has_more is true if records follow, and false if none do.',
      comparePages(
        1,
        ['has_more'],
        firstPages,
        largePages,
        ...smallWalks,
        defaultWalk,
        lastPages,
        pagesPastEnd,
      ),
    ],
  }),
];

const ofBefore = [
  ...toChecks(runs, runs.contract.section, {
    before: [
      'before=ID returns the page before that record, without it.',
      comparePages(3, ['records'], pagesBefore),
    ],
  }),
  ...toChecks(runs, 'Limits', {
    'limit-before': [
      'limit is also the number of records on a page with before.',
      comparePages(6, ['count'], pagesBefore),
    ],
  }),
  ...toChecks(runs, 'List envelope', {
    'before-has-more': [
      'With before, has_more is true if there are records on both sides of the page.',
      comparePages(6, ['has_more'], pagesBefore, defaultPagesBefore),
    ],
  }),
];

export const pageChecks = [...lists.flatMap(ofList), ...ofBefore];
