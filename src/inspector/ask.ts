import { useEffect, useRef, useState } from 'preact/hooks';
import { toJsonText } from '../util/json.ts';
import { messageOf } from '../util/message-of.ts';
import { readStopwatch } from '../util/stopwatch.ts';
import { maxSilence } from './events.ts';
import { noteLoss, useLive } from './live.ts';

/** The result of an asynchronous request. */
export interface Asked<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
}

/**
 * Requests data from the server, and again after each change there, once the last reply has arrived. The last reply stays
 * until then, so that nothing flickers and the focus is kept.
 *
 * @param inputs what the request depends on; if one changes, the old reply is dropped
 * @param details what the request also depends on; if one changes, the old reply stays until the next
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
    // No second request while one is open, unless the server is silent and may have stopped.
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

/** The progress of the requests of one component. */
interface Turns {
  /** The number of the last request, and of the last one with a reply. */
  last: number;
  answered: number;
  underWay?: { readonly question: string; readonly since: number };
  /** Whether something has changed since the open request was sent. */
  isLate: boolean;
}

const unanswered = { value: undefined, error: undefined };
