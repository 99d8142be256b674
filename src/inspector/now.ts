import { useEffect, useState } from 'preact/hooks';
import { readStopwatch } from '../util/stopwatch.ts';
import { lastTimestamp } from '../world/clock-limits.ts';
import { useAsk } from './ask.ts';
import { control, followClock } from './live.ts';

/** The world's time at this moment. */
export interface Now {
  /** Since 1970. */
  readonly seconds: number;
  readonly speed: number;
}

/** What the server told last, and when: whoever shows the time goes by it, so that they agree. */
let latest: (Now & { readonly told: number }) | undefined;

/** How often a running time is shown anew, in milliseconds: by all at once. */
const beat = 500;

/** The world's time, as it runs on; undefined until the server has told it. */
export const useNow = (): Now | undefined => {
  const { value } = useAsk(async () => {
    const { now, speed } = await control.clock.now();
    followClock(speed > 0);
    latest = { seconds: Date.parse(now) / 1000, speed, told: readStopwatch() };
    return latest;
  });
  const [turn, tick] = useState(0);
  const isRunning = value !== undefined && value.speed > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    // Timers may come a little early: a moment later, so that no beat is missed.
    const timer = setTimeout(() => tick(turn + 1), beat - (readStopwatch() % beat) + 10);
    return () => clearTimeout(timer);
  }, [isRunning, turn]);
  if (value === undefined || latest === undefined) return undefined;
  const { seconds, speed, told } = latest;
  const shown = Math.floor(readStopwatch() / beat) * beat;
  const passed = (Math.max(0, shown - told) / 1000) * speed;
  return { seconds: Math.min(lastTimestamp, seconds + passed), speed };
};
