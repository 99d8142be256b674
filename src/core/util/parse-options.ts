import type * as z from 'zod'; // types only: `connect` is bundled without zod
import { describeExpected, show } from './describe-expected.ts';
import { didYouMean } from './nearest.ts';

/** A schema for each option of an interface. The compiler checks their types, and that none is missing. */
export type OptionSchemas<Options> = { readonly [Name in keyof Options]-?: z.ZodType<Options[Name]> };

/**
 * Parses options, also for users without TypeScript: if a misspelt option were ignored, a test would test something else.
 * An undefined option gets its default. A message of a schema says what is expected, such as `'a function'`.
 *
 * @throws Error on an unknown option or a wrong value, with the nearest name or value
 */
export const parseOptions = <Schema extends z.ZodObject>(
  schema: Schema,
  options: unknown,
): z.output<Schema> => {
  const { data, error } = schema.safeParse(options, { error: toExpected, reportInput: true, jitless: true });
  if (error === undefined) return data;
  const first = error.issues.map(toInner)[0];
  const unknown = error.issues.find(({ code }) => code === 'unrecognized_keys');
  if (unknown?.code === 'unrecognized_keys' && unknown.path.length === 0)
    throw unknownOption(String(unknown.keys[0]), Object.keys(schema.shape));
  if (first === undefined || first.path.length === 0)
    throw new Error(
      `The options must be an object, such as { scenario: 'default' }, but found ${show(options)}.`,
    );
  throw wrongOption(toName(first.path), first.message, first.input, valuesOf(first));
};

/** Returns what a schema expects instead of a value; undefined if the value is valid. */
export const findExpected = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: toExpected }).error?.issues[0]?.message;

/** @returns the error for an option that does not exist */
export const unknownOption = (name: string, names: readonly string[]): Error =>
  new Error(`Unknown option "${name}".${didYouMean(name, names)} Known options: ${names.join(', ')}.`);

/** @param values all valid values, if there are only some */
export const wrongOption = (
  name: string,
  expected: string,
  found: unknown,
  values: readonly string[] = [],
): Error => {
  const hint = typeof found === 'string' ? didYouMean(found, values) : '';
  return new Error(`The option "${name}" must be ${expected}, but found ${show(found)}.${hint}`);
};

/** If several schemas could accept a value, returns the issue inside it, such as a misspelt name at `strict[0]`. */
const toInner = (issue: z.core.$ZodIssue): z.core.$ZodIssue => {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flat().find(({ path }) => path.length > 0);
  return inner === undefined ? issue : { ...inner, path: [...issue.path, ...inner.path] };
};

/** Describes what a schema expects, if it has no message of its own. */
const toExpected = (issue: z.core.$ZodRawIssue): string | undefined =>
  valuesOf(issue).length > 10 ? 'a known name' : describeExpected(issue);

const valuesOf = (issue: z.core.$ZodRawIssue | z.core.$ZodIssue): readonly string[] =>
  issue.code === 'invalid_value' ? (issue.values as readonly unknown[]).map(String) : [];

/** `faults[0]` */
const toName = ([name, ...rest]: readonly PropertyKey[]): string =>
  [String(name), ...rest.map((key) => `[${String(key)}]`)].join('');
