import * as z from 'zod';
import { readStopwatch } from '../util/stopwatch.ts';
import { truncate } from '../util/truncate.ts';
import { lastTimestamp } from './clock-limits.ts';

/** The clock of one world. Times are in seconds since 1970. */
export interface Clock {
  readonly now: () => number;
  /** World seconds per real second; 0 while the clock is frozen. */
  readonly speed: () => number;
  /** Moves the clock to a time, forward or back. */
  readonly set: (now: number) => void;
  /** Continues from the present time at this speed. */
  readonly run: (speed: number) => void;
  /** How many times the clock was set or run. */
  readonly changes: () => number;
}

export const createClock = (start: number, startSpeed: number): Clock => {
  let base = toWholeMilliseconds(start);
  let speed = startSpeed;
  let since = speed === 0 ? 0 : realNow();
  const now = (): number =>
    speed === 0 ? base : Math.min(lastTimestamp, toWholeMilliseconds(base + (realNow() - since) * speed));
  let changes = 0;
  const restart = (from: number, nextSpeed: number): void => {
    changes += 1;
    base = toWholeMilliseconds(from);
    speed = nextSpeed;
    since = speed === 0 ? 0 : realNow();
  };
  return {
    now,
    speed: () => speed,
    set: (time) => restart(time, speed),
    run: (nextSpeed) => restart(now(), nextSpeed),
    changes: () => changes,
  };
};

/**
 * Real time in seconds, read only while a clock runs. It is monotonic: the machine's own clock may be set back or forward
 * at any time.
 */
const realNow = (): number => readStopwatch() / 1000;

/** Rounds to milliseconds, so that ten steps of 0.1 s make exactly 1 s. */
const toWholeMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Converts a date-time such as `2026-01-15T12:00:00Z` to seconds since 1970. */
export const toSeconds = (dateTime: string): number => Date.parse(dateTime) / 1000;

/** Converts seconds since 1970 to a date-time in UTC. */
export const toDateTime = (seconds: number): string => new Date(Math.round(seconds * 1000)).toISOString();

/** Reads a time, in seconds since 1970 or as a date-time with a zone. Returns seconds since 1970, or NaN if it is invalid. */
export const parseTimestamp = (timestamp: number | string): number => {
  if (typeof timestamp === 'number') return timestamp;
  return zonedDateTime.safeParse(timestamp).success ? toSeconds(timestamp) : Number.NaN;
};

/** Without a zone, the same text would mean different times on different machines. */
const zonedDateTime = z.iso.datetime({ offset: true });

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** The most seconds that a number without a unit may mean: beyond, it is likely to be milliseconds. */
const maxBareSeconds = 100_000;

const maxDuration = 200;

/**
 * Reads a duration: a number of seconds, or a text such as `'90s'`, `'10m'`, `'1h30m'`, `'2d'` or `'-5m'`.
 *
 * @returns seconds
 * @throws Error if the text is not a duration, or the number is above 100,000
 */
export const parseDuration = (duration: number | string): number => {
  if (typeof duration === 'number' && Number.isFinite(duration) && Math.abs(duration) > maxBareSeconds)
    throw new Error(
      `Failed to read the duration ${duration}: a number without a unit is in seconds. Write "7d" or "${duration}s", or did you mean milliseconds, "${duration}ms"?`,
    );
  const text = typeof duration === 'number' ? `${duration}s` : String(duration).trim();
  const sign = text.startsWith('-') ? -1 : 1;
  const amount = text.replace(/^-/, '');
  // A search in very many digits would take minutes.
  const isLong = amount.length > maxDuration;
  const parts = isLong ? [] : [...amount.matchAll(/(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(ms|s|m|h|d)/g)];
  const matched = parts.map(([part]) => part).join('');
  if (matched === '' || matched !== amount)
    throw new Error(
      `Failed to read the duration "${truncate(String(duration))}": expected a number of seconds, or a duration such as "90s", "10m", "1h30m" or "-2d".`,
    );
  return (
    sign * parts.reduce((sum, [, count = '', unit = '']) => sum + Number(count) * (unitSeconds[unit] ?? 0), 0)
  );
};
