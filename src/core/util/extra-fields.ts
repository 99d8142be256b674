import type * as z from 'zod';
import { valueAt } from './mapping.ts';
import { endSentence } from './sentence.ts';

type Path = readonly PropertyKey[];

/** The paths of the fields that a schema does not have, at any depth. */
export const findExtraPaths = (schema: z.ZodType, value: unknown): Path[] =>
  (schema.safeParse(value).error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((name) => [...issue.path, name]) : [],
  );

/** A copy of a value without the fields at these paths, and these fields. */
export const takeFields = <Value>(value: Value, paths: readonly Path[]) => {
  const rest = paths.length === 0 ? value : structuredClone(value);
  const extra = paths.map((fieldPath) => {
    const [path, name] = [fieldPath.slice(0, -1), String(fieldPath.at(-1))];
    const holder = valueAt(rest, path);
    const field = { path, name, value: valueAt(holder, [name]) };
    Reflect.deleteProperty(Object(holder), name);
    return field;
  });
  return { rest, extra };
};

/** Puts extra fields back into the objects and lists that still exist. */
export const restoreFields = (value: unknown, extra: ReturnType<typeof takeFields>['extra']): void => {
  for (const { path, name, value: inner } of extra) {
    const holder = valueAt(value, path);
    if (typeof holder === 'object' && holder !== null) Object.assign(holder, { [name]: inner });
  }
};

/** The message of an error about a field that a record does not have, with the way to keep it. */
export const withKeepHint = (message: string): string =>
  message.startsWith('unknown key')
    ? `${endSentence(message)} To keep it, set the assumption extra-fields to "kept"`
    : message;
