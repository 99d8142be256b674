/** The longest wait, in milliseconds: `fetch` itself gives up after five minutes without a reply. */
export const maxTimeout = 240_000;
