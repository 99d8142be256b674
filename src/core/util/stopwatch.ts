/** Real time in milliseconds, to measure durations. It is monotonic: it does not follow changes of the machine's clock. */
export const readStopwatch = (): number => performance.now();

/** The time of the machine's clock, in milliseconds since 1970: only to be shown. */
export const readWallClock = (): number => Date.now();
