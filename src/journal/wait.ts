import { type Entry, type RecordedRequest, toRecordedRequest } from './entry.ts';
import { matchesFilter, type RequestFilter } from './filter.ts';
import type { Journal } from './journal.ts';
import { maxTimeout } from './max-timeout.ts';

/** What is waited for. */
export interface WaitOptions {
  /** How many requests. Default: 1. */
  readonly count?: number | undefined;
  /** For how long, in milliseconds of real time. Default: 5,000. */
  readonly timeout?: number | undefined;
  /** Ends the wait early: then it rejects. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves with the matching requests as soon as there are enough.
 *
 * @throws Error if they do not come in time, or the session is removed
 */
export const waitFor = async (
  journal: Journal,
  filter: RequestFilter,
  { count = 1, timeout = 5000, signal }: WaitOptions,
): Promise<RecordedRequest[]> => {
  if (!(Number.isInteger(count) && count >= 1 && count <= journal.size))
    throw new Error(
      `Failed to wait for ${count} requests: it must be from 1 to ${journal.size}, which the journal keeps.`,
    );
  if (!(typeof timeout === 'number' && timeout >= 0 && timeout <= maxTimeout))
    throw new Error(`Failed to wait ${timeout} ms: it must be a number from 0 to ${maxTimeout}.`);
  const outcome = await new Promise<RecordedRequest[] | string>((resolve, reject) => {
    // Kept apart from the ring, which others may have filled by the time that the last one comes.
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
        `Failed to wait for ${count} ${count === 1 ? 'request' : 'requests'} like ${JSON.stringify(filter)}: ${came} came within ${timeout} ms. The last of all: ${last || 'none'}.`,
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
  if (typeof outcome === 'string') throw new Error(outcome); // here, so that its stack leads to who waits
  return outcome;
};

const describe = (entry: Entry): string => {
  const { method, path, status } = toRecordedRequest(entry);
  return `${method} ${path.slice(0, 200)} ${status ?? 'unanswered'}`;
};
