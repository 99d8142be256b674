import * as z from 'zod';
import { lastMoment } from './clock-limits.ts';

/** The time of one world, in seconds since 1970. */
export interface Clock {
  readonly now: () => number;
  /** How many seconds of the world pass in one second of the wall clock; 0 while it stands still. */
  readonly speed: () => number;
  /** Moves to a moment, ahead or back. */
  readonly set: (now: number) => void;
  /** Runs on from this moment at this speed. */
  readonly run: (speed: number) => void;
}

/** The only place that reads the wall clock, and only while a clock runs. */
const wallNow = (): number => Date.now() / 1000;

/** Whole milliseconds, so that ten steps of a tenth make a second. */
const toWholeMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

export const createClock = (start: number, startSpeed: number): Clock => {
  let base = toWholeMilliseconds(start);
  let speed = startSpeed;
  let since = speed === 0 ? 0 : wallNow();
  const now = (): number =>
    speed === 0 ? base : Math.min(lastMoment, toWholeMilliseconds(base + (wallNow() - since) * speed));
  const restart = (from: number, nextSpeed: number): void => {
    base = toWholeMilliseconds(from);
    speed = nextSpeed;
    since = speed === 0 ? 0 : wallNow();
  };
  return {
    now,
    speed: () => speed,
    set: (moment) => restart(moment, speed),
    run: (nextSpeed) => restart(now(), nextSpeed),
  };
};

/** A date-time text as seconds since 1970. */
export const toSeconds = (dateTime: string): number => Date.parse(dateTime) / 1000;

/** Seconds since 1970 as a date-time text in UTC. */
export const toDateTime = (seconds: number): string => new Date(Math.round(seconds * 1000)).toISOString();

/** A moment in seconds since 1970: a number of them, or a date-time text with its zone; NaN where it is none. */
export const parseMoment = (given: number | string): number => {
  if (typeof given === 'number') return given;
  return zonedDateTime.safeParse(given).success ? toSeconds(given) : Number.NaN;
};

/** A text without a zone would mean another moment on another machine. */
const zonedDateTime = z.iso.datetime({ offset: true });

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * A span of time in seconds: a number of them, or a text such as `'90s'`, `'10m'`, `'1h30m'`, `'2d'`, `'-5m'`.
 *
 * @throws Error where the text cannot be read
 */
export const parseDuration = (given: number | string): number => {
  const text = typeof given === 'number' ? `${given}s` : String(given).trim();
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(ms|s|m|h|d)/g)];
  const sign = text.startsWith('-') ? -1 : 1;
  const whole = parts.map(([part]) => part).join('');
  if (whole === '' || whole !== text.replace(/^-/, ''))
    throw new Error(
      `Failed to read the duration "${given}": it must be a number of seconds, or a text such as "90s", "10m", "1h30m" or "-2d".`,
    );
  return (
    sign * parts.reduce((sum, [, count = '', unit = '']) => sum + Number(count) * (unitSeconds[unit] ?? 0), 0)
  );
};
