// How much is run: `npm test` takes as much as one waits for, `npm run test:all` everything.
/// <reference types="vite/client" />
import fc from 'fast-check';

/** Whether properties are tried as often, and volumes are as large, as they may be. */
export const isFull = import.meta.env.MODE === 'full';

/** A volume: in full, or what shows the same in a fraction of the time. */
export const volume = (full: number, quick: number): number => (isFull ? full : quick);

/** How often a property is tried, as an option of fast-check. */
export const tries = (full: number) => ({ numRuns: volume(full, Math.min(full, 8)) });

/** For properties that say nothing else. One that hangs fails, by its name, instead of going on for ever. */
export const configureProperties = (): void =>
  fc.configureGlobal({ ...tries(100), interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true });
