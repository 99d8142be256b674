import statuses from 'statuses';

/** The reason phrase of a status as Node sends it: `unknown` for statuses without a phrase. The core cannot import `node:http`. */
export const statusText = (status: number): string => statuses.message[status] ?? 'unknown';

/** Whether replies with this status have no body. */
export const isBodiless = (status: number): boolean => statuses.empty[status] === true;
