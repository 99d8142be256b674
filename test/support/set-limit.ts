import { onTestFinished } from 'vitest';
import { limits } from '../../src/core/util/limits.ts';

/** Sets a limit until the test ends, so that little is enough to reach it. */
export const setLimit = (name: keyof typeof limits, value: number): void => {
  const before = limits[name];
  limits[name] = value;
  onTestFinished(() => {
    limits[name] = before;
  });
};
