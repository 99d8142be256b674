import type { ListId } from '../operations/ids.ts';
import { didYouMean } from '../util/nearest.ts';
import { endSentence } from '../util/sentence.ts';
import { type AnyOperation, isList, listedKind, ownerIn } from '../world/operation.ts';
import type { World } from '../world/world.ts';
import {
  type Entry,
  idOf,
  queryOf,
  type RecordedRequest,
  toRecordedRequest,
  toRequestWithoutBodies,
} from './entry.ts';
import { findUnknownParams, matchesFilter, type RequestFilter, readFilter } from './filter.ts';
import { type Journal, maxIds } from './journal.ts';
import { maxTimeout } from './max-timeout.ts';
import { checkWalk, type WalkReport } from './walk-report.ts';

/** What is waited for. */
export interface WaitOptions {
  /** How many requests. Default: 1. */
  readonly count?: number | undefined;
  /** For how long, in milliseconds of real time. Default: 5,000. */
  readonly timeout?: number | undefined;
  /** Ends the wait early: then it rejects. */
  readonly signal?: AbortSignal | undefined;
}

/** How requests are listed. */
export interface RequestListOptions {
  /** Only the last so many. Default: all. */
  readonly limit?: number | undefined;
  /** Whether they come with the bodies of calls and replies. Default: true. */
  readonly bodies?: boolean | undefined;
}

/** Which walk is judged. */
export interface WalkOptions {
  /** The list's owner, such as `{ thread_id: 'thread_demo' }`, where the calls were of several. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The ids that the client took for the records, in its order. Default: those on the pages that it went on from. */
  readonly seen?: readonly string[] | undefined;
}

/** The requests of one world, oldest first. */
export interface RequestsControl {
  readonly list: (filter?: RequestFilter, options?: RequestListOptions) => Promise<RecordedRequest[]>;
  /** The request that was answered with this `x-request-id`; undefined where the journal has none. */
  readonly get: (id: string) => Promise<RecordedRequest | undefined>;
  readonly count: (filter?: RequestFilter) => Promise<number>;
  readonly clear: () => Promise<void>;
  /**
   * Resolves with the requests that are meant as soon as there are enough, those among them that came before.
   *
   * @throws Error where they do not come in time, with those that did, or the session is removed for lack of room
   */
  readonly wait: (filter?: RequestFilter, options?: WaitOptions) => Promise<RecordedRequest[]>;
  /**
   * Whether a client that walked a list saw every record exactly once, and stopped, and how many calls it took.
   *
   * @throws Error where the operation is no list, or nobody called it, or calls of several owners were made
   */
  readonly walk: (operation: ListId, options?: WalkOptions) => Promise<WalkReport>;
}

/** What the requests are read from; it is asked for each time, since a reset replaces the world. */
interface RequestsContext {
  readonly journal: () => Journal;
  readonly world: () => World;
  readonly operations: readonly AnyOperation[];
}

export const createRequests = ({ journal, world, operations }: RequestsContext): RequestsControl => ({
  list: async (filter = {}, { limit = Number.POSITIVE_INFINITY, bodies = true } = {}) => {
    const entries = open(journal, 'list the requests').list(readFilter(filter, operations));
    const toRequest = bodies ? toRecordedRequest : toRequestWithoutBodies;
    return entries.slice(Math.max(0, entries.length - limit)).map(toRequest);
  },
  get: async (id) => {
    const entry = open(journal, 'get a request')
      .list()
      .find((one) => idOf(one) === id && id !== '');
    return entry && toRecordedRequest(entry);
  },
  count: async (filter = {}) =>
    open(journal, 'count the requests').list(readFilter(filter, operations)).length,
  clear: async () => journal().clear(),
  wait: async (filter = {}, options = {}) =>
    waitFor(open(journal, 'wait'), readFilter(filter, operations), options),
  walk: async (id, { params = {}, seen } = {}) => {
    const operation = findList(id, operations);
    const [unknown] = findUnknownParams(params, [operation]);
    if (unknown !== undefined) throw new Error(`Failed to judge a walk of "${id}": ${endSentence(unknown)}`);
    const from = open(journal, 'judge a walk');
    const entries = from.list({ operation: id, params });
    const owner = onlyOwner(id, entries);
    if (entries.some(({ isPageLost }) => isPageLost))
      throw new Error(
        `Failed to judge a walk of "${id}": its pages have more than ${maxIds} records, and the journal let go of the first ones.`,
      );
    if (from.hasLost && entries[0] !== undefined && hasCursor(entries[0]))
      throw new Error(
        `Failed to judge a walk of "${id}": the journal keeps ${from.size} requests, and its first ones have left it. Give it more room (journal: …), or clear it before the walk.`,
      );
    const kind = listedKind(operation);
    const collection = kind && world().collection(kind, ownerIn(kind, owner));
    return checkWalk(entries, collection?.newest().map(({ id }) => id) ?? [], seen);
  },
});

