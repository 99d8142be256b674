/** The end of the year 9999: later date-times have another form. */
export const lastMoment = 253_402_300_799;

/** The fastest pace, in seconds of the world in a second of the wall clock. */
export const maxPace = 1_000_000;
