/** Real time in milliseconds, for durations alone: no answer depends on it. */
export const readStopwatch = (): number => performance.now();
