import { useRef } from 'preact/hooks';

/** The last value that there was: while a question is asked anew, its old answer stays on the screen. */
export const useLast = <Value>(value: Value | undefined): Value | undefined => {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
};
