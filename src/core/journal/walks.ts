import { type AnyOperation, isContractList, ownerIn } from '../operations/operation.ts';
import { didYouMean } from '../util/nearest.ts';
import { endSentence } from '../util/sentence.ts';
import type { World } from '../world/world.ts';
import type { Journal } from './journal.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { findUnknownParams } from './request-filter.ts';

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

/** The options of `requests.walk`. */
export interface WalkOptions {
  /** The path parameters of the list, such as `{ thread_id: 'thread_demo' }`. Needed if several lists were called. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The ids that the client collected, in its order. Default: those on the pages that it did not request again. */
  readonly seen?: readonly string[] | undefined;
}

/** How one client walked the pages of a list, from a call without a cursor on. */
export interface RecordedWalk {
  /** The id of the list's operation. */
  readonly operation: string;
  /** The path parameters of the list. */
  readonly params: Readonly<Record<string, string>>;
  /** The client: the mask of its API key, and its `user-agent`. */
  readonly client: string;
  /** Whether it reached the last page and requested nothing after it. */
  readonly stopped: boolean;
  /** Its calls, in order, without those that the gateway refused. */
  readonly pages: readonly WalkPage[];
  /** The ids of records of the list that it passed without seeing them. */
  readonly missed: readonly string[];
  /** The ids of records that it did not see because they were created after its first call. */
  readonly added: readonly string[];
  /** How many times the client fetched only the first page, as a poll does: the last time is listed. 1 for a walk of several pages. */
  readonly times: number;
}

/** One call of a walk. */
export interface WalkPage {
  /** The id of the request. */
  readonly request: string;
  /** The number of the request in the journal. */
  readonly ordinal: number;
  /** The status of the reply; null if there was none. */
  readonly status: number | null;
  /** The cursor that was sent; null for the first page. */
  readonly cursor: string | null;
  /** Whether it said that there are more pages; null if it was no page. */
  readonly has_more: boolean | null;
  /** The records on it: seen for the first time, seen on an earlier page, or created after the first call of the walk. */
  readonly records: readonly { readonly id: string; readonly state: 'seen' | 'repeated' | 'added' }[];
  /** The lines of the faults that acted on it. */
  readonly faults: readonly string[];
}

type Calls = readonly RecordedRequest[];

/** The most walks that are listed, for walks of several pages and for walks of only the first page. The latest walks count. */
const maxWalks = 20;

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
  id: string,
  { params = {}, seen: taken }: WalkOptions,
): WalkReport => {
  const operation = findList(id, operations, journal);
  const [unknown] = findUnknownParams(params, [operation]);
  if (unknown !== undefined) fail(id, endSentence(unknown));
  journal.refuseIfDropped(`check the walk of "${id}"`);
  const calls = journal.list({ operation: id, params, method: 'GET' });
  const listed = listRecords(journal, world, operation, onlyOwner(id, calls)).map((record) => record.id);
  const { stopped, seen, missed, repeated } = followWalk(calls, listed, taken);
  return {
    calls: calls.length,
    stopped,
    exactlyOnce: missed.length === 0 && repeated.length === 0,
    records: seen.size,
    missed,
    repeated,
    faults: [...new Set(calls.flatMap(({ faults }) => faults))],
  };
};

