/** Real time in milliseconds, to measure durations. It is monotonic: it does not follow changes of the machine's clock. */
export const readStopwatch = (): number => performance.now();
