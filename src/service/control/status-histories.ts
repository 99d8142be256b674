import { batches } from '../../core/operations/list-batches/record.ts';
import { runs } from '../../core/operations/list-runs/record.ts';
import { kinds } from '../../core/scenario/schema.ts';
import type { Kind, Resource } from '../../core/world/kind.ts';
import type { RecordEntry } from '../../core/world/record-list.ts';
import type { World } from '../../core/world/world.ts';

/** The states of one run or batch, past and future. */
export interface StatusHistory {
  /** The kind of the record. */
  readonly kind: 'runs' | 'batches';
  /** The id of the record. */
  readonly id: string;
  /** The thread of a run; null for a batch. */
  readonly owner: string | null;
  /** Each with the time at which it begins, in seconds since 1970. The first one begins with the record. */
  readonly states: readonly { readonly status: string; readonly at: number }[];
}

/** The maximum number of records that may still change: all of them are made to find the next changes, which takes a while. */
const maxChanging = 20_000;

/** The time of the next change of status, or at which a record appears; undefined if nothing will change. */
export const findNextChange = (world: World): number | undefined => {
  const lists = kinds.flatMap((kind) => world.lists<Resource>(kind));
  const [first] = listHistories(world, 1);
  const changes = [
    first && nextIn(first.states, world.clock.now()),
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
  let count = 0;
  const coming: Ranked[] = [];
  /** At most `limit`, in order. */
  const past: Ranked[] = [];
  const lists = [runs, batches].flatMap((kind) =>
    world.lists<Resource>(kind).map((list) => ({ kind, entries: list.entries().toReversed() })),
  );
  for (const { kind, entries } of lists)
    for (const entry of entries) {
      const end = endOf(entry, kind);
      const oldest = past[limit - 1];
      if (end <= now && (coming.length >= limit || (oldest && end < oldest.at))) {
        if (entry.isWritten) continue;
        break; // all older seeded ones ended earlier
      }
      if (!`${entry.id} ${entry.owner}`.toLowerCase().includes(text)) continue;
      if (end > now && ++count > maxChanging)
        throw new Error(
          `Failed to find the next changes: more than ${maxChanging} runs and batches may still change. Use a scenario with fewer active records.`,
        );
      const states = statesOf(entry);
      const history: StatusHistory = {
        kind: kind === runs ? 'runs' : 'batches',
        id: entry.id,
        owner: entry.owner || null,
        states,
      };
      const next = nextIn(states, now);
      const at = next ?? states.at(-1)?.at ?? 0;
      if (next !== undefined) coming.push({ history, at });
      else past.splice(past.findLastIndex((one) => one.at >= at) + 1, 0, { history, at });
      if (past.length > limit) past.pop();
    }
  return [...coming.sort((a, b) => a.at - b.at), ...past].slice(0, limit).map(({ history }) => history);
};

/** A history, and the time of its next change, or of its last one. */
interface Ranked {
  readonly history: StatusHistory;
  readonly at: number;
}

/** The time after which a record no longer changes; for a seeded one the latest possible, so that it need not be made. */
const endOf = (entry: RecordEntry, { lifespan = 0 }: Pick<Kind, 'lifespan'>): number =>
  entry.isWritten
    ? (entry.timeline().transitions.at(-1)?.at ?? entry.created_at)
    : entry.created_at + lifespan;

const nextIn = (states: StatusHistory['states'], now: number): number | undefined =>
  states.find(({ at }) => at > now)?.at;

const statesOf = (entry: RecordEntry): { status: string; at: number }[] => {
  const { record, transitions } = entry.timeline();
  return [{ at: entry.created_at, set: record }, ...transitions].flatMap(({ at, set }) => {
    const status: unknown = Reflect.get(set, 'status');
    return typeof status === 'string' ? [{ status, at }] : [];
  });
};
