import { useEffect, useState } from 'react';
import { parseJson, toJsonText } from '../../../util/json.ts';
import { tryParse } from '../../../util/try-parse.ts';
import { session } from '../../connection.ts';
import type { Form } from './form.ts';

/**
 * What was written in a form. This tab of the browser keeps it until it is saved or discarded, so that a reload or another view
 * loses nothing.
 *
 * @param name what it is the form of, such as `runs/run_1`
 */
export const useForm = (name: string) => {
  const key = `gateway-mock-form ${session} ${name}`;
  const state = useState(() => tryParse(sessionStorage.getItem(key) ?? '', parseJson) as Form | undefined); // written below
  const [form] = state;
  useEffect(() => {
    try {
      sessionStorage.setItem(key, form === undefined ? '' : toJsonText(form));
    } catch {
      // The storage is full: the form works without it.
    }
  }, [form]);
  return state;
};
