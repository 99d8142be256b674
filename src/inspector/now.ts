import { useEffect, useState } from 'preact/hooks';
import { readStopwatch } from '../util/stopwatch.ts';
import { lastTimestamp } from '../world/clock-limits.ts';
import { useAsk } from './ask.ts';
import { control, followClock } from './live.ts';

/** The world's current time. */
export interface Now {
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly speed: number;
}

/** The last time from the server, and when it was received. All displays of the time share it. */
let latest: (Now & { readonly receivedAt: number }) | undefined;

/** How often displays of a running clock are updated, in milliseconds; all at once. */
const beat = 500;

/** The world's time, updated as it runs; undefined until it is known. */
export const useNow = (): Now | undefined => {
  const { value } = useAsk(async () => {
    const { now, speed } = await control.clock.now();
    followClock(speed > 0);
    latest = { seconds: Date.parse(now) / 1000, speed, receivedAt: readStopwatch() };
    return latest;
  });
  const [turn, tick] = useState(0);
  const isRunning = value !== undefined && value.speed > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    // Timers may fire a little early. 10 ms later, none is missed.
    const timer = setTimeout(() => tick(turn + 1), beat - (readStopwatch() % beat) + 10);
    return () => clearTimeout(timer);
  }, [isRunning, turn]);
  if (value === undefined || latest === undefined) return undefined;
  const { seconds, speed, receivedAt } = latest;
  const shown = Math.floor(readStopwatch() / beat) * beat;
  const passed = (Math.max(0, shown - receivedAt) / 1000) * speed;
  return { seconds: Math.min(lastTimestamp, seconds + passed), speed };
};