const idsOf = (operations: readonly AnyOperation[]): string[] => operations.map(({ id }) => id);

const open = (journal: () => Journal, action: string): Journal => {
  const opened = journal();
  if (opened.size === 0) throw new Error(`Failed to ${action}: the journal is off (journal: 0).`);
  return opened;
};

const findList = (id: string, operations: readonly AnyOperation[]): AnyOperation => {
  const lists = operations.filter(isList);
  const found = lists.find((operation) => operation.id === id);
  if (found !== undefined) return found;
  const ids = idsOf(lists);
  throw new Error(
    `Failed to judge a walk of "${id}": it is no list.${didYouMean(id, ids)} There are: ${ids.join(', ')}.`,
  );
};

const hasCursor = (entry: Entry): boolean => {
  const { after, before } = queryOf(entry);
  return Boolean(after || before);
};

const onlyOwner = (id: string, entries: readonly Entry[]): Readonly<Record<string, string>> => {
  const owners = new Map(entries.map(({ trace }) => [JSON.stringify(trace.params), trace.params ?? {}]));
  const [owner, ...others] = owners.values();
  if (owner === undefined) throw new Error(`Failed to judge a walk of "${id}": there was no such call.`);
  if (others.length > 0)
    throw new Error(
      `Failed to judge a walk of "${id}": there were calls of several, ${describeOwners(entries)}. Say which one: walk('${id}', { params: … }).`,
    );
  return owner;
};

const describeOwners = (entries: readonly Entry[]): string => {
  const owners = new Set(entries.map((entry) => JSON.stringify(toRecordedRequest(entry).params)));
  return [...owners].slice(0, 5).join(', ');
};

const waitFor = async (
  journal: Journal,
  filter: RequestFilter,
  { count = 1, timeout = 5000, signal }: WaitOptions,
): Promise<RecordedRequest[]> => {
  if (!(Number.isInteger(count) && count >= 1 && count <= journal.size))
    throw new Error(
      `Failed to wait for ${count} requests: it must be from 1 to ${journal.size}, which the journal keeps.`,
    );
  if (!(typeof timeout === 'number' && timeout >= 0 && timeout <= maxTimeout))
    throw new Error(`Failed to wait ${timeout} ms: it must be a number from 0 to ${maxTimeout}.`);
  const outcome = await new Promise<RecordedRequest[] | string>((resolve, reject) => {
    // Kept apart from the ring, which others may have filled by the time that the last one comes.
    let found = journal.list(filter);
    let { clearCount } = journal;
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      stop();
    };
    const fail = (reason: unknown): void => {
      end();
      reject(reason);
    };
    const abort = (): void => fail(signal?.reason);
    const settle = (): void => {
      end();
      resolve(found.map(toRecordedRequest));
    };
    const giveUp = (): void => {
      end();
      const came = clearCount === journal.clearCount ? found.length : 0;
      const last = journal.list().slice(-5).map(describe).join('; ');
      resolve(
        `Failed to wait for ${count} ${count === 1 ? 'request' : 'requests'} like ${JSON.stringify(filter)}: ${came} came within ${timeout} ms. The last of all: ${last || 'none'}.`,
      );
    };
    const timer = setTimeout(giveUp, timeout);
    const stop = journal.subscribe((entry) => {
      if (clearCount !== journal.clearCount) found = [];
      clearCount = journal.clearCount;
      if (matchesFilter(entry, filter)) found.push(entry);
      if (found.length >= count) settle();
    }, fail);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    else if (found.length >= count) settle();
  });
  if (typeof outcome === 'string') throw new Error(outcome); // here, so that its stack leads to who waits
  return outcome;
};

const describe = (entry: Entry): string => {
  const { method, path, status } = toRecordedRequest(entry);
  return `${method} ${path.slice(0, 200)} ${status ?? 'unanswered'}`;
};
