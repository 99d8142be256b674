/** The time of one world, in seconds since 1970. It stands still until somebody moves it. */
export interface Clock {
  readonly now: () => number;
}

export const createClock = (start: number): Clock => ({ now: () => start });

/** A date-time text as seconds since 1970. */
export const toSeconds = (dateTime: string): number => Math.floor(Date.parse(dateTime) / 1000);

/** Seconds since 1970 as a date-time text in UTC. */
export const toDateTime = (seconds: number): string => new Date(seconds * 1000).toISOString();
