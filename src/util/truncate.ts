/** Cuts a value that a client sent, so that it fits into a message. */
export const truncate = (value: string): string => (value.length > 200 ? `${value.slice(0, 200)}…` : value);
