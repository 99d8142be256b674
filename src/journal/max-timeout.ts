/** The longest wait, in milliseconds: over HTTP, `fetch` itself gives up after five minutes without an answer. */
export const maxTimeout = 240_000;
