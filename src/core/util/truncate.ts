/** Cuts a value that a client sent, so that it fits into a message. */
export const truncate = (value: string, max = 200): string =>
  value.length > max ? `${value.slice(0, max)}…` : value;
