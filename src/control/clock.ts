import { batches } from '../operations/list-batches/record.ts';
import { runs } from '../operations/list-runs/record.ts';
import { kinds } from '../scenario/schema.ts';
import { parseDuration, parseMoment, toDateTime } from '../world/clock.ts';
import { lastMoment, maxSpeed } from '../world/clock-limits.ts';
import type { Kind, Resource } from '../world/kind.ts';
import type { Entry } from '../world/record-list.ts';
import type { World } from '../world/world.ts';

/** A world's time. */
export interface ClockInfo {
  /** A date-time in UTC. */
  readonly now: string;
  /** Seconds of the world in a second of the wall clock; 0 stands still. */
  readonly speed: number;
}

/** The states of one run or batch, those that it is yet to enter among them. */
export interface Lifeline {
  readonly kind: 'runs' | 'batches';
  readonly id: string;
  /** The thread of a run; null for a batch. */
  readonly owner: string | null;
  /** Each with the moment at which it is entered, in seconds since 1970: the first is that of its creation. */
  readonly states: readonly { readonly status: string; readonly at: number }[];
}

/** The time of one world. Runs, batches and checkpoints follow it; nothing waits. */
export interface ClockControl {
  readonly now: () => Promise<ClockInfo>;
  /** Moves on by a number of seconds or a text such as `'10m'`, `'1h30m'`; back by `'-10m'`. @throws Error where it cannot be read */
  readonly advance: (duration: number | string) => Promise<ClockInfo>;
  /** Moves to a date-time such as `'2026-01-15T13:00:00Z'`, or a number of seconds since 1970. @throws Error where it cannot be read */
  readonly set: (moment: string | number) => Promise<ClockInfo>;
  /**
   * Moves to the next moment at which a run or a batch changes its state, or a record appears.
   *
   * @throws Error where nothing changes by itself any more
   */
  readonly next: () => Promise<ClockInfo>;
  /** The moment that `next` would move to, as a date-time; undefined where nothing changes by itself any more. */
  readonly upcoming: () => Promise<string | undefined>;
  /** Lets the time run on by itself, `speed` times as fast as the wall clock. Default: 1. @throws Error where it is below 0 */
  readonly run: (speed?: number) => Promise<ClockInfo>;
  readonly freeze: () => Promise<ClockInfo>;
  /**
   * The lives of runs and batches: those that change next come first, then those that changed last.
   *
   * @param options `limit`: how many. Default: 100
   */
  readonly timeline: (options?: { readonly limit?: number | undefined }) => Promise<Lifeline[]>;
}

/** How many of the newest records of each list are looked at: older ones have ended, in any scenario that is seeded. */
const depth = 500;

/** @param getWorld the world that is steered: it is asked for each time, since a reset replaces it */
export const createClockControl = (getWorld: () => World): ClockControl => {
  const clock = () => getWorld().clock;
  const info = (): ClockInfo => ({ now: toDateTime(clock().now()), speed: clock().speed() });
  const moveTo = (moment: number, given: unknown): ClockInfo => {
    // Date-times end with the year 9999 where they have four digits.
    if (!(moment >= 0 && moment <= lastMoment))
      throw new Error(
        `Failed to set the clock to "${String(given)}": it must be a moment from 1970 to 9999, such as "2026-01-15T13:00:00Z".`,
      );
    clock().set(moment);
    return info();
  };
  return {
    now: async () => info(),
    advance: async (duration) => moveTo(clock().now() + parseDuration(duration), duration),
    set: async (moment) => moveTo(parseMoment(moment), moment),
    next: async () => {
      const moment = findNextChange(getWorld());
      if (moment === undefined)
        throw new Error('Failed to move to the next change: no record changes by itself from here on.');
      return moveTo(moment, moment);
    },
    upcoming: async () => {
      const moment = findNextChange(getWorld());
      return moment === undefined ? undefined : toDateTime(moment);
    },
    run: async (speed = 1) => {
      if (!(typeof speed === 'number' && speed >= 0 && speed <= maxSpeed))
        throw new Error(`Failed to run the clock at the speed ${speed}: it must be from 0 to ${maxSpeed}.`);
      clock().run(speed);
      return info();
    },
    freeze: async () => {
      clock().run(0);
      return info();
    },
    timeline: async ({ limit = 100 } = {}) => {
      const world = getWorld();
      const now = world.clock.now();
      return [...lifelinesOf(world, runs, 'runs'), ...lifelinesOf(world, batches, 'batches')]
        .sort((a, b) => distance(a, now) - distance(b, now))
        .slice(0, limit);
    },
  };
};

const lifelinesOf = <Value extends Resource>(
  world: World,
  kind: Kind<Value>,
  name: Lifeline['kind'],
): Lifeline[] =>
  world.collections(kind).flatMap((collection) =>
    collection.newest(depth).map((entry) => ({
      kind: name,
      id: entry.id,
      owner: entry.owner === '' ? null : entry.owner,
      states: statesOf(entry),
    })),
  );

const statesOf = (entry: Entry): { status: string; at: number }[] => {
  const { record, transitions } = entry.life();
  const later = transitions.flatMap(({ at, set }) => {
    const status = statusIn(set);
    return status === undefined ? [] : [{ status, at }];
  });
  return [{ status: statusIn(record) ?? '', at: entry.created_at }, ...later];
};

const statusIn = (values: object): string | undefined => {
  const status: unknown = Reflect.get(values, 'status');
  return typeof status === 'string' ? status : undefined;
};

/** How long until its next change; where there is none, longer than any, and the longer the earlier its last one was. */
const distance = ({ states }: Lifeline, now: number): number => {
  const next = states.find(({ at }) => at > now);
  return next === undefined ? lastMoment + now - (states.at(-1)?.at ?? 0) : next.at - now;
};

const findNextChange = (world: World): number | undefined => {
  const now = world.clock.now();
  let next: number | undefined;
  for (const kind of kinds)
    for (const collection of world.collections(kind)) {
      const moments = [
        collection.nextBirth(),
        ...collection.newest(depth).map((entry) => statesOf(entry).find(({ at }) => at > now)?.at),
      ];
      for (const at of moments) if (at !== undefined && (next === undefined || at < next)) next = at;
    }
  return next;
};
