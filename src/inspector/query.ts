import { effect, signal, untracked } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Control } from '../control/types.ts';
import { toJsonText } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import { readStopwatch } from '../util/stopwatch.ts';
import { maxSilence } from './events.ts';
import { lost, noteLoss, revision } from './live.ts';
import { link, openControl } from './session.ts';

/**
 * The key of the query that finds the page's world. Until it has, no other is sent: any call may begin the session, so that one
 * that is late would begin it again after somebody deleted it.
 */
export const worldQuery = 'clock';

/** What a query has returned last. */
export interface Query<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  /** Loads it again, besides after each change on the server. */
  readonly reload: () => void;
}

/** The errors of all queries that are shown. `QueryFailures` shows them above the panel. */
export const failures = signal<readonly { readonly message: string }[]>([]);

/**
 * Loads data from the server, and again after each change there, once the last reply has arrived. The last value stays until
 * then, so that nothing flickers and the focus is kept. What is still open when the component goes is aborted.
 *
 * @param key what the query depends on; if it changes, the old value is dropped
 * @param load uses the given control, which ends with the query
 * @param details what the query also depends on; if it changes, the old value stays until the next
 */
export const useQuery = <Value>(
  key: unknown,
  load: (control: Control) => Promise<Value>,
  details?: unknown,
): Query<Value> => {
  const id = toJsonText([key]);
  const question = toJsonText([key, details]);
  const [known, setKnown] = useState<Known<Value>>({ id });
  const latest = useRef(load);
  latest.current = load;
  const reload = useRef(() => {});
  useEffect(() => {
    let open: { readonly stop: AbortController; readonly since: number } | undefined;
    let isLate = false;
    const read = async (): Promise<void> => {
      if (lost.peek() !== undefined) return; // what is shown stays
      if (link.known?.world === undefined && key !== worldQuery) return;
      // No second request while one is open, unless the server is silent and may have stopped.
      isLate = open !== undefined && readStopwatch() - open.since < maxSilence;
      if (isLate) return;
      open?.stop.abort();
      const own = { stop: new AbortController(), since: readStopwatch() };
      open = own;
      const next = await latest.current(openControl(own.stop.signal)).then(
        (value) => () => ({ id, value }),
        (error: unknown) => (last: Known<Value>) => ({
          ...(last.id === id ? last : { id }),
          error: noteLoss(error) ? undefined : messageOf(error),
        }),
      );
      if (own.stop.signal.aborted) return;
      open = undefined;
      setKnown(next);
      if (isLate) void read();
    };
    reload.current = () => void read();
    const unfollow = effect(() => {
      revision.value;
      untracked(() => void read());
    });
    return () => {
      unfollow();
      open?.stop.abort();
    };
  }, [question]);
  const { value, error } = known.id === id ? known : {};
  useEffect(() => {
    if (error === undefined) return undefined;
    const own = { message: error };
    failures.value = [...failures.value, own];
    return () => {
      failures.value = failures.value.filter((one) => one !== own);
    };
  }, [error]);
  return { value, error, reload: () => reload.current() };
};

interface Known<Value> {
  /** The key that it is the answer to. */
  readonly id: string;
  readonly value?: Value;
  readonly error?: string | undefined;
}
