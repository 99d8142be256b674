/** Real time in milliseconds, only to measure durations: no reply depends on it. */
export const readStopwatch = (): number => performance.now();
