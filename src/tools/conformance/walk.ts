// How pages of lists are read, and the walk over all of them.
import { isMapping, type Mapping } from '../../core/util/mapping.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { describeCall, NotCheckable, toUnchecked } from './check.ts';
import { type CheckedList, type ListQuery, listCall, maxLimit, type Order, ordersOf, runs } from './lists.ts';
import { fieldOf, readObject } from './replies.ts';
import type { CheckCall, CheckTarget } from './types.ts';

export type SeenRecord = Mapping & { readonly id: string };

/** The parts of a page that a walk needs. */
export interface ListPage {
  readonly records: readonly SeenRecord[];
  readonly hasMore: boolean;
  /** The whole body of the reply. */
  readonly envelope: Mapping;
}

/** One page of a list, and the call that returned it. */
export type SeenPage = Readonly<Awaited<ReturnType<typeof readPage>>>;

/** Reads a body as a page; undefined if it is none. As real clients do, it takes a missing has_more for true. */
export const toPage = (envelope: unknown): ListPage | undefined => {
  const data = fieldOf(envelope, 'data');
  return isMapping(envelope) && Array.isArray(data) && data.every(isSeenRecord)
    ? { records: data, hasMore: fieldOf(envelope, 'has_more') !== false, envelope }
    : undefined;
};

const isSeenRecord = (value: unknown): value is SeenRecord =>
  isMapping(value) && typeof fieldOf(value, 'id') === 'string' && fieldOf(value, 'id') !== '';

/**
 * Reads the pages of a list with `after`, as real clients do. Ends after a page without new records.
 * It ignores has_more: a caller that trusts it stops by itself.
 */
export async function* walkPages<Page extends ListPage>(
  read: (query: ListQuery) => Promise<Page>,
  query: ListQuery,
): AsyncGenerator<Page> {
  const ids = new Set<string>();
  for (let { after } = query; ; ) {
    const page = await read({ ...query, after });
    yield page;
    const size = ids.size;
    for (const { id } of page.records) ids.add(id);
    if (ids.size === size) return;
    after = page.records.at(-1)?.id;
  }
}

/**
 * @param more a change of the call, such as `{ fresh: true }` to send it again
 * @throws NotCheckable if the reply is not a page: the checks of envelope and ids report that
 */
export const readPage = async (
  target: CheckTarget,
  list: CheckedList,
  query: ListQuery = {},
  more: Partial<CheckCall> = {},
) => {
  const call: CheckCall = { ...listCall(list, target.samples, query), ...more };
  const request = describeCall(call);
  const page = toPage(await readObject(target, call));
  if (page === undefined || typeof page.envelope.has_more !== 'boolean')
    throw new NotCheckable(
      `${request} did not return a page of records with ids: see ${list.name}-envelope and ${list.name}-ids.`,
      'unreadable',
    );
  return { ...page, list, query, request };
};

/** The first page of the other thread (`--other-thread`). */
export const readOtherThread = (target: CheckTarget): Promise<SeenPage> =>
  readPage({ ...target, samples: { thread: target.samples.otherThread } }, runs);

/** The largest limit that the target accepts for a list; undefined if it accepts none. So a refused limit does not stop other checks. */
export const findMaxLimit = async (target: CheckTarget, list: CheckedList): Promise<number | undefined> => {
  for (const limit of [maxLimit, list.defaultLimit]) {
    const { status } = await target.call(listCall(list, target.samples, { limit }));
    if (status === 200) return limit;
  }
  return undefined;
};

/** A list as it was read from its start. */
export type Walk = Readonly<Awaited<ReturnType<typeof walkList>>>;

/** How much of each list is read, in each order. */
const maxPages = 20;
const maxRecords = maxPages * maxLimit;

/**
 * Reads a list to its end in the largest pages that the target serves. It continues after a page with has_more false, to
 * see whether that was true.
 *
 * @throws NotCheckable if the first page cannot be read
 */
export const walkList = async (target: CheckTarget, list: CheckedList, order: Order = ordersOf(list)[0]) => {
  const limit = await findMaxLimit(target, list);
  const pages: SeenPage[] = [];
  const records = new Map<string, SeenRecord>();
  let repeated: string | undefined;
  let reason = 'the list ended.';
  let isComplete = true;
  let failure: unknown;
  try {
    for await (const page of walkPages((query) => readPage(target, list, query), { limit, order })) {
      const former = pages.at(-1);
      pages.push(page);
      for (const record of page.records)
        if (records.has(record.id)) repeated ??= record.id;
        else records.set(record.id, record);
      isComplete = page.records.length === 0 || !page.hasMore || (former?.hasMore === false && !page.hasMore);
      if (repeated !== undefined) {
        isComplete = former?.hasMore === false;
        reason = `${page.request} repeats ${repeated}.`;
        break;
      }
      // Without this, a list that grows faster than it is read would have no end.
      const isFull = page.records.length >= (limit ?? list.defaultLimit);
      if (former?.hasMore === false && !page.hasMore && !isFull) break;
      if (pages.length === maxPages || records.size >= maxRecords) {
        reason = `only the first ${pages.length} pages were read.`;
        break;
      }
    }
  } catch (error) {
    if (pages.length === 0) throw error;
    toUnchecked(error);
    failure = error;
    isComplete = pages.at(-1)?.hasMore === false;
    reason = messageOf(error);
  }
  const [first] = pages;
  const ids = [...records.keys()];
  return {
    list,
    order,
    /** The call of its first page. */
    request: first?.request ?? '',
    pages,
    /** Each record once, in list order. */
    records: [...records.values()],
    ids,
    placeOf: new Map(ids.map((id, place) => [id, place])),
    /** Whether all records were read. */
    isComplete,
    /** Why reading stopped, as a sentence. */
    reason,
    /** Why a further page could not be read; undefined if all pages were read. */
    failure,
    /** The id of a repeated record; undefined if no record was repeated. */
    repeated,
  };
};

export const idsOf = ({ records }: Pick<ListPage, 'records'>): string[] => records.map(({ id }) => id);

/** Ids as text for reports. */
export const formatIds = (ids: readonly string[]): string => {
  if (ids.length === 0) return 'no records';
  const shown = ids.slice(0, 5).join(', ');
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
};

/** @throws NotCheckable if there are fewer records */
export const expectRecords = ({ records }: { readonly records: readonly unknown[] }, count: number): void => {
  if (records.length < count)
    throw new NotCheckable(`the list has ${records.length} records; this check needs ${count}.`);
};