/** The walks in the requests that the journal has kept, the latest first. */
export const listWalks = (
  journal: Journal,
  world: World,
  operations: readonly AnyOperation[],
): RecordedWalk[] => {
  const lists = new Map(findLists(operations, journal).map((operation) => [operation.id, operation]));
  const walks: RecordedRequest[][] = [];
  const open = new Map<string, RecordedRequest[]>();
  for (const call of journal.list({ method: 'GET' })) {
    if (!lists.has(call.operation ?? '')) continue;
    const key = keyOf(call);
    const walk = open.get(key) ?? [];
    const last = walk.findLast(isAnswered);
    // A first page begins a walk, unless the call before was the same and failed.
    const isSame = last?.page === null && cursorOf(last) === null;
    if (isAnswered(call) && (last === undefined || (cursorOf(call) === null && !isSame))) {
      const newWalk = [call];
      open.set(key, newWalk);
      walks.push(newWalk);
    } else walk.push(call);
  }
  const longWalks = walks.filter(isWalk).slice(-maxWalks);
  const polls = new Map<string, { readonly calls: Calls; readonly times: number }>();
  for (const calls of walks) {
    if (isWalk(calls)) continue;
    const key = keyOf(firstOf(calls));
    const times = (polls.get(key)?.times ?? 0) + 1;
    polls.delete(key); // moved to the end: it is the latest
    polls.set(key, { calls, times });
  }
  const latest = [
    ...longWalks.map((calls) => ({ calls, times: 1 })),
    ...[...polls.values()].slice(-maxWalks),
  ].toSorted((a, b) => firstOf(b.calls).ordinal - firstOf(a.calls).ordinal);
  return latest.map(({ calls, times }) => {
    const { operation, params } = firstOf(calls);
    return { ...describe(calls, listRecords(journal, world, lists.get(operation ?? ''), params)), times };
  });
};

/** Whether the client requested more than the first page. */
const isWalk = (calls: Calls): boolean => calls.some((call) => isAnswered(call) && cursorOf(call) !== null);

const firstOf = (calls: Calls): RecordedRequest => calls[0] as RecordedRequest; // a walk has at least one call

const keyOf = (call: RecordedRequest): string =>
  JSON.stringify([call.operation, call.params, clientOf(call)]);

const describe = (calls: Calls, listed: readonly ListedRecord[]): Omit<RecordedWalk, 'times'> => {
  const first = firstOf(calls);
  const startTime = Date.parse(first.time) / 1000;
  const laterIds = new Set(listed.filter(({ created_at }) => created_at > startTime).map(({ id }) => id));

  const seenIds = new Set<string>();
  const stateOf = (id: string): WalkPage['records'][number]['state'] =>
    seenIds.has(id) ? 'repeated' : laterIds.has(id) ? 'added' : 'seen';
  const pages = calls.flatMap((call, at): WalkPage[] => {
    const { id: request, ordinal, status, faults, page } = call;
    const records = (page?.ids ?? []).map((id) => ({ id, state: stateOf(id) }));
    for (const id of takenIds(call, at, calls)) seenIds.add(id);
    const has_more = page?.has_more ?? null;
    const walkPage = { request, ordinal, status, cursor: cursorOf(call), has_more, records, faults };
    return isAnswered(call) ? [walkPage] : [];
  });

  // In the order that the client requested.
  const order = listed.map(({ id }) => id);
  if (first.query.order === 'asc') order.reverse();
  const { stopped, seen } = followWalk(calls, order);
  const isSeen = order.map((id) => seen.has(id));
  const start = isSeen.indexOf(true);
  const end = stopped ? order.length : isSeen.lastIndexOf(true);
  const isAdded = (id: string, at: number): boolean => laterIds.has(id) || at < start;
  return {
    operation: first.operation ?? '',
    params: { ...first.params },
    client: clientOf(first),
    stopped,
    pages,
    missed: order.filter((id, at) => !isSeen[at] && !isAdded(id, at) && at <= end),
    added: order.filter((id, at) => !isSeen[at] && isAdded(id, at)),
  };
};

/**
 * Follows a walk by its calls, which are GETs: whether it stopped, and which records were seen, seen again, or missed.
 *
 * @param listed the ids that the list has now
 * @param taken the ids that the client collected. Default: those on all pages except pages that it requested again
 */
export const followWalk = (calls: Calls, listed: readonly string[], taken?: readonly string[]) => {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const id of taken ?? calls.flatMap(takenIds)) (seen.has(id) ? repeated : seen).add(id);
  const missed = listed.filter((id) => !seen.has(id));
  return { stopped: hasStopped(calls), seen, repeated: [...repeated], missed };
};

