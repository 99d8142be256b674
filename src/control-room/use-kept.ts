import { useEffect, useState } from 'react';
import { parseJson, toJsonText } from '../util/json.ts';
import { tryParse } from '../util/try-parse.ts';
import { session } from './connection.ts';

/**
 * What was written in a form. This tab of the browser keeps it, so that a reload or another view loses nothing.
 *
 * @param name what it is the form of, such as `runs/run_1`
 */
export const useKept = <Value>(name: string) => {
  const key = `gateway-mock-form ${session} ${name}`;
  const state = useState(() => tryParse(sessionStorage.getItem(key) ?? '', parseJson) as Value | undefined); // written below
  const [value] = state;
  useEffect(() => {
    try {
      sessionStorage.setItem(key, value === undefined ? '' : toJsonText(value));
    } catch {
      // The storage is full: the form works without it.
    }
  }, [value]);
  return state;
};
