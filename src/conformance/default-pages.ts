// That a page without limit, as real clients ask for it, shows the records that belong there (contract: Limits).
import { checkFarPage, checkShortPage } from './before.ts';
import { broken, checkEach, type Finding, type Law, NotCheckable, type Target } from './check.ts';
import {
  idsOf,
  type ListParameters,
  type ListUnderLaw,
  lists,
  readHead,
  readPage,
  runs,
  type SeenPage,
  showIds,
} from './lists.ts';
import { expectRecords, firstOrder, type Order } from './walk.ts';

/** The orders in which a list can be asked for, one of which is not to name any. */
const ordersOf = (list: ListUnderLaw): readonly Order[] =>
  list === runs ? ['desc', 'asc', undefined] : [undefined];

/** What a finding is about: the parameters that were sent, such as `order=asc, after`. */
const aboutParameters = ({ order, ...cursors }: ListParameters): string =>
  [...(order === undefined ? [] : [`order=${order}`]), ...Object.keys(cursors)].join(', ') || 'no parameter';

/** The first page begins as the head of the list does, which was read just before. What is new since may stand ahead. */
async function* checkFirstPage(target: Target, head: SeenPage, order: Order): AsyncGenerator<Finding> {
  const { list } = head;
  const wanted = idsOf(head);
  const page = await readPage(target, list, { order }, 'fresh');
  const found = idsOf(page);
  const start = found.indexOf(wanted[0] ?? '');
  const ahead = found.slice(0, Math.max(0, start));
  const isSame = start >= 0 && isBeginning(found.slice(start), wanted);
  const later = ahead.length > 0 ? idsOf(await readHead(target, list, head.query.order, 'fresh')) : [];
  if (!isSame || ahead.some((id) => !later.includes(id)))
    yield broken(page.asked, showIds(wanted), showIds(found), aboutParameters({ order }));
}

/** The page behind the first record of the head. */
async function* checkPageAfter(target: Target, head: SeenPage, order: Order): AsyncGenerator<Finding> {
  expectRecords(head, 2);
  const [first = '', ...wanted] = idsOf(head);
  const page = await readPage(target, head.list, { order, after: first }, 'fresh');
  const found = idsOf(page);
  if (found.length === 0 || !isBeginning(found, wanted))
    yield broken(page.asked, showIds(wanted), showIds(found), aboutParameters({ order, after: first }));
}

/** Whether two lists agree as far as both go: how long a page is, other laws look at. */
const isBeginning = (found: readonly string[], wanted: readonly string[]): boolean => {
  const count = Math.min(found.length, wanted.length);
  return found.slice(0, count).join() === wanted.slice(0, count).join();
};

async function* checkPages(target: Target, list: ListUnderLaw, order: Order): AsyncGenerator<Finding> {
  const head = await readHead(target, list, order ?? firstOrder(list), 'fresh');
  if (head.records.length === 0) throw new NotCheckable('the list is empty.');
  const checks = [
    checkFirstPage(target, head, order),
    checkPageAfter(target, head, order),
    ...(list === runs ? [checkShortPage(target, order, {}), checkFarPage(target, order, {})] : []),
  ];
  yield* checkEach(checks, (check) => check);
}

export const defaultPageLaws: readonly Law[] = lists.map((list) => ({
  id: `${list.name}-default-page`,
  section: 'Limits',
  says: 'Without limit, a page has the records that belong there: from the beginning, or after or before another one, in the order asked for.',
  needs: list.needs,
  check: (target) => checkEach(ordersOf(list), (order) => checkPages(target, list, order)),
}));
