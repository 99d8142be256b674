import { useEffect, useRef, useState } from 'preact/hooks';
import { toJsonText } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import { readStopwatch } from '../util/stopwatch.ts';
import { maxSilence } from './events.ts';
import { noteLoss, useLive } from './live.ts';

/** What an asynchronous question was answered. */
export interface Asked<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
}

/**
 * Asks the server, and asks again when anything there has changed, as soon as the last answer is there. That one stays
 * until the next, so that nothing flickers and the focus is not lost.
 *
 * @param inputs what the question depends on: to another one, the old answer is none
 * @param details what it depends on, too; meanwhile the answer to nearly the same question stays
 */
export const useAsk = <Value>(
  ask: () => Promise<Value>,
  inputs: readonly unknown[] = [],
  details: readonly unknown[] = [],
): Asked<Value> => {
  const revision = useLive('revision');
  const key = toJsonText(inputs);
  const question = toJsonText([inputs, details]);
  const [asked, setAsked] = useState<Asked<Value> & { readonly key: string }>({ key, ...unanswered });
  const turns = useRef<Turns>({ last: 0, answered: 0, isLate: false });
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const state = turns.current;
    const begin = (): void => {
      state.last += 1;
      state.isLate = false;
      state.underWay = { question, since: readStopwatch() };
      const turn = state.last;
      const settle = (next: (last: Asked<Value>) => Asked<Value>): void => {
        if (turn === state.last) delete state.underWay;
        if (turn < state.answered) return; // a later question was answered first
        state.answered = turn;
        setAsked((last) => ({ key, ...next(last.key === key ? last : unanswered) }));
        if (turn === state.last && state.isLate) begin();
      };
      latest.current().then(
        (value) => settle(() => ({ value, error: undefined })),
        (error: unknown) =>
          settle(({ value }) => ({ value, error: noteLoss(error) ? undefined : messageOf(error) })),
      );
    };
    // The same question again would only keep the server busy: but one that is silent may be gone.
    const { underWay } = state;
    if (underWay?.question === question && readStopwatch() - underWay.since < maxSilence) state.isLate = true;
    else begin();
  }, [revision, question]);
  useEffect(
    () => () => {
      turns.current.last += 1; // nobody asks again
    },
    [],
  );
  return asked.key === key ? asked : unanswered;
};

/** How far somebody is with their questions. */
interface Turns {
  /** The ordinal of the question that was asked last, and of the last one that was answered. */
  last: number;
  answered: number;
  underWay?: { readonly question: string; readonly since: number };
  /** Whether something has changed since the question under way was asked. */
  isLate: boolean;
}

const unanswered = { value: undefined, error: undefined };
