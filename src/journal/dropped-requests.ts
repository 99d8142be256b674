import { ControlError } from '../protocol/errors.ts';
import type { Journal } from './journal.ts';

/** The code of the error over HTTP, since a session that was removed is another reason for a 410. */
export const droppedCode = 'requests_dropped';

/**
 * Throws if the journal dropped requests that an answer would need: without them, it would be wrong.
 *
 * @param what what failed: `count the requests`
 * @throws ControlError 410
 */
export const refuseIfDropped = (journal: Journal, what: string, wayOut = ''): void => {
  if (journal.dropped > 0)
    throw new ControlError(410, `Failed to ${what}: ${describeDropped(journal)}${wayOut}`, droppedCode);
};

/** Says how many requests were dropped and why, and what helps. */
export const describeDropped = ({ dropped, droppedForMemory, wasKilled, size, memory }: Journal): string => {
  if (wasKilled)
    return 'the server was killed, and the requests before that are lost. Call requests.clear() before what you check.';
  const reasons = [
    ...(dropped > droppedForMemory
      ? [`it keeps the last ${size} (journal, --journal on the command line)`]
      : []),
    ...(droppedForMemory > 0
      ? [
          `all journals share ${memory.megabytes} MB of memory (journalMemory, --journal-memory on the command line)`,
        ]
      : []),
  ];
  const requests = dropped === 1 ? 'request' : 'requests';
  return `the journal has dropped the oldest ${dropped} ${requests}, since ${reasons.join(', and ')}. Call requests.clear() before what you check, or set a larger limit.`;
};
