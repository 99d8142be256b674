import { flattenHeaders } from '../protocol/call.ts';
import { type AnyOperation, isList, ownerIn } from '../world/operation.ts';
import type { World } from '../world/world.ts';
import { type Entry, idOf, queryOf } from './entry.ts';
import type { Journal } from './journal.ts';
import { maskTexts } from './mask-entry.ts';
import { checkWalk, isAskedAgain } from './walk-report.ts';

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
  /** Its calls, in order. */
  readonly pages: readonly WalkPage[];
  /** The ids of records of the list that it passed without seeing them. */
  readonly missed: readonly string[];
  /** The ids of records that it did not see because they were created after its first call. */
  readonly come: readonly string[];
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
  readonly records: readonly { readonly id: string; readonly state: 'seen' | 'repeated' | 'come' }[];
  /** The lines of the faults that acted on it. */
  readonly faults: readonly string[];
}

/** The most walks that are reported: the latest ones. */
const maxWalks = 20;

/** The walks in what the journal has kept, the latest first. */
export const listWalks = (
  journal: Journal,
  world: World,
  operations: readonly AnyOperation[],
): RecordedWalk[] => {
  const lists = new Map(operations.filter(isList).map((operation) => [operation.id, operation]));
  const walks: Entry[][] = [];
  const open = new Map<string, Entry[]>();
  for (const entry of journal.list()) {
    if (!lists.has(entry.trace.operation ?? '')) continue;
    maskTexts(entry);
    const key = JSON.stringify([entry.trace.operation, entry.trace.params, clientOf(entry)]);
    const walk = open.get(key);
    if (walk === undefined || beginsAnew(walk, entry)) {
      const begun = [entry];
      open.set(key, begun);
      walks.push(begun);
    } else walk.push(entry);
  }
  return walks
    .slice(-maxWalks)
    .reverse()
    .flatMap((entries) => {
      const operation = lists.get(entries[0]?.trace.operation ?? '');
      return operation === undefined ? [] : describe(entries, world, operation);
    });
};

/** A first page begins a walk, unless the call before was the same and failed. */
const beginsAnew = (walk: readonly Entry[], entry: Entry): boolean => {
  const last = walk.at(-1);
  return cursorOf(entry) === null && (last?.trace.page !== undefined || (last && cursorOf(last)) !== null);
};

const describe = (entries: readonly Entry[], world: World, operation: AnyOperation): RecordedWalk => {
  const [first] = entries;
  const kind = operation.lists;
  const collection = kind && world.collection(kind, ownerIn(kind, first?.trace.params ?? {}));
  const listed = collection?.newest() ?? [];
  const created = new Map(listed.map(({ id, created_at }) => [id, created_at]));
  const begun = first?.time ?? 0;
  const isLater = (id: string): boolean => (created.get(id) ?? 0) > begun;

  const seen = new Set<string>();
  const pages = entries.map((entry, at): WalkPage => {
    const ids = entry.trace.page?.ids ?? [];
    const shown = entry.shownIds ?? ids;
    const records = ids.map((id, index) => ({
      id: shown[index] ?? id,
      state: seen.has(id) ? ('repeated' as const) : isLater(id) ? ('come' as const) : ('seen' as const),
    }));
    if (!isAskedAgain(entries, at)) for (const id of ids) seen.add(id);
    return {
      request: idOf(entry),
      ordinal: entry.ordinal,
      status: entry.status,
      cursor: cursorOf(entry),
      has_more: entry.trace.page?.has_more ?? null,
      records,
      faults: entry.trace.faults ?? [],
    };
  });

  // In the order of the list, newest first or last.
  const order = listed.map(({ id }) => id);
  if (first && queryOf(first).order === 'asc') order.reverse();
  const placeOf = new Map(order.map((id, at) => [id, at]));
  const places = order.flatMap((id, at) => (seen.has(id) ? [at] : []));
  const { missed, stopped } = checkWalk(entries, order);
  const [start = 0, end = -1] = [places[0], places.at(-1)];
  const last = stopped ? order.length : end;
  const isCome = (id: string): boolean => isLater(id) || (placeOf.get(id) ?? 0) < start;
  return {
    operation: operation.id,
    params: { ...first?.trace.params },
    client: first ? clientOf(first) : '',
    stopped,
    pages,
    missed: missed.filter((id) => !isCome(id) && (placeOf.get(id) ?? 0) <= last),
    come: missed.filter(isCome),
  };
};

const cursorOf = (entry: Entry): string | null => {
  const { after, before } = queryOf(entry);
  return [after, before].flat().find((cursor) => cursor) ?? null;
};

/** Of an entry whose texts are masked. */
const clientOf = ({ headers }: Entry): string => {
  const flat = flattenHeaders(headers);
  return [flat['x-gateway-api-key'], flat['user-agent']].filter(Boolean).join(' ');
};
