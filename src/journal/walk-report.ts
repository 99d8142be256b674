import type { ListId } from '../operations/ids.ts';
import { didYouMean } from '../util/nearest.ts';
import { endSentence } from '../util/sentence.ts';
import { type AnyOperation, isList, listedKind, ownerIn } from '../world/operation.ts';
import type { World } from '../world/world.ts';
import { type Entry, queryOf, toRecordedRequest } from './entry.ts';
import { findUnknownParams } from './filter.ts';
import { type Journal, maxIds } from './journal.ts';

/** How a client walked the pages of a list, set against the records that the list has now. */
export interface WalkReport {
  /** How many calls it took, those among them that were answered by an error. */
  readonly calls: number;
  /** Whether the client came to the last page, and asked for nothing behind it. */
  readonly stopped: boolean;
  /** Whether it saw each record of the list, and none twice. */
  readonly exactlyOnce: boolean;
  /** How many different records it saw. */
  readonly records: number;
  /** The records of the list that it did not see, in the list's own order, newest first. */
  readonly missed: readonly string[];
  /** The records that it saw more than once. */
  readonly repeated: readonly string[];
  /** The faults that it met, each as its line. */
  readonly faults: readonly string[];
}

/**
 * Judges a walk by the calls that were made.
 *
 * @param listed the ids that the list has now
 * @param seen what the client took for the list's records; by default all that was sent to it on pages that it went on
 * from or ended with: a page that it asked for again is one that it did not take
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
  entries.flatMap(({ call, trace }, index) => {
    const next = entries[index + 1];
    const isAskedAgain = next !== undefined && cursorsOf(next) === cursorsOf({ call });
    return isAskedAgain ? [] : (trace.page?.ids ?? []);
  });

const cursorsOf = ({ call }: Pick<Entry, 'call'>): string => {
  const sent = new URLSearchParams(call.query);
  return JSON.stringify([sent.get('after') || null, sent.get('before') || null]);
};

/** A last page came, and no call asked for what is behind its end. */
const hasStopped = (entries: readonly Entry[]): boolean => {
  const ends = new Set(entries.flatMap((entry) => endOf(entry) ?? []));
  const isPastEnd = (entry: Entry): boolean =>
    (['after', 'before'] as const).some((direction) => {
      const cursor = queryOf(entry)[direction];
      return typeof cursor === 'string' && ends.has(toEnd(direction, cursor));
    });
  return entries.some(({ trace }) => trace.page?.has_more === false) && !entries.some(isPastEnd);
};

/** Where a last page ends: of one that was asked for backwards, that is where it begins. */
const endOf = (entry: Entry): string | undefined => {
  const { page } = entry.trace;
  if (page?.has_more !== false) return undefined;
  const { after, before } = queryOf(entry);
  const direction = before && !after ? 'before' : 'after';
  const end = direction === 'before' ? page.ids[0] : page.ids.at(-1);
  return end === undefined ? undefined : toEnd(direction, end);
};

const toEnd = (direction: 'after' | 'before', id: string): string => `${direction} ${id}`;

/** Which walk is judged. */
export interface WalkOptions {
  /** The list's owner, such as `{ thread_id: 'thread_demo' }`, where the calls were of several. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The ids that the client took for the records, in its order. Default: those on the pages that it went on from. */
  readonly seen?: readonly string[] | undefined;
}

/**
 * Reports how a client walked the pages of a list.
 *
 * @throws Error if the operation is not a list, was not called, or was called for several owners
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
  const entries = journal.list({ operation: id, params });
  const owner = onlyOwner(id, entries);
  if (entries.some(({ isPageLost }) => isPageLost))
    fail(id, `its pages have more than ${maxIds} records, and the journal has dropped the first ones.`);
  if (journal.hasLost && entries[0] !== undefined && hasCursor(entries[0]))
    fail(
      id,
      `the journal keeps ${journal.size} requests, and has dropped the first ones. Give it more room (journal: …), or clear it before the walk.`,
    );
  const kind = listedKind(operation);
  const collection = kind && world.collection(kind, ownerIn(kind, owner));
  return checkWalk(entries, collection?.newest().map((entry) => entry.id) ?? [], seen);
};

const fail = (id: string, reason: string): never => {
  throw new Error(`Failed to judge a walk of "${id}": ${reason}`);
};

const findList = (id: string, operations: readonly AnyOperation[]): AnyOperation => {
  const lists = operations.filter(isList);
  const ids = lists.map((operation) => operation.id);
  return (
    lists.find((operation) => operation.id === id) ??
    fail(id, `it is not a list.${didYouMean(id, ids)} The lists are: ${ids.join(', ')}.`)
  );
};

const hasCursor = (entry: Entry): boolean => {
  const { after, before } = queryOf(entry);
  return Boolean(after || before);
};

const onlyOwner = (id: string, entries: readonly Entry[]): Readonly<Record<string, string>> => {
  const owners = new Map(entries.map(({ trace }) => [JSON.stringify(trace.params), trace.params ?? {}]));
  const [owner, ...others] = owners.values();
  if (others.length > 0)
    fail(
      id,
      `there were calls of several, ${describeOwners(entries)}. Pick one: walk('${id}', { params: … }).`,
    );
  return owner ?? fail(id, 'there was no such call.');
};

const describeOwners = (entries: readonly Entry[]): string => {
  const owners = new Set(entries.map((entry) => JSON.stringify(toRecordedRequest(entry).params)));
  return [...owners].slice(0, 5).join(', ');
};
