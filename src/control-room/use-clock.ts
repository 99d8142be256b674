import { useEffect } from 'react';
import { readStopwatch } from '../core/util/stopwatch.ts';
import { createStore, refresh } from './connection.ts';
import { timeAfter } from './panels/clock/spans.ts';
import { useQuery } from './use-query.ts';

/** The world's time, in seconds since 1970. */
export interface Now {
  readonly seconds: number;
  /** 0 if it is frozen. */
  readonly speed: number;
}

const clock = createStore({ now: undefined as Now | undefined });

/** The world's time, updated as it runs; undefined until it is known. */
export const useNow = (): Now | undefined => clock.use(({ now }) => now);

/** How often displays of a running clock are updated, in milliseconds. */
const beat = 500;

/** Keeps the time up to date. Only one component calls it. */
export const useClock = (): void => {
  const { value } = useQuery('clock', async (control) => {
    const { now, speed } = await control.clock.now();
    return { seconds: Date.parse(now) / 1000, speed, at: readStopwatch() };
  });
  useEffect(() => {
    if (value === undefined) return undefined;
    const { seconds, speed, at } = value;
    const show = (): void => {
      const now = { seconds: timeAfter(readStopwatch() - at, seconds, speed), speed };
      const last = clock.get().now;
      if (last?.seconds !== now.seconds || last.speed !== speed) clock.set({ now });
    };
    show();
    const timer = speed === 0 ? undefined : setInterval(show, beat);
    return () => clearInterval(timer);
  }, [value]);
  const isRunning = (value?.speed ?? 0) > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    // A running clock changes records without events.
    const timer = setInterval(() => document.visibilityState === 'visible' && refresh(), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
};
