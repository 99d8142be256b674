import type * as z from 'zod';
import { valueAt } from './mapping.ts';
import { endSentence } from './sentence.ts';

type Path = readonly PropertyKey[];

/** A field that a schema does not have. */
interface ExtraField {
  readonly path: Path;
  readonly name: string;
  readonly value: unknown;
}

/** A copy of a value without the fields that a schema does not have, at any depth, and these fields. */
export const splitExtraFields = <Value>(
  schema: z.ZodType,
  value: Value,
): { readonly rest: Value; readonly extra: readonly ExtraField[] } => {
  const rest = structuredClone(value);
  const issues = schema.safeParse(value).error?.issues ?? [];
  const paths = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((name) => [...issue.path, name]) : [],
  );
  return { rest, extra: takeFields(rest, paths) };
};

/** Removes the fields at these paths. */
export const takeFields = (root: unknown, paths: readonly Path[]): ExtraField[] =>
  paths.map((fieldPath) => {
    const [path, name] = [fieldPath.slice(0, -1), String(fieldPath.at(-1))];
    const holder: unknown = valueAt(root, path);
    const value = valueAt(holder, [name]);
    Reflect.deleteProperty(Object(holder), name);
    return { path, name, value };
  });

/** Puts extra fields back into the objects and lists that still exist. */
export const restoreExtraFields = (value: unknown, extra: readonly ExtraField[]): void => {
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
