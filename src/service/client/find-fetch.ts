/** Taken when the module is loaded: a test may start its own MSW server later, which may refuse unknown requests. */
const { fetch: earlierFetch } = globalThis;

/** @throws Error if there is none */
export const findFetch = (url: string): typeof fetch => {
  const found: typeof fetch | undefined = earlierFetch ?? globalThis.fetch;
  if (found !== undefined) return found;
  throw new Error(
    `Failed to reach ${url}: there is no fetch here, as in Jest's environment jsdom. Use jest-fixed-jsdom, or the environment node.`,
  );
};
