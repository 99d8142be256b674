import * as z from 'zod';
import { parseDuration, parseTimestamp, toDateTime } from '../../world/clock.ts';
import { lastTimestamp, maxSpeed } from '../../world/clock-limits.ts';
import type { World } from '../../world/world.ts';
import { command, optional, required } from '../command.ts';
import { findNextChange, listHistories } from '../status-histories.ts';

/** The time of a world. */
export interface ClockInfo {
  /** A date-time in UTC. */
  readonly now: string;
  /** Seconds of the world per second of real time; 0 if time is frozen. */
  readonly speed: number;
}

const numberOrText = () => z.union([z.string(), z.number()]);

export const clockCommands = {
  /** The time of the world. */
  now: command({
    http: 'GET /clock',
    summary: 'Returns the time of the world.',
    run: async ({ world }) => toInfo(world()),
  }),
  /**
   * Moves the clock by a number of seconds, or by a duration such as `'10m'`, `'1h30m'` or `'-2d'`.
   *
   * @throws Error if the duration cannot be read, or leads out of the years 1970 to 9999
   */
  advance: command({
    http: 'POST /clock/advance',
    summary: 'Moves the clock by a number of seconds, or by a duration such as 10m, 1h30m or -2d.',
    input: () => [required('duration', numberOrText())],
    writes: true,
    run: async ({ world }, duration: string | number) =>
      moveTo(world(), world().clock.now() + parseDuration(duration), duration),
  }),
  /**
   * Sets the clock to a date-time such as `'2026-01-15T13:00:00Z'`, or to seconds since 1970.
   *
   * @throws Error if the time cannot be read, or is not in the years 1970 to 9999
   */
  set: command({
    http: 'PUT /clock',
    summary: 'Sets the clock to a date-time such as 2026-01-15T13:00:00Z, or to seconds since 1970.',
    input: () => [required('now', numberOrText())],
    writes: true,
    run: async ({ world }, now: string | number) => moveTo(world(), parseTimestamp(now), now),
  }),
  /** Moves the clock to the next time at which a run or a batch changes its status, or a record appears. @throws Error if nothing will change */
  next: command({
    http: 'POST /clock/next',
    summary:
      'Moves the clock to the next time at which a run or a batch changes its status, or a record appears.',
    writes: true,
    run: async ({ world }) => {
      const time = findNextChange(world());
      if (time === undefined)
        throw new Error('Failed to move to the next change: no more changes are scheduled.');
      return moveTo(world(), time, time);
    },
  }),
  /** The time that `next` would move to, as a date-time; undefined if nothing will change. */
  upcoming: command({
    http: 'GET /clock/upcoming',
    summary: 'Returns the time of the next change; 204 if nothing will change.',
    run: async ({ world }) => {
      const time = findNextChange(world());
      return time === undefined ? undefined : toDateTime(time);
    },
  }),
  /** Lets the clock run, `speed` times as fast as real time. Default: 1. */
  run: command({
    http: 'POST /clock/run',
    summary: 'Lets the clock run. A speed of 60 means one minute per second. Default: 1.',
    input: () => [optional('speed', z.number().min(0).max(maxSpeed))],
    writes: true,
    run: async ({ world }, speed: number = 1) => {
      world().clock.run(speed);
      return toInfo(world());
    },
  }),
  /** Freezes the clock at its current time. */
  freeze: command({
    http: 'POST /clock/freeze',
    summary: 'Freezes the clock at its current time.',
    writes: true,
    run: async ({ world }) => {
      world().clock.run(0);
      return toInfo(world());
    },
  }),
  /**
   * The states of runs and batches, past and future: first those that change next, then those that changed last.
   *
   * @param options `limit`: how many, at most 10,000. Default: 100; `search`: a part of the id of the record or its thread
   * @throws Error if more than 20,000 runs and batches may still change
   */
  timeline: command({
    http: 'GET /clock/timeline',
    summary: 'Lists the states of runs and batches, past and future. Those that change next come first.',
    input: () => [
      optional(
        'options',
        z.strictObject({
          limit: z.int().min(0).max(10_000).exactOptional(),
          search: z.string().exactOptional().describe('A part of the id of the record, or of its thread.'),
        }),
      ),
    ],
    run: async (
      { world },
      {
        limit = 100,
        search,
      }: { readonly limit?: number | undefined; readonly search?: string | undefined } = {},
    ) => listHistories(world(), limit, search),
  }),
};

const toInfo = ({ clock }: World): ClockInfo => ({ now: toDateTime(clock.now()), speed: clock.speed() });

const moveTo = (world: World, time: number, given: unknown): ClockInfo => {
  // Date-times with a year of four digits end there.
  if (!(time >= 0 && time <= lastTimestamp))
    throw new Error(
      `Failed to set the clock to "${String(given)}": the time must be in the years 1970 to 9999, such as "2026-01-15T13:00:00Z".`,
    );
  world.clock.set(time);
  return toInfo(world);
};
