import { useRef } from 'preact/hooks';
import { type Asked, useAsk } from '../live.ts';
import { useNow } from '../now.ts';

/**
 * Asks as `useAsk` does, where the answer to nearly the same question stays until the next one is there: nothing
 * flickers, and the focus is not lost. While the clock runs, which tells nothing by itself, it is asked each second.
 *
 * @param inputs another one of these is another question
 * @param details another one of these asks anew, and keeps the answer meanwhile
 */
export const useSteadyAsk = <Value>(
  ask: () => Promise<Value>,
  inputs: readonly unknown[],
  details: readonly unknown[],
): Asked<Value> => {
  const now = useNow();
  const turn = now && now.pace > 0 ? Math.floor(now.seconds / now.pace) : 0;
  const key = JSON.stringify(inputs);
  const { value, error } = useAsk(async () => ({ key, answer: await ask() }), [...inputs, ...details, turn]);
  const last = useRef<{ readonly key: string; readonly answer: Value }>(undefined);
  if (value !== undefined) last.current = value;
  // For a moment there is still the answer to the question before.
  return { value: last.current?.key === key ? last.current.answer : undefined, error };
};
