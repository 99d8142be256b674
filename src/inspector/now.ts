import { useEffect, useState } from 'preact/hooks';
import { readStopwatch } from '../journal/stopwatch.ts';
import { control, useAsk } from './live.ts';

/** The world's time at this moment. */
export interface Now {
  /** Since 1970. */
  readonly seconds: number;
  readonly pace: number;
}

/** The world's time, as it runs on; undefined until the server has told it. */
export const useNow = (): Now | undefined => {
  const { value } = useAsk(async () => {
    const { now, pace } = await control.clock.now();
    return { seconds: Date.parse(now) / 1000, pace, told: readStopwatch() };
  });
  const [, tick] = useState(0);
  const isRunning = value !== undefined && value.pace > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (value === undefined) return undefined;
  const passed = isRunning ? ((readStopwatch() - value.told) / 1000) * value.pace : 0;
  return { seconds: value.seconds + passed, pace: value.pace };
};
