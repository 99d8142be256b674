import { type Entry, type RecordedRequest, toRecordedRequest } from './entry.ts';
import { matchesFilter, type RequestFilter } from './filter.ts';
import type { Journal } from './journal.ts';
import { maxTimeout } from './max-timeout.ts';

/** The options of `requests.wait`. */
export interface WaitOptions {
  /** How many requests to wait for. Default: 1. */
  readonly count?: number | undefined;
  /** How long to wait, in real milliseconds, at most 240,000. Default: 5,000. */
  readonly timeout?: number | undefined;
  /** Ends the wait early; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves with the matching requests as soon as there are enough.
 *
 * @throws Error if they do not come in time, the session is removed, or the server is closed
 */
export const waitFor = async (
  journal: Journal,
  filter: RequestFilter,
  { count = 1, timeout = 5000, signal }: WaitOptions,
): Promise<RecordedRequest[]> => {
  if (!(Number.isInteger(count) && count >= 1 && count <= journal.size))
    throw new Error(
      `Failed to wait for ${count} requests: the number must be from 1 to ${journal.size}, the size of the journal.`,
    );
  if (!(typeof timeout === 'number' && timeout >= 0 && timeout <= maxTimeout))
    throw new Error(`Failed to wait ${timeout} ms: the timeout must be a number from 0 to ${maxTimeout}.`);
  const outcome = await new Promise<RecordedRequest[] | string>((resolve, reject) => {
    // A list of its own, since other requests may push these out of the journal.
    let found = journal.list(filter);
    let { clearCount } = journal;
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      stop();
    };
    const fail = (reason: unknown): void => {
      end();
      reject(reason);
    };
    const abort = (): void => fail(signal?.reason);
    const settle = (): void => {
      end();
      resolve(found.map(toRecordedRequest));
    };
    const giveUp = (): void => {
      end();
      const came = clearCount === journal.clearCount ? found.length : 0;
      const last = journal.list().slice(-5).map(describe).join('; ');
      resolve(
        `Failed to wait for ${count} ${count === 1 ? 'request' : 'requests'} matching ${JSON.stringify(filter)}: ${came} arrived within ${timeout} ms. The last requests: ${last || 'none'}.`,
      );
    };
    const timer = setTimeout(giveUp, timeout);
    const stop = journal.subscribe((entry) => {
      if (clearCount !== journal.clearCount) found = [];
      clearCount = journal.clearCount;
      if (matchesFilter(entry, filter)) found.push(entry);
      if (found.length >= count) settle();
    }, fail);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    else if (found.length >= count) settle();
  });
  if (typeof outcome === 'string') throw new Error(outcome); // thrown here, so that its stack shows who waits
  return outcome;
};

const describe = (entry: Entry): string => {
  const { method, path, status } = toRecordedRequest(entry);
  return `${method} ${path.slice(0, 200)} ${status ?? 'unanswered'}`;
};
