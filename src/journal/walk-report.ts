import type { ListId } from '../operations/ids.ts';
import { didYouMean } from '../util/nearest.ts';
import { endSentence } from '../util/sentence.ts';
import { type AnyOperation, isList, ownerIn } from '../world/operation.ts';
import type { World } from '../world/world.ts';
import { refuseIfDropped } from './dropped-requests.ts';
import { type Entry, queryOf, toRecordedRequest } from './entry.ts';
import { findUnknownParams } from './filter.ts';
import type { Journal } from './journal.ts';

/** How a client walked the pages of a list, compared with the records that the list has now. */
export interface WalkReport {
  /** The number of calls, including those that failed. */
  readonly calls: number;
  /** Whether the client reached the last page and requested nothing after it. */
  readonly stopped: boolean;
  /** Whether it saw each record of the list exactly once. */
  readonly exactlyOnce: boolean;
  /** The number of different records that it saw. */
  readonly records: number;
  /** The ids of records of the list that it did not see, newest first. */
  readonly missed: readonly string[];
  /** The ids of records that it saw more than once. */
  readonly repeated: readonly string[];
  /** The lines of the faults that acted on its calls. */
  readonly faults: readonly string[];
}

/**
 * Reports on a walk by the calls that were made.
 *
 * @param listed the ids that the list has now
 * @param seen the ids that the client collected. Default: those on all pages except pages that it requested again
 */
export const checkWalk = (
  entries: readonly Entry[],
  listed: readonly string[],
  seen: readonly string[] = takenIn(entries),
): WalkReport => {
  const distinct = new Set<string>();
  const twice = new Set<string>();
  for (const id of seen) (distinct.has(id) ? twice : distinct).add(id);
  const missed = listed.filter((id) => !distinct.has(id));
  const repeated = [...twice];
  return {
    calls: entries.length,
    stopped: hasStopped(entries),
    exactlyOnce: missed.length === 0 && repeated.length === 0,
    records: distinct.size,
    missed,
    repeated,
    faults: [...new Set(entries.flatMap(({ trace }) => trace.faults ?? []))],
  };
};

const takenIn = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ trace }, at) => (isAskedAgain(entries, at) ? [] : (trace.page?.ids ?? [])));

/** Whether the next call requests the same page. */
export const isAskedAgain = (entries: readonly Entry[], at: number): boolean => {
  const [entry, next] = [entries[at], entries[at + 1]];
  return entry !== undefined && next !== undefined && cursorsOf(next) === cursorsOf(entry);
};

const cursorsOf = ({ call }: Pick<Entry, 'call'>): string => {
  const sent = new URLSearchParams(call.query);
  return JSON.stringify([sent.get('after') || null, sent.get('before') || null]);
};

/** Whether a last page was sent, and no call requested what follows its end. */
const hasStopped = (entries: readonly Entry[]): boolean => {
  const ends = new Set(entries.flatMap((entry) => endOf(entry) ?? []));
  const isPastEnd = (entry: Entry): boolean =>
    (['after', 'before'] as const).some((direction) => {
      const cursor = queryOf(entry)[direction];
      return typeof cursor === 'string' && ends.has(toEnd(direction, cursor));
    });
  return entries.some(({ trace }) => trace.page?.has_more === false) && !entries.some(isPastEnd);
};

/** The end of a last page; for a page requested by `before`, that is its first record. */
const endOf = (entry: Entry): string | undefined => {
  const { page } = entry.trace;
  if (page?.has_more !== false) return undefined;
  const { after, before } = queryOf(entry);
  const direction = before && !after ? 'before' : 'after';
  const end = direction === 'before' ? page.ids[0] : page.ids.at(-1);
  return end === undefined ? undefined : toEnd(direction, end);
};

const toEnd = (direction: 'after' | 'before', id: string): string => `${direction} ${id}`;

/** The options of `requests.walk`. */
export interface WalkOptions {
  /** The path parameters of the list, such as `{ thread_id: 'thread_demo' }`. Needed if several lists were called. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The ids that the client collected, in its order. Default: those on the pages that it did not request again. */
  readonly seen?: readonly string[] | undefined;
}

/**
 * Reports how a client walked the pages of a list.
 *
 * @throws Error if the operation is not a list, was not called, or was called for several owners, or if the journal dropped
 * requests
 */
export const reportWalk = (
  journal: Journal,
  world: World,
  operations: readonly AnyOperation[],
  id: ListId,
  { params = {}, seen }: WalkOptions,
): WalkReport => {
  const operation = findList(id, operations);
  const [unknown] = findUnknownParams(params, [operation]);
  if (unknown !== undefined) fail(id, endSentence(unknown));
  refuseIfDropped(journal, `check the walk of "${id}"`);
  const entries = journal.list({ operation: id, params });
  const owner = onlyOwner(id, entries);
  const kind = operation.lists;
  const collection = kind && world.collection(kind, ownerIn(kind, owner));
  return checkWalk(entries, collection?.newest().map((entry) => entry.id) ?? [], seen);
};

const fail = (id: string, reason: string): never => {
  throw new Error(`Failed to check the walk of "${id}": ${reason}`);
};

const findList = (id: string, operations: readonly AnyOperation[]): AnyOperation => {
  const lists = operations.filter(isList);
  const ids = lists.map((operation) => operation.id);
  return (
    lists.find((operation) => operation.id === id) ??
    fail(id, `it is not a list.${didYouMean(id, ids)} The lists are: ${ids.join(', ')}.`)
  );
};

const onlyOwner = (id: string, entries: readonly Entry[]): Readonly<Record<string, string>> => {
  const owners = new Map(entries.map(({ trace }) => [JSON.stringify(trace.params), trace.params ?? {}]));
  const [owner, ...others] = owners.values();
  if (others.length > 0)
    fail(
      id,
      `several lists were called: ${describeOwners(entries)}. Choose one: walk('${id}', { params: … }).`,
    );
  return owner ?? fail(id, 'it was not called.');
};

const describeOwners = (entries: readonly Entry[]): string => {
  const owners = new Set(entries.map((entry) => JSON.stringify(toRecordedRequest(entry).params)));
  return [...owners].slice(0, 5).join(', ');
};
