import * as z from 'zod';
import { parseDuration, parseTimestamp, toDateTime } from '../../../core/world/clock.ts';
import { lastTimestamp, maxSpeed } from '../../../core/world/clock-limits.ts';
import { type CommandsOf, change, command } from '../command.ts';
import type { ClockInfo, Control } from '../control-interface.ts';
import type { Session } from '../session.ts';
import { findNextChange, listHistories } from '../status-histories.ts';

const numberOrText = () => z.union([z.string(), z.number()]);

export const clockCommands = {
  now: command({
    summary: 'Returns the time of the world.',
    run: ({ session }) => toClockInfo(session),
  }),
  advance: change({
    summary:
      "Moves the clock by a number of seconds, or by a duration such as `'10m'`, `'1h30m'` or `'-2d'`.",
    args: ['by'],
    input: () => z.strictObject({ by: numberOrText() }),
    example: { by: '10m' },
    run: ({ session }, { by }) => moveTo(session, session.state.world.clock.now() + parseDuration(by), by),
  }),
  set: change({
    summary: "Sets the clock to a date-time such as `'2026-01-15T13:00:00Z'`, or to seconds since 1970.",
    args: ['now'],
    input: () => z.strictObject({ now: numberOrText() }),
    example: { now: '2026-01-15T13:00:00Z' },
    run: ({ session }, { now }) => moveTo(session, parseTimestamp(now), now),
  }),
  next: change({
    summary:
      'Moves the clock to the next time at which a run or a batch changes its status, or a record appears.',
    run: ({ session }) => {
      const time = findNextChange(session.state.world);
      if (time === undefined)
        throw new Error('Failed to move to the next change: no more changes are scheduled.');
      return moveTo(session, time, time);
    },
  }),
  upcoming: command({
    summary:
      'Returns the time of the next change, as a date-time; undefined (over HTTP: null) if nothing will change.',
    run: ({ session }) => {
      const time = findNextChange(session.state.world);
      return time === undefined ? undefined : toDateTime(time);
    },
  }),
  run: change({
    summary:
      'Lets the clock run, `speed` times as fast as real time: a speed of 60 means one minute per second.',
    args: ['speed'],
    input: () => z.strictObject({ speed: z.number().min(0).max(maxSpeed).default(1) }),
    example: { speed: 60 },
    run: ({ session }, { speed }) => {
      session.state.world.clock.run(speed);
      return toClockInfo(session);
    },
  }),
  freeze: change({
    summary: 'Freezes the clock at its current time.',
    run: ({ session }) => {
      session.state.world.clock.run(0);
      return toClockInfo(session);
    },
  }),
  timeline: command({
    summary: 'Lists the states of runs and batches, past and future.',
    input: () =>
      z.strictObject({
        limit: z.int().min(0).max(10_000).default(100),
        search: z.string().exactOptional().describe('A part of the id of the record, or of its thread.'),
      }),
    example: { limit: 10 },
    run: ({ session }, { limit, search }) => listHistories(session.state.world, limit, search),
  }),
} satisfies CommandsOf<Control['clock']>;

const toClockInfo = ({ state: { world } }: Session): ClockInfo => ({
  now: toDateTime(world.clock.now()),
  speed: world.clock.speed(),
});

const moveTo = (session: Session, time: number, text: unknown): ClockInfo => {
  // Date-times with a year of four digits end there.
  if (!(time >= 0 && time <= lastTimestamp))
    throw new Error(
      `Failed to set the clock to "${String(text)}": the time must be in the years 1970 to 9999, such as "2026-01-15T13:00:00Z".`,
    );
  session.state.world.clock.set(time);
  return toClockInfo(session);
};
