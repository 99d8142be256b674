import { getEventListeners } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { wait } from './wait.ts';

afterEach(() => void vi.useRealTimers());

test.each(['time', 'signal'])('a wait that the %s ends leaves no timer and no listener', async (how) => {
  vi.useFakeTimers();
  const abort = new AbortController();
  const ended = wait(100, abort);
  if (how === 'signal') abort.abort();
  else vi.advanceTimersByTime(100);
  await ended;
  expect([vi.getTimerCount(), getEventListeners(abort.signal, 'abort').length]).toEqual([0, 0]);
});
