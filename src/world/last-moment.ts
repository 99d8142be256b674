/** The end of the year 9999: later date-times have another form. */
export const lastMoment = 253_402_300_799;
