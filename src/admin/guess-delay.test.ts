import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGuessDelay } from './guess-delay.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('refuses at most 100 guesses in half a second, and drops the others', () => {
  const delayGuess = createGuessDelay();
  let [refused, dropped] = [0, 0];
  const guess = (count: number): void => {
    for (let at = 0; at < count; at += 1)
      delayGuess(
        () => {
          refused += 1;
        },
        () => {
          dropped += 1;
        },
      );
  };
  guess(250);
  expect([refused, dropped, vi.getTimerCount()]).toEqual([0, 150, 100]);
  vi.advanceTimersByTime(499);
  guess(1);
  expect([refused, dropped]).toEqual([0, 151]);
  vi.advanceTimersByTime(1);
  expect([refused, vi.getTimerCount()]).toEqual([100, 0]);
  guess(1);
  vi.advanceTimersByTime(500);
  expect([refused, dropped]).toEqual([101, 151]);
});
