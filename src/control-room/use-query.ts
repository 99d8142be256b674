import { useSessionStorage } from '@mantine/hooks';
import { startTransition, useEffect, useRef, useState } from 'react';
import { ControlError } from '../core/protocol/errors.ts';
import { parseJson, toJsonText } from '../core/util/json.ts';
import { messageOf } from '../core/util/message-of.ts';
import { tryParse } from '../core/util/try-parse.ts';
import type { RemoteControl } from '../service/client/connect.ts';
import { control, createStore, live, session } from './connection.ts';
import { handleLoss } from './live.ts';

interface QueryOptions {
  /** What the query also depends on, such as a filter; if it changes, the old value stays until the new one has arrived. */
  readonly details?: unknown;
  /** How long `details` must stay the same before they are sent, in milliseconds, such as while somebody types. Default: 0. */
  readonly wait?: number;
}

interface Result<Value> {
  readonly key: string;
  readonly question: string;
  /** The value as JSON: an equal one renders nothing again. */
  readonly text?: string;
  readonly value?: Value | undefined;
  readonly error?: string | undefined;
}

/** The errors of the queries that are shown. `Notices` shows each message once, above the panel. */
export const failures = createStore({ all: [] as readonly { readonly message: string }[] });

/**
 * Loads data from the server, and again after each change there, once the last reply has arrived. The last value stays until
 * then, so that nothing flickers and the focus is kept. Values are plain JSON. A query that is no longer needed is aborted, on the
 * server as well.
 *
 * @param key what the query depends on; if it changes, the old value is dropped
 * @param load uses the control that it gets, which ends with the query
 */
export const useQuery = <Value>(
  key: unknown,
  load: (control: RemoteControl) => Promise<Value>,
  { details, wait = 0 }: QueryOptions = {},
) => {
  const id = toJsonText([key]);
  const question = toJsonText([key, details]);
  const [result, setResult] = useState<Result<Value>>();
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const stop = new AbortController();
    let isOpen = false;
    let isLate = false;
    const read = async (): Promise<void> => {
      const { isLost, revision } = live.get();
      if (isLost || revision === 0 || stop.signal.aborted) return; // what is shown stays
      isLate = isOpen; // no second request while one is open
      if (isOpen) return;
      isOpen = true;
      const used = control;
      try {
        const value = await latest.current(used.withSignal(stop.signal));
        const next = { key: id, question, value, text: toJsonText([value]) };
        const keepEqual = (last?: Result<Value>) =>
          last?.question === question && last.text === next.text ? last : next;
        // A transition: a long list is drawn in parts, so that the control room responds meanwhile.
        if (!stop.signal.aborted) startTransition(() => setResult(keepEqual));
      } catch (error) {
        // While the server is away, a notice says so, and the last value stays.
        if (used !== control)
          isLate = true; // meanwhile, the control room shows another world
        else if (!handleLoss(error) && error instanceof ControlError && !stop.signal.aborted)
          setResult((last) => ({
            key: id,
            question,
            value: last?.key === id ? last.value : undefined,
            error: messageOf(error),
          }));
      }
      isOpen = false;
      if (isLate) void read();
    };
    const timer = setTimeout(() => void read(), wait);
    let { revision } = live.get();
    const unsubscribe = live.subscribe(() => {
      if (live.get().revision === revision) return;
      revision = live.get().revision;
      void read();
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
      stop.abort();
    };
  }, [id, question, wait]);
  const { value, error } = result?.key === id ? result : {};
  useEffect(() => {
    if (error === undefined) return undefined;
    const failure = { message: error };
    failures.set({ all: [...failures.get().all, failure] });
    return () => failures.set({ all: failures.get().all.filter((other) => other !== failure) });
  }, [error]);
  return {
    value,
    error,
    /** Whether `value` still belongs to earlier `details`, such as while a search runs. */
    isLoading: result?.question !== question,
  };
};

/**
 * What was written in a form. This tab of the browser keeps it, so that a reload or another view loses nothing.
 *
 * @param name what it is the form of, such as `runs/run_1`
 */
export const useDraft = <Value>(name: string) =>
  useSessionStorage<Value | undefined>({
    key: `gateway-mock-form ${session} ${name}`,
    getInitialValueInEffect: false,
    serialize: (value) => (value === undefined ? '' : toJsonText(value)),
    deserialize: (text) => tryParse(text ?? '', parseJson) as Value | undefined, // as serialized
  });
