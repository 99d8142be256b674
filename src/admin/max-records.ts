/** How many records one call of the admin API lists at the most: a longer list is asked for page by page. */
export const maxRecords = 1000;
