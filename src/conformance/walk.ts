// How a list is read from its first page to its end: once, for all checks that look at it.
import { checkEach, type Finding, NotCheckable, type Target } from './check.ts';
import {
  findMaxLimit,
  type ListParameters,
  type ListUnderLaw,
  maxLimit,
  readPage,
  runs,
  type SeenPage,
  type SeenRecord,
} from './lists.ts';

export type Order = ListParameters['order'];

/** The order in which all lists are read that can be read in one alone. */
export const firstOrder = (list: ListUnderLaw): Order => (list === runs ? 'desc' : undefined);

/** What a finding is about that concerns one order. */
export const aboutOrder = (order: Order): string | undefined => order && `order=${order}`;

/** Runs a check in each order in which a list can be asked for. */
export const inEachOrder = (
  list: ListUnderLaw,
  check: (order: Order) => AsyncIterable<Finding>,
): AsyncIterable<Finding> => checkEach(list === runs ? [firstOrder(list), 'asc'] : [firstOrder(list)], check);

/** What was seen on the way through a list. */
export interface Walk {
  readonly list: ListUnderLaw;
  /** The call of its first page. */
  readonly asked: string;
  /** In the order in which they were read. */
  readonly pages: readonly SeenPage[];
  /** Each record once, in the order of the list. */
  readonly records: readonly SeenRecord[];
  /** How it ended: by an empty page, a record for the second time, a list that grows, its bound, or a page that is none. */
  readonly end: 'empty' | 'repeated' | 'growing' | 'bound' | 'refused';
  /** The end in words, for what cannot be checked without the rest. */
  readonly why: string;
  /** The record that came for the second time. */
  readonly repeated?: string | undefined;
}

/** How far each list is read, in each order. */
const maxPages = 50;
const maxRecords = maxPages * maxLimit;

/**
 * Reads a list by `after`, as real clients do, and on behind a page whose has_more is false: what lies there is what such
 * a page denies.
 *
 * @throws NotCheckable where there is no first page
 */
export const walkList = async (
  target: Target,
  list: ListUnderLaw,
  query: Pick<ListParameters, 'limit' | 'order'>,
  { bound = maxPages, fresh }: { readonly bound?: number; readonly fresh?: 'fresh' | undefined } = {},
): Promise<Walk> => {
  const first = await readPage(target, list, query, fresh);
  const pages = [first];
  const records = new Map<string, SeenRecord>();
  let repeated: string | undefined;
  const finish = (end: Walk['end'], why: string): Walk => ({
    list,
    asked: first.asked,
    pages,
    records: [...records.values()],
    end,
    why,
    repeated,
  });
  for (;;) {
    const [page = first, former] = [pages.at(-1), pages.at(-2)];
    for (const record of page.records)
      if (records.has(record.id)) repeated ??= record.id;
      else records.set(record.id, record);
    if (page.records.length === 0) return finish('empty', 'the list ends.');
    if (repeated !== undefined) return finish('repeated', `${page.asked} shows ${repeated} again.`);
    const isFull = page.records.length >= (query.limit ?? list.defaultLimit);
    if (former?.hasMore === false && !page.hasMore && !isFull)
      return finish('growing', 'the list grows while it is read.');
    if (pages.length === bound || records.size >= maxRecords)
      return finish('bound', `what lies behind the first ${pages.length} pages was not looked at.`);
    try {
      pages.push(await readPage(target, list, { ...query, after: page.records.at(-1)?.id }));
    } catch (error) {
      if (!(error instanceof NotCheckable)) throw error;
      return finish('refused', error.message);
    }
  }
};

/** Walks through a list in pages as large as they may be. */
export const walkLarge = async (
  target: Target,
  list: ListUnderLaw,
  order: Order = firstOrder(list),
): Promise<Walk> => walkList(target, list, { limit: await findMaxLimit(target, list), order });

/** Several pages of which the last is full, where the count allows that: there has_more is easily wrong. */
const chooseLimit = (count: number): number => {
  const pages = [4, 3, 5, 6, 7, 8, 9, 10, 2].find((candidate) => count % candidate === 0) ?? 4;
  return Math.max(1, Math.ceil(count / pages));
};

/**
 * Walks in small pages through what one large page shows, and a little further: it may have grown meanwhile.
 *
 * @param head the large page, if it was just read; then the small ones are read anew, too
 */
export const walkSmall = async (
  target: Target,
  list: ListUnderLaw,
  order: Order,
  head?: SeenPage,
): Promise<Walk> => {
  const [large = head] = head ? [head] : (await walkLarge(target, list, order)).pages;
  const count = Math.min(large?.records.length ?? 0, maxLimit);
  const limit = chooseLimit(count);
  const bound = Math.ceil(count / limit) + 2;
  return walkList(target, list, { limit, order }, { bound, fresh: head && 'fresh' });
};

/** Whether all records were seen, as far as has_more can be believed. */
export const isWhole = ({ pages, end }: Walk): boolean => {
  const read = end === 'repeated' ? pages.slice(0, -1) : pages;
  return end === 'empty' || read.at(-1)?.hasMore === false;
};

/** @throws NotCheckable where there are fewer records */
export const expectRecords = ({ records }: { readonly records: readonly unknown[] }, count: number): void => {
  if (records.length < count)
    throw new NotCheckable(`the list has ${records.length} records, and it takes ${count}.`);
};
