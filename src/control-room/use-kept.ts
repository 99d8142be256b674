import { useSessionStorage } from '@mantine/hooks';
import { parseJson, toJsonText } from '../core/util/json.ts';
import { tryParse } from '../core/util/try-parse.ts';
import { session } from './connection.ts';

/**
 * What was written in a form. This tab of the browser keeps it, so that a reload or another view loses nothing.
 *
 * @param name what it is the form of, such as `runs/run_1`
 */
export const useKept = <Value>(name: string) =>
  useSessionStorage<Value | undefined>({
    key: `gateway-mock-form ${session} ${name}`,
    getInitialValueInEffect: false,
    serialize: (value) => (value === undefined ? '' : toJsonText(value)),
    deserialize: (text) => tryParse(text ?? '', parseJson) as Value | undefined, // as serialized
  });
