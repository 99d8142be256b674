import { ControlError } from '../protocol/errors.ts';
import { countOf } from '../util/count-of.ts';
import { limits } from '../util/limits.ts';
import type { Entry } from './entry.ts';
import type { Journal } from './journal.ts';
import { copyRequest, describeRequest, type RecordedRequest } from './recorded-request.ts';
import { matchesFilter, type RequestFilter } from './request-filter.ts';

/** The options of `requests.wait`. */
export interface WaitOptions {
  /** What to wait for: until the reply was sent, cut or lost, or only until the request has arrived. Default: `'settled'`. */
  readonly until?: 'settled' | 'arrival' | undefined;
  /** Whether requests count that arrived before the wait (`'start'`), or only later ones (`'now'`). Default: `'start'`. */
  readonly from?: 'start' | 'now' | undefined;
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
 * @throws Error if they do not come in time; ControlError 410 if the journal has dropped requests by then; and the errors of
 * {@link collectRequests}
 */
export const waitFor = async (
  journal: Journal,
  filter: RequestFilter,
  options: WaitOptions,
): Promise<RecordedRequest[]> => {
  const { until, count = 1, timeout = 5000 } = options;
  const requests = await collectRequests(journal, filter, options);
  if (requests.length >= count) return requests;
  const last = journal.list({}, 5).map(describeRequest).join('; ');
  const reason = `${requests.length} ${until === 'arrival' ? 'arrived' : 'settled'} within ${timeout} ms. The last requests: ${last || noRequests}.`;
  const what = describeWait(filter, count);
  journal.refuseIfDropped(what, ` ${reason}`);
  throw new Error(`Failed to ${what}: ${reason}`);
};

/**
 * Resolves with the matching requests as soon as there are enough, or with those that came when the time is over.
 *
 * @throws Error if the options are invalid, the session is removed, or the server is closed; ControlError 429 if too many
 * waits are pending
 */
export const collectRequests = async (
  journal: Journal,
  filter: RequestFilter,
  { until = 'settled', from = 'start', count = 1, timeout = 5000, signal }: WaitOptions,
): Promise<RecordedRequest[]> => {
  if (!(Number.isInteger(count) && count >= 1 && count <= journal.capacity))
    throw new Error(
      `Failed to wait for ${count} requests: the number must be from 1 to ${journal.capacity}, the size of the journal.`,
    );
  if (!(timeout >= 0 && timeout <= limits.waitTimeout))
    throw new Error(
      `Failed to wait ${timeout} ms: the timeout must be a number from 0 to ${limits.waitTimeout}.`,
    );
  let { clearCount } = journal;
  let after = from === 'now' ? journal.total : 0;
  const counts = ({ outcome, ordinal }: RecordedRequest): boolean =>
    (until === 'arrival' || outcome !== 'pending') && ordinal > after;
  // Collected here by their numbers, since other requests may push these out of the journal, and a late reply replaces its entry.
  const found = new Map<number, RecordedRequest>();
  for (const request of journal.list(filter)) if (counts(request)) found.set(request.ordinal, request);
  const forgetCleared = (): void => {
    if (clearCount === journal.clearCount) return;
    clearCount = journal.clearCount;
    found.clear();
    after = 0;
  };
  if (found.size < count) {
    // The session itself has one further listener.
    if (journal.listeners > limits.waits)
      throw new ControlError(
        429,
        `Failed to ${describeWait(filter, count)}: ${limits.waits} waits of this session are pending, the maximum. Await some of them first.`,
      );
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        stop();
        settle();
      };
      const fail = (reason: unknown): void => end(() => reject(reason));
      const abort = (): void => fail(signal?.reason);
      const consider = (entry: Entry): void => {
        forgetCleared();
        try {
          if (counts(entry.request) && matchesFilter(entry, filter)) found.set(entry.ordinal, entry.request);
        } catch (error) {
          fail(error); // a pattern on a masked value
        }
        if (found.size >= count) end(resolve);
      };
      const timer = setTimeout(() => end(resolve), timeout);
      const stop = journal.subscribe({ onEntry: consider, onEntrySettled: consider, onEnd: fail });
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
    });
    forgetCleared();
  }
  return [...found.values()].sort((a, b) => a.ordinal - b.ordinal).map((request) => copyRequest(request));
};

const describeWait = (filter: RequestFilter, count: number): string =>
  `wait for ${countOf(count, 'request')} matching ${JSON.stringify(filter)}`;

/** The text if no request came, with possible reasons. */
export const noRequests =
  'none. Check the base URL of the client; in process, also that gateway.listen() was called, and that no other MSW server started later';
