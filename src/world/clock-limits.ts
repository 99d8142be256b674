/** The end of the year 9999: later date-times have another form. */
export const lastMoment = 253_402_300_799;

/** The fastest speed, in seconds of the world in a second of the wall clock. */
export const maxSpeed = 1_000_000;
