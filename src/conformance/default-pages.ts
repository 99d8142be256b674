// A page without limit, as real clients request it, has the right records (contract: Limits).
import { checkFarPage, checkShortPage } from './before.ts';
import { type CheckTarget, checkEach, type Findings, NotCheckable, toChecks } from './check.ts';
import {
  type CheckedList,
  formatIds,
  idsOf,
  lists,
  readHead,
  readPage,
  runs,
  type SeenPage,
} from './lists.ts';
import { aboutPage, expectRecords, failedPage, firstOrder, type Order } from './walk.ts';

/** The values of order that a list supports; undefined sends none. */
const ordersOf = (list: CheckedList): readonly Order[] =>
  list === runs ? ['desc', 'asc', undefined] : [undefined];

/** The first page must begin like the head of the list, which was just read; new records may come before. */
async function* checkFirstPage(target: CheckTarget, head: SeenPage, order: Order): Findings {
  const { list } = head;
  const wanted = idsOf(head);
  const page = await readPage(target, list, { order }, 'fresh');
  const found = idsOf(page);
  const start = found.indexOf(wanted[0] ?? '');
  const ahead = found.slice(0, Math.max(0, start));
  const isSame = start >= 0 && isBeginning(found.slice(start), wanted);
  const later = ahead.length > 0 ? idsOf(await readHead(target, list, head.query.order, 'fresh')) : [];
  if (!isSame || ahead.some((id) => !later.includes(id)))
    yield failedPage(page, formatIds(wanted), formatIds(found), aboutPage(page));
}

/** Checks the page after the first record. */
async function* checkPageAfter(target: CheckTarget, head: SeenPage, order: Order): Findings {
  expectRecords(head, 2);
  const [first = '', ...wanted] = idsOf(head);
  const page = await readPage(target, head.list, { order, after: first }, 'fresh');
  const found = idsOf(page);
  if (found.length === 0 || !isBeginning(found, wanted))
    yield failedPage(page, formatIds(wanted), formatIds(found), aboutPage(page));
}

/** Whether one list begins with the other. Other checks look at the length of pages. */
const isBeginning = (found: readonly string[], wanted: readonly string[]): boolean => {
  const count = Math.min(found.length, wanted.length);
  return found.slice(0, count).join() === wanted.slice(0, count).join();
};

async function* checkPages(target: CheckTarget, list: CheckedList, order: Order): Findings {
  const head = await readHead(target, list, order ?? firstOrder(list), 'fresh');
  if (head.records.length === 0) throw new NotCheckable('the list is empty.');
  const checks = [
    checkFirstPage(target, head, order),
    checkPageAfter(target, head, order),
    ...(list === runs ? [checkShortPage(target, order, {}), checkFarPage(target, order, {})] : []),
  ];
  yield* checkEach(checks, (check) => check);
}

export const defaultPageChecks = lists.flatMap((list) =>
  toChecks(list, 'Limits', {
    'default-page': [
      'Without limit, a page has the right records: the first ones, or those after or before a cursor, in the requested order.',
      (target) => checkEach(ordersOf(list), (order) => checkPages(target, list, order)),
    ],
  }),
);
