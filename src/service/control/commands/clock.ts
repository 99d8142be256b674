import * as z from 'zod';
import { parseDuration, parseTimestamp, toDateTime } from '../../../core/world/clock.ts';
import { lastTimestamp, maxSpeed } from '../../../core/world/clock-limits.ts';
import type { World } from '../../../core/world/world.ts';
import { type CommandsOf, command } from '../command.ts';
import { findNextChange, listHistories } from '../status-histories.ts';
import type { ClockInfo, Control } from '../types.ts';

const numberOrText = () => z.union([z.string(), z.number()]);

export const clockCommands = {
  now: command({ run: ({ world }) => toInfo(world()) }),
  advance: command({
    args: ['by'],
    input: () => z.strictObject({ by: numberOrText() }),
    example: { by: '10m' },
    writes: true,
    run: ({ world }, { by }) => moveTo(world(), world().clock.now() + parseDuration(by), by),
  }),
  set: command({
    args: ['now'],
    input: () => z.strictObject({ now: numberOrText() }),
    example: { now: '2026-01-15T13:00:00Z' },
    writes: true,
    run: ({ world }, { now }) => moveTo(world(), parseTimestamp(now), now),
  }),
  next: command({
    writes: true,
    run: ({ world }) => {
      const time = findNextChange(world());
      if (time === undefined)
        throw new Error('Failed to move to the next change: no more changes are scheduled.');
      return moveTo(world(), time, time);
    },
  }),
  upcoming: command({
    run: ({ world }) => {
      const time = findNextChange(world());
      return time === undefined ? undefined : toDateTime(time);
    },
  }),
  run: command({
    args: ['speed'],
    input: () => z.strictObject({ speed: z.number().min(0).max(maxSpeed).default(1) }),
    example: { speed: 60 },
    writes: true,
    run: ({ world }, { speed }) => {
      world().clock.run(speed);
      return toInfo(world());
    },
  }),
  freeze: command({
    writes: true,
    run: ({ world }) => {
      world().clock.run(0);
      return toInfo(world());
    },
  }),
  timeline: command({
    input: () =>
      z.strictObject({
        limit: z.int().min(0).max(10_000).default(100),
        search: z.string().exactOptional().describe('A part of the id of the record, or of its thread.'),
      }),
    example: { limit: 10 },
    run: ({ world }, { limit, search }) => listHistories(world(), limit, search),
  }),
} satisfies CommandsOf<Control['clock']>;

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
