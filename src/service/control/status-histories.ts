import { kinds } from '../../core/scenario/scenario-schema.ts';
import type { Kind } from '../../core/world/kind.ts';
import { lifespanOf } from '../../core/world/lifecycle.ts';
import type { RecordEntry } from '../../core/world/timeline.ts';
import type { World } from '../../core/world/world.ts';
import type { Control } from './control-interface.ts';

/** The states of one run or batch, past and future. */
export interface StatusHistory {
  /** The kind of the record: `runs` or `batches`. */
  readonly kind: Exclude<keyof Control['records'], 'own'>;
  /** The id of the record. */
  readonly id: string;
  /** The thread of a run; null for a batch. */
  readonly owner: string | null;
  /** The states that take time, each with the time at which it begins, in seconds since 1970. The first state begins with the record. */
  readonly states: readonly { readonly status: string; readonly at: number }[];
}

const allKinds: readonly Kind[] = kinds;

/** The maximum number of records that may still change: all of them are made to find the next changes, which takes a while. */
const maxChanging = 20_000;

/** The time of the next change of status, or at which a record appears; undefined if nothing will change. */
export const findNextChange = (world: World): number | undefined => {
  const now = world.clock.now();
  const lists = allKinds.flatMap((kind) => world.lists(kind));
  const changes = [
    ...findChanging(listsIn(world), '', now).map(({ next }) => next),
    ...lists.map((list) => list.nextCreation()),
  ];
  const next = changes.reduce<number>((least, at) => Math.min(least, at ?? least), Number.POSITIVE_INFINITY);
  return Number.isFinite(next) ? next : undefined;
};

/**
 * The histories of runs and batches: first those that change next, then those that changed last. Only the records that may
 * be among them are made.
 *
 * @param search a part of the id of the record, or of the thread of a run
 * @throws Error if too many records may still change
 */
export const listHistories = (world: World, limit: number, search = ''): StatusHistory[] => {
  const [text, now] = [search.toLowerCase(), world.clock.now()];
  const lists = listsIn(world);
  const changing = findChanging(lists, text, now);
  const coming = changing.filter(({ next }) => next !== undefined);
  coming.sort((a, b) => Number(a.next) - Number(b.next));

  const room = Math.max(0, limit - coming.length);
  /** The histories that fit into the limit, the latest change first. */
  const past: RankedHistory[] = [];
  const add = (ranked: RankedHistory): void => {
    past.splice(past.findLastIndex(({ last }) => last >= ranked.last) + 1, 0, ranked);
    if (past.length > room) past.pop();
  };
  for (const ranked of changing) if (ranked.next === undefined) add(ranked);
  for (const { kind, entries } of lists) {
    const hasEnded = (entry: RecordEntry) => endOf(entry, kind) <= now && isNamed(entry, text);
    for (const entry of entries) if (entry.isWritten && hasEnded(entry)) add(toRanked(kind, entry, now));
    for (const entry of entries.toReversed()) {
      if (entry.isWritten || !hasEnded(entry)) continue;
      if (past.length === room && endOf(entry, kind) <= (past.at(-1)?.last ?? now)) break; // older seeded records ended earlier
      add(toRanked(kind, entry, now));
    }
  }
  return [...coming, ...past].slice(0, limit).map(({ history }) => history);
};

/** The lists of all kinds with states, each with its entries, oldest first. */
const listsIn = (world: World) =>
  allKinds
    .filter(({ lifecycle }) => lifecycle !== undefined)
    .flatMap((kind) => world.lists(kind).map((list) => ({ kind, entries: list.entries() })));

const isNamed = ({ id, owner }: RecordEntry, text: string): boolean =>
  text === '' || `${id} ${owner}`.toLowerCase().includes(text);

/**
 * The time after which a record no longer changes. For a seeded record, it is the latest possible time, so that the record need
 * not be made.
 */
const endOf = (entry: RecordEntry, { lifecycle }: Kind): number =>
  entry.isWritten
    ? (entry.timeline().transitions.at(-1)?.at ?? entry.created_at)
    : entry.created_at + lifespanOf(lifecycle);

type RankedHistory = ReturnType<typeof toRanked>;

/** The histories of all records that may still change. Written records may be anywhere in a list. */
const findChanging = (lists: ReturnType<typeof listsIn>, text: string, now: number): RankedHistory[] => {
  const found: RankedHistory[] = [];
  for (const { kind, entries } of lists)
    for (const entry of entries) {
      if (endOf(entry, kind) <= now || !isNamed(entry, text)) continue;
      if (found.length === maxChanging)
        throw new Error(
          `Failed to find the next changes: more than ${maxChanging} runs and batches may still change. Use a scenario with fewer active records.`,
        );
      found.push(toRanked(kind, entry, now));
    }
  return found;
};

/** A history, with the time of its next change, if any, and the time of its last change. */
const toRanked = ({ plural }: Kind, entry: RecordEntry, now: number) => {
  const states = statesOf(entry);
  const kind = plural as StatusHistory['kind']; // a kind with states
  const history: StatusHistory = { kind, id: entry.id, owner: entry.owner || null, states };
  return {
    history,
    // The first state counts as reached: a written record is listed even before its creation.
    next: states.slice(1).find(({ at }) => at > now)?.at,
    last: states.at(-1)?.at ?? 0,
  };
};

const statesOf = (entry: RecordEntry): { status: string; at: number }[] => {
  const { record, transitions } = entry.timeline();
  const states = [{ at: entry.created_at, set: record }, ...transitions].flatMap(({ at, set }) => {
    const status: unknown = Reflect.get(set, 'status');
    return typeof status === 'string' ? [{ status, at }] : [];
  });
  const visible = states.filter(({ at }, index) => at !== states[index + 1]?.at); // others take no time
  return visible.filter(({ status }, index) => status !== visible[index - 1]?.status);
};
