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

/** The options of `requests.wait`. */
export interface WaitOptions {
  /** How many requests to wait for. Default: 1. */
  readonly count?: number | undefined;
  /** How long to wait, in real milliseconds, at most 240,000. Default: 5,000. */
  readonly timeout?: number | undefined;
  /** Ends the wait early; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of `requests.list`. */
export interface RequestListOptions {
  /** The greatest number of requests, of which the last are listed. Default: all. */
  readonly limit?: number | undefined;
  /** Whether to include the bodies of requests and replies. Default: true. */
  readonly bodies?: boolean | undefined;
}

/** The options of `requests.walk`. */
export interface WalkOptions {
  /** The path parameters of the list, such as `{ thread_id: 'thread_demo' }`. Needed if several lists were called. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The ids that the client collected, in its order. Default: those on the pages that it did not request again. */
  readonly seen?: readonly string[] | undefined;
}

/** The commands for the journal of one world: the requests that reached it, oldest first. */
export interface RequestsControl {
  /** Lists the requests that match a filter. @throws Error if the filter is invalid */
  readonly list: (filter?: RequestFilter, options?: RequestListOptions) => Promise<RecordedRequest[]>;
  /** Gets the request with this `x-request-id`; undefined if the journal has none. */
  readonly get: (id: string) => Promise<RecordedRequest | undefined>;
  /** Counts the requests that match a filter. @throws Error if the filter is invalid */
  readonly count: (filter?: RequestFilter) => Promise<number>;
  /** Removes all requests. */
  readonly clear: () => Promise<void>;
  /**
   * Waits until enough requests match a filter, and resolves with them. Requests that arrived before count too.
   *
   * @throws Error if they do not arrive in time, listing the last requests, or if the session is removed for lack of room
   */
  readonly wait: (filter?: RequestFilter, options?: WaitOptions) => Promise<RecordedRequest[]>;
  /**
   * Reports how a client walked a list: whether it saw every record exactly once and stopped, and in how many calls.
   *
   * @throws Error if the operation is not a list, was not called, or was called for several owners
   */
  readonly walk: (operation: ListId, options?: WalkOptions) => Promise<WalkReport>;
}

/** Where the requests are read from. Its functions are called each time, since a reset replaces the world. */
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
    if (unknown !== undefined)
      throw new Error(`Failed to check the walk of "${id}": ${endSentence(unknown)}`);
    const from = open(journal, 'check a walk');
    const entries = from.list({ operation: id, params });
    const owner = onlyOwner(id, entries);
    if (entries.some(({ isPageLost }) => isPageLost))
      throw new Error(
        `Failed to check the walk of "${id}": its pages have more than ${maxIds} records, and the journal dropped the first ones.`,
      );
    if (from.hasLost && entries[0] !== undefined && hasCursor(entries[0]))
      throw new Error(
        `Failed to check the walk of "${id}": the journal keeps only ${from.size} requests and has lost the first ones. Raise the option journal, or call requests.clear() before the walk.`,
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
    `Failed to check the walk of "${id}": it is not a list.${didYouMean(id, ids)} The lists are: ${ids.join(', ')}.`,
  );
};

const hasCursor = (entry: Entry): boolean => {
  const { after, before } = queryOf(entry);
  return Boolean(after || before);
};

const onlyOwner = (id: string, entries: readonly Entry[]): Readonly<Record<string, string>> => {
  const owners = new Map(entries.map(({ trace }) => [JSON.stringify(trace.params), trace.params ?? {}]));
  const [owner, ...others] = owners.values();
  if (owner === undefined) throw new Error(`Failed to check the walk of "${id}": it was not called.`);
  if (others.length > 0)
    throw new Error(
      `Failed to check the walk of "${id}": several lists were called: ${describeOwners(entries)}. Choose one: walk('${id}', { params: … }).`,
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
      `Failed to wait for ${count} requests: the number must be from 1 to ${journal.size}, the size of the journal.`,
    );
  if (!(typeof timeout === 'number' && timeout >= 0 && timeout <= maxTimeout))
    throw new Error(`Failed to wait ${timeout} ms: the timeout must be a number from 0 to ${maxTimeout}.`);
  const outcome = await new Promise<RecordedRequest[] | string>((resolve, reject) => {
    // A list of its own, since other requests may push these out of the ring.
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
        `Failed to wait for ${count} ${count === 1 ? 'request' : 'requests'} matching ${JSON.stringify(filter)}: ${came} arrived within ${timeout} ms. The last requests: ${last || 'none'}.`,
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
  if (typeof outcome === 'string') throw new Error(outcome); // thrown here, so that its stack shows who waits
  return outcome;
};

const describe = (entry: Entry): string => {
  const { method, path, status } = toRecordedRequest(entry);
  return `${method} ${path.slice(0, 200)} ${status ?? 'unanswered'}`;
};
