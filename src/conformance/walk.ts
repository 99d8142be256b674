// Reads a list from its first page to its end, once for all checks of that list.
import {
  type CheckFinding,
  type CheckTarget,
  checkEach,
  type Findings,
  failed,
  NotCheckable,
} from './check.ts';
import {
  type CheckedList,
  findMaxLimit,
  type ListParameters,
  maxLimit,
  readPage,
  runs,
  type SeenPage,
  type SeenRecord,
} from './lists.ts';

export type Order = ListParameters['order'];

/** The order that is read first, or the only one of a list without the parameter. */
export const firstOrder = (list: CheckedList): Order => (list === runs ? 'desc' : undefined);

/** The `about` of a finding that concerns one order. */
export const aboutOrder = (order: Order): string | undefined => order && `order=${order}`;

/** The `about` of a finding on a page that may have no limit: then the parameters that were sent, such as `order=asc, after`. */
export const aboutPage = ({ query: { limit, order, ...cursors } }: SeenPage): string | undefined => {
  if (limit !== undefined) return aboutOrder(order);
  return [aboutOrder(order) ?? [], Object.keys(cursors)].flat().join(', ') || 'no parameter';
};

/** A finding about a page. */
export const failedPage = (
  { request, query }: SeenPage,
  expected: string,
  actual: string,
  about = aboutOrder(query.order),
): CheckFinding => failed(request, expected, actual, about);

/** Runs a check in each order that a list supports. */
export const inEachOrder = (list: CheckedList, check: (order: Order) => Findings): Findings =>
  checkEach(list === runs ? [firstOrder(list), 'asc'] : [firstOrder(list)], check);

/** The same for a table of checks. */
export const inOrders =
  (check: (target: CheckTarget, list: CheckedList, order: Order) => Findings) =>
  (target: CheckTarget, list: CheckedList): Findings =>
    inEachOrder(list, (order) => check(target, list, order));

/** The pages and records read from a list. */
export interface Walk {
  readonly list: CheckedList;
  /** The call of its first page. */
  readonly request: string;
  /** In the order they were read. */
  readonly pages: readonly SeenPage[];
  /** Each record once, in list order. */
  readonly records: readonly SeenRecord[];
  /** Why reading stopped: an empty page, a repeated record, a growing list, the bound, or an invalid page. */
  readonly end: 'empty' | 'repeated' | 'growing' | 'bound' | 'refused';
  /** The same as a sentence, for checks that need the rest of the list. */
  readonly reason: string;
  /** The id of the repeated record. */
  readonly repeated?: string | undefined;
}

/** How much of each list is read, in each order. */
const maxPages = 50;
const maxRecords = maxPages * maxLimit;

/**
 * Reads a list with `after`, as real clients do. It goes on after a page with has_more false, to see whether that was
 * true.
 *
 * @throws NotCheckable if the first page cannot be read
 */
export const walkList = async (
  target: CheckTarget,
  list: CheckedList,
  query: Pick<ListParameters, 'limit' | 'order'>,
  { bound = maxPages, fresh }: { readonly bound?: number; readonly fresh?: 'fresh' | undefined } = {},
): Promise<Walk> => {
  const first = await readPage(target, list, query, fresh);
  const pages = [first];
  const records = new Map<string, SeenRecord>();
  let repeated: string | undefined;
  const finish = (end: Walk['end'], reason: string): Walk => ({
    list,
    request: first.request,
    pages,
    records: [...records.values()],
    end,
    reason,
    repeated,
  });
  for (;;) {
    const [page = first, former] = [pages.at(-1), pages.at(-2)];
    for (const record of page.records)
      if (records.has(record.id)) repeated ??= record.id;
      else records.set(record.id, record);
    if (page.records.length === 0) return finish('empty', 'the list ended.');
    if (repeated !== undefined) return finish('repeated', `${page.request} repeats ${repeated}.`);
    const isFull = page.records.length >= (query.limit ?? list.defaultLimit);
    if (former?.hasMore === false && !page.hasMore && !isFull)
      return finish('growing', 'the list grew while it was read.');
    if (pages.length === bound || records.size >= maxRecords)
      return finish('bound', `only the first ${pages.length} pages were read.`);
    try {
      pages.push(await readPage(target, list, { ...query, after: page.records.at(-1)?.id }));
    } catch (error) {
      if (!(error instanceof NotCheckable)) throw error;
      return finish('refused', error.message);
    }
  }
};

/** Reads a list in the largest pages that the target serves. */
export const walkLarge = async (
  target: CheckTarget,
  list: CheckedList,
  order: Order = firstOrder(list),
): Promise<Walk> => walkList(target, list, { limit: await findMaxLimit(target, list), order });

/** A limit that makes several pages with a full last one, if the count allows it: there has_more is easily wrong. */
const chooseLimit = (count: number): number => {
  const pages = [4, 3, 5, 6, 7, 8, 9, 10, 2].find((candidate) => count % candidate === 0) ?? 4;
  return Math.max(1, Math.ceil(count / pages));
};

/**
 * Reads the records of one large page in small pages, and a little further, since the list may have grown.
 *
 * @param head the large page, if it was just read; then the small pages are also read afresh
 */
export const walkSmall = async (
  target: CheckTarget,
  list: CheckedList,
  order: Order,
  head?: SeenPage,
): Promise<Walk> => {
  const [large = head] = head ? [head] : (await walkLarge(target, list, order)).pages;
  const count = Math.min(large?.records.length ?? 0, maxLimit);
  const limit = chooseLimit(count);
  const bound = Math.ceil(count / limit) + 2;
  return walkList(target, list, { limit, order }, { bound, fresh: head && 'fresh' });
};

/** Whether all records were read, if has_more is right. */
export const isWhole = ({ pages, end }: Walk): boolean => {
  const read = end === 'repeated' ? pages.slice(0, -1) : pages;
  return end === 'empty' || read.at(-1)?.hasMore === false;
};

/** @throws NotCheckable if there are fewer records */
export const expectRecords = ({ records }: { readonly records: readonly unknown[] }, count: number): void => {
  if (records.length < count)
    throw new NotCheckable(`the list has ${records.length} records; this check needs ${count}.`);
};