/** The ids of a page, unless the client requests the same page again next, and gets it. */
const takenIds = (call: RecordedRequest, at: number, calls: Calls): readonly string[] => {
  if (call.page === null) return [];
  for (let place = at + 1; place < calls.length; place += 1) {
    const next = calls[place] ?? call;
    const isSame = ['after', 'before'].every((name) => cursorIn(next, name) === cursorIn(call, name));
    if (isSame && isAnswered(next)) return [];
    if (!isSame) break;
  }
  return call.page.ids;
};

const cursorIn = ({ query }: RecordedRequest, name: string): string | null =>
  [query[name] ?? []].flat()[0] || null;

const cursorOf = (call: RecordedRequest): string | null =>
  cursorIn(call, 'after') ?? cursorIn(call, 'before');

/** A call that the gateway refused has no page. */
const isAnswered = ({ refusal }: RecordedRequest): boolean => refusal === null;

/** Whether a last page was sent, and no call requested what follows its end. */
const hasStopped = (calls: Calls): boolean => {
  const ends = new Set<string>();
  for (const call of calls) {
    if (call.page?.has_more !== false) continue;
    // A page requested by `before` ends with its first record.
    const isBackwards = cursorIn(call, 'before') !== null && cursorIn(call, 'after') === null;
    ends.add(isBackwards ? `before ${call.page.ids[0]}` : `after ${call.page.ids.at(-1)}`);
  }
  const isPastEnd = (call: RecordedRequest): boolean =>
    ['after', 'before'].some((name) => ends.has(`${name} ${cursorIn(call, name)}`));
  return ends.size > 0 && !calls.some(isPastEnd);
};

const clientOf = ({ headers }: RecordedRequest): string =>
  [headers['x-gateway-api-key'] ?? headers.authorization, headers['user-agent']].filter(Boolean).join(' ');

/** The parts of a record that walks need. */
interface ListedRecord {
  readonly id: string;
  /** In seconds since 1970; 0 if it is not known. */
  readonly created_at: number;
}

/** The records that a list has now, newest first. */
const listRecords = (
  journal: Journal,
  world: World,
  operation: AnyOperation | undefined,
  params: RecordedRequest['params'],
): ListedRecord[] => {
  if (operation === undefined) return [];
  const { id, listsKind: kind } = operation;
  if (kind !== undefined) return world.list(kind, ownerIn(kind, params))?.entries().toReversed() ?? [];
  const records = journal.ownList(id, params) ?? [];
  return records.map((record) => ({ id: record.id, created_at: Number(Object(record).created_at) || 0 }));
};

const fail = (id: string, reason: string): never => {
  throw new Error(`Failed to check the walk of "${id}": ${reason}`);
};

/** The contract's lists, and the calls of a user's own that have returned a page. */
const findLists = (operations: readonly AnyOperation[], journal: Journal): AnyOperation[] =>
  operations.filter((operation) => isContractList(operation) || journal.hasOwnList(operation.id));

const findList = (id: string, operations: readonly AnyOperation[], journal: Journal): AnyOperation => {
  const lists = findLists(operations, journal);
  const ids = lists.map((operation) => operation.id);
  return (
    lists.find((operation) => operation.id === id) ??
    fail(id, `it is not a list.${didYouMean(id, ids)} The lists are: ${ids.join(', ')}.`)
  );
};

const onlyOwner = (id: string, calls: Calls): RecordedRequest['params'] => {
  const owners = new Map(calls.map(({ params }) => [JSON.stringify(params), params]));
  const [owner, ...others] = owners.values();
  if (others.length > 0) {
    const described = [...owners.keys()].slice(0, 5).join(', ');
    fail(id, `several lists were called: ${described}. Choose one: walk('${id}', { params: … }).`);
  }
  return owner ?? fail(id, 'it was not called. requests.list() shows the calls of this session.');
};
