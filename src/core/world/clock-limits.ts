/** The last second of the year 9999, in seconds since 1970. Later years are written in another form. */
export const lastTimestamp = 253_402_300_799;

/** The highest speed of a clock: world seconds per real second. */
export const maxSpeed = 1_000_000;
