import { computed, effect, signal } from '@preact/signals';
import { readStopwatch } from '../util/stopwatch.ts';
import { lastTimestamp } from '../world/clock-limits.ts';
import { askAnew, noteFirstAnswer } from './live.ts';
import { useQuery, worldQuery } from './query.ts';
import { link } from './session.ts';

/** The world's current time. */
export interface Now {
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly speed: number;
}

/** The last time from the server, and when it was received. */
const received = signal<Now & { readonly at: number }>();

/** How often displays of a running clock are updated, in milliseconds; all at once. */
const beat = 500;
const beats = signal(0);

/** The world's time, updated as it runs; undefined until it is known. */
export const now = computed((): Now | undefined => {
  beats.value;
  if (received.value === undefined) return undefined;
  const { seconds, speed, at } = received.value;
  const shown = Math.floor(readStopwatch() / beat) * beat;
  const passed = (Math.max(0, shown - at) / 1000) * speed;
  return { seconds: Math.min(lastTimestamp, seconds + passed), speed };
});

/** Keeps {@link now} up to date. One component does this for the page. */
export const useClock = (): void => {
  useQuery(worldQuery, async ({ clock }) => {
    const isFirst = link.known?.world === undefined;
    try {
      const { now: time, speed } = await clock.now();
      received.value = { seconds: Date.parse(time) / 1000, speed, at: readStopwatch() };
    } finally {
      if (isFirst) noteFirstAnswer();
    }
  });
};

const isRunning = computed(() => (received.value?.speed ?? 0) > 0);

// A running clock changes records without events.
effect(() => {
  if (!isRunning.value) return undefined;
  const timers = [
    setInterval(askAnew, 1000),
    setInterval(() => {
      beats.value += 1;
    }, beat),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
});
