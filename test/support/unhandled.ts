// What becomes of a request that no handler matches, under the strategy 'error': MSW's own words.
import { expect } from 'vitest';

/** MSW 2 rejects with these words, MSW 3 has them as the cause. */
export const expectUnhandled = async (reply: Promise<Response>): Promise<void> => {
  const error = await reply.then(
    ({ status }) => new Error(`It was answered by ${status}.`),
    (reason: unknown) => reason,
  );
  const cause = error instanceof Error ? error.cause : undefined;
  expect(`${String(error)} ${String(cause)}`).toContain('Cannot bypass a request');
};
