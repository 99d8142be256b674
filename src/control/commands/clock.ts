import * as z from 'zod';
import { parseDuration, parseTimestamp, toDateTime } from '../../world/clock.ts';
import { lastTimestamp, maxSpeed } from '../../world/clock-limits.ts';
import type { World } from '../../world/world.ts';
import { command, signature } from '../command.ts';
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
    summary: 'Returns the time of the world.',
    run: ({ world }) => toInfo(world()),
  }),
  /**
   * Moves the clock by a number of seconds, or by a duration such as `'10m'`, `'1h30m'` or `'-2d'`.
   *
   * @throws Error if the duration cannot be read, or leads out of the years 1970 to 9999
   */
  advance: command({
    summary: 'Moves the clock by a number of seconds, or by a duration such as 10m, 1h30m or -2d.',
    args: signature<[by: string | number]>('by'),
    input: () => z.strictObject({ by: numberOrText() }),
    example: { by: '10m' },
    writes: true,
    run: ({ world }, { by }) => moveTo(world(), world().clock.now() + parseDuration(by), by),
  }),
  /**
   * Sets the clock to a date-time such as `'2026-01-15T13:00:00Z'`, or to seconds since 1970.
   *
   * @throws Error if the time cannot be read, or is not in the years 1970 to 9999
   */
  set: command({
    summary: 'Sets the clock to a date-time such as 2026-01-15T13:00:00Z, or to seconds since 1970.',
    args: signature<[now: string | number]>('now'),
    input: () => z.strictObject({ now: numberOrText() }),
    example: { now: '2026-01-15T13:00:00Z' },
    writes: true,
    run: ({ world }, { now }) => moveTo(world(), parseTimestamp(now), now),
  }),
  /** Moves the clock to the next time at which a run or a batch changes its status, or a record appears. @throws Error if nothing will change */
  next: command({
    summary:
      'Moves the clock to the next time at which a run or a batch changes its status, or a record appears.',
    writes: true,
    run: ({ world }) => {
      const time = findNextChange(world());
      if (time === undefined)
        throw new Error('Failed to move to the next change: no more changes are scheduled.');
      return moveTo(world(), time, time);
    },
  }),
  /** The time that `next` would move to, as a date-time; undefined if nothing will change. */
  upcoming: command({
    summary: 'Returns the time of the next change; null if nothing will change.',
    run: ({ world }) => {
      const time = findNextChange(world());
      return time === undefined ? undefined : toDateTime(time);
    },
  }),
  /** Lets the clock run, `speed` times as fast as real time. Default: 1. */
  run: command({
    summary: 'Lets the clock run. A speed of 60 means one minute per second. Default: 1.',
    args: signature<[speed?: number]>('speed'),
    input: () => z.strictObject({ speed: z.number().min(0).max(maxSpeed).default(1) }),
    example: { speed: 60 },
    writes: true,
    run: ({ world }, { speed }) => {
      world().clock.run(speed);
      return toInfo(world());
    },
  }),
  /** Freezes the clock at its current time. */
  freeze: command({
    summary: 'Freezes the clock at its current time.',
    writes: true,
    run: ({ world }) => {
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
    summary: 'Lists the states of runs and batches, past and future. Those that change next come first.',
    args: signature<
      [options?: { readonly limit?: number | undefined; readonly search?: string | undefined }]
    >(),
    input: () =>
      z.strictObject({
        limit: z.int().min(0).max(10_000).default(100),
        search: z.string().exactOptional().describe('A part of the id of the record, or of its thread.'),
      }),
    example: { limit: 10 },
    run: ({ world }, { limit, search }) => listHistories(world(), limit, search),
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
