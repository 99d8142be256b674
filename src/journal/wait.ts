import { ControlError } from '../protocol/errors.ts';
import { describeDropped, droppedCode } from './dropped-requests.ts';
import { type Entry, type RecordedRequest, sizeOf, toRecordedRequest } from './entry.ts';
import { matchesFilter, type RequestFilter } from './filter.ts';
import type { Journal } from './journal.ts';
import type { RequestHolder } from './journal-memory.ts';
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

/** The maximum number of pending waits: in one session, and in all. */
const [maxInSession, maxInAll] = [100, 1000];

/** The number of pending waits in this process. */
let pending = 0;

/**
 * Resolves with the matching requests as soon as there are enough.
 *
 * @throws Error if they do not come in time, the session is removed, or the server is closed; ControlError 410 if the journal
 * has dropped requests by then, or 429 if too many waits are pending
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
  const what = `wait for ${count} ${count === 1 ? 'request' : 'requests'} matching ${JSON.stringify(filter)}`;
  // A list of its own, since other requests may push these out of the journal.
  let found = journal.list(filter);
  if (found.length < count) refuseTooMany(journal, what);
  const outcome = await new Promise<RecordedRequest[] | Failure>((resolve, reject) => {
    let { clearCount } = journal;
    const end = (): void => {
      pending -= 1;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      stop();
      journal.memory.set(holder, 0);
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
      const reason = `${came} arrived within ${timeout} ms. The last requests: ${last || 'none'}.`;
      const isDropped = journal.dropped > 0;
      const dropped = isDropped ? ` There may have been more: ${describeDropped(journal)}` : '';
      resolve({ reason: reason + dropped, isDropped });
    };
    /** Counts what it keeps like a journal does, and ends the wait if that is too much. */
    const holder: RequestHolder = {
      shrinkTo: () => {
        end();
        const reason = `${found.length} arrived, but there was not enough memory to keep them (journalMemory, --journal-memory on the command line).`;
        resolve({ reason, isDropped: true });
        return 0;
      },
    };
    pending += 1;
    const timer = setTimeout(giveUp, timeout);
    let size = 0;
    const hold = (entries: readonly Entry[]): void => {
      for (const entry of entries) size += sizeOf(entry);
      journal.memory.set(holder, size);
    };
    const stop = journal.subscribe((entry) => {
      if (clearCount !== journal.clearCount) [found, size] = [[], 0];
      clearCount = journal.clearCount;
      if (!matchesFilter(entry, filter)) return;
      found.push(entry);
      if (found.length >= count) settle();
      else hold([entry]);
    }, fail);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    else if (found.length >= count) settle();
    else hold(found);
  });
  if (Array.isArray(outcome)) return outcome;
  // Made here, so that its stack shows who waits.
  const message = `Failed to ${what}: ${outcome.reason}`;
  throw outcome.isDropped ? new ControlError(410, message, droppedCode) : new Error(message);
};

/** Why a wait failed, and whether the journal dropped requests that may have matched. */
interface Failure {
  readonly reason: string;
  readonly isDropped: boolean;
}

const refuseTooMany = ({ listeners }: Journal, what: string): void => {
  const isSessionFull = listeners > maxInSession; // one listener is the session's own
  if (isSessionFull || pending >= maxInAll)
    throw new ControlError(
      429,
      `Failed to ${what}: ${isSessionFull ? `${maxInSession} waits of this session` : `${maxInAll} waits`} are pending, the maximum. Await some of them first.`,
    );
};

const describe = (entry: Entry): string => {
  const { method, path, status } = toRecordedRequest(entry);
  return `${method} ${path.slice(0, 200)} ${status ?? 'unanswered'}`;
};
