import * as z from 'zod';
import { toJsonText } from '../util/json.ts';
import { didYouMean, suggest } from '../util/nearest.ts';
import type { ScenarioMistake } from './scenario-error.ts';

type Path = readonly PropertyKey[];

/** Checks a value by a schema. Returns the parsed data, or the mistakes with readable messages. */
export const checkValue = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { readonly data?: z.output<Schema>; readonly mistakes: readonly ScenarioMistake[] } => {
  const result = schema.safeParse(value);
  if (result.success) return { data: result.data, mistakes: [] };
  const mistakes = result.error.issues
    .flatMap((issue) => pickAgain(issue, schema, value))
    .flatMap((issue) => toMistakes(issue, schema, value, []));
  return { mistakes };
};

/** The mistakes that a schema finds in a value. */
export const findMistakes = (schema: z.ZodType, value: unknown): readonly ScenarioMistake[] =>
  checkValue(schema, value).mistakes;

type Issue = z.core.$ZodIssue;

const toMistakes = (issue: Issue, schema: z.ZodType, root: unknown, above: Path): ScenarioMistake[] => {
  const path = [...above, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys': {
      const names = namesAt(schema, path);
      return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(key, names) }));
    }
    case 'invalid_union': {
      const branches = branchesOf(issue);
      return (
        pickBranch(branches)?.flatMap((one) => toMistakes(one, schema, root, path)) ?? [
          { path, message: describeExpected(valueAt(root, path), branches.flat().flatMap(expectedOf)) },
        ]
      );
    }
    default:
      return [{ path, message: describeIssue(issue, path, schema, valueAt(root, path)) }];
  }
};

/** Describes one mistake. Messages of our own schemas follow the value (`not a uuid`), or are sentences that quote it. */
const describeIssue = (issue: Issue, path: Path, schema: z.ZodType, given: unknown): string => {
  switch (issue.code) {
    case 'invalid_key': {
      const [inner] = issue.issues;
      if (inner !== undefined && namesAt(schema, path.slice(0, -1)).length === 0)
        return describeIssue(inner, path, schema, path.at(-1));
      return unknownKey(String(path.at(-1)), namesAt(schema, path.slice(0, -1)));
    }
    case 'invalid_value': {
      if (!isDefault(issue)) return issue.message;
      const refusal = describeExpected(given, issue.values.map(quote));
      if (typeof given === 'number' && issue.values.includes(String(given)))
        return `${refusal}. Put it in quotes`;
      return refusal + (typeof given === 'string' ? askFor(given, issue.values) : '');
    }
    case 'invalid_type':
      return isDefault(issue) ? describeExpected(given, expectedOf(issue)) : issue.message;
    case 'too_big':
      return `${quote(given)} is too ${isSized(issue) ? 'long' : 'large'}: at most ${issue.maximum}`;
    case 'too_small':
      return `${quote(given)} is too ${isSized(issue) ? 'short' : 'small'}: ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'invalid_format':
      return `${quote(given)} is ${isDefault(issue) ? toFormat(issue.format) : issue.message}`;
    default: {
      const isSentence =
        given === undefined || typeof given === 'object' || issue.message.includes(String(given));
      return isSentence ? issue.message : `${quote(given)} is ${issue.message}`;
    }
  }
};

/** Whether an issue has zod's default message. */
const isDefault = ({ message }: Issue): boolean => message.startsWith('Invalid ');

const isSized = ({ origin }: { readonly origin: string }): boolean =>
  origin === 'array' || origin === 'string';

const describeExpected = (given: unknown, expected: readonly string[]): string => {
  // A number fails a check for numbers only if it is NaN or infinite.
  const wanted = [...new Set(expected)].join(' or ');
  const kind = typeof given === 'number' ? wanted.replace('a number', 'a finite number') : wanted;
  return given === undefined ? `missing: expected ${kind}` : `expected ${kind}, but found ${quote(given)}`;
};

/** The issues of each alternative of a union, including nested unions. */
const branchesOf = ({ errors }: z.core.$ZodIssueInvalidUnion): (readonly Issue[])[] =>
  errors.flatMap((issues) => {
    const [only] = issues;
    const isUnion = issues.length === 1 && only?.code === 'invalid_union' && only.path.length === 0;
    return isUnion ? branchesOf(only) : [issues];
  });

/** The alternative that was most likely meant: the one that knows most of the keys. */
const pickBranch = (branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined => {
  const fitting = branches.filter((issues) =>
    issues.every((issue) => issue.path.length > 0 || issue.code !== 'invalid_type'),
  );
  return fitting.toSorted((a, b) => countUnknownKeys(a) - countUnknownKeys(b) || a.length - b.length)[0];
};

/**
 * For unknown keys in a union, zod may report the wrong alternative. So the value is checked by each alternative, and the
 * one that was most likely meant is picked.
 */
const pickAgain = (issue: Issue, schema: z.ZodType, root: unknown): readonly Issue[] => {
  if (issue.code !== 'unrecognized_keys') return [issue];
  const options = schemasAt(schema, issue.path).flatMap(optionsOf);
  if (options.length < 2) return [issue];
  const given = valueAt(root, issue.path);
  const picked = pickBranch(options.map((option) => option.safeParse(given).error?.issues ?? []));
  return picked?.map((one) => ({ ...one, path: [...issue.path, ...one.path] })) ?? [issue];
};

const countUnknownKeys = (issues: readonly Issue[]): number =>
  issues.reduce((sum, issue) => {
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0) return sum + issue.keys.length;
    return issue.code === 'invalid_key' && issue.path.length === 1 ? sum + 1 : sum;
  }, 0);

const unknownKey = (key: string, names: readonly string[]): string =>
  names.includes(key) // in another alternative of the union
    ? 'this key cannot be combined with the other keys'
    : `unknown key.${suggest(key, [...new Set(names)])}`;

/** Suggests the nearest value, for messages that already list all values. */
const askFor = (given: string, names: readonly unknown[]): string => {
  const question = didYouMean(
    given,
    names.filter((name) => typeof name === 'string'),
  );
  return question === '' ? '' : `.${question}`;
};

const expectedOf = (issue: Issue): string[] => {
  if (issue.code !== 'invalid_type') return [];
  const names: Readonly<Record<string, string>> = {
    int: 'whole number',
    record: 'mapping',
    object: 'mapping',
    array: 'list',
  };
  return [`a ${names[issue.expected] ?? issue.expected}`];
};

const toFormat = (format: string): string =>
  ({ guid: 'not a uuid', datetime: 'not a date-time in UTC, such as 2026-01-15T12:00:00Z' })[format] ??
  `not a valid ${format}`;

const quote = (value: unknown): string => {
  const text = typeof value === 'number' ? String(value) : toJson(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

/** An object in code may contain values that JSON cannot. */
const toJson = (value: unknown): string => {
  try {
    return toJsonText(value) ?? String(value);
  } catch {
    return String(value);
  }
};

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) => (Object.hasOwn(Object(value), key) ? Reflect.get(Object(value), key) : undefined),
    root,
  );

/** The keys that the schema knows at a path. */
const namesAt = (schema: unknown, path: Path): string[] =>
  schemasAt(schema, path)
    .flatMap(optionsOf)
    .flatMap((option) => {
      if (option instanceof z.ZodObject) return Object.keys(option.shape);
      const keyType = option instanceof z.ZodRecord ? option.keyType : undefined;
      return keyType instanceof z.ZodEnum ? keyType.options.map(String) : [];
    });

/** The schemas at a path: several if the path leads through a union. */
const schemasAt = (schema: unknown, path: Path): unknown[] => {
  const [key, ...rest] = path;
  if (key === undefined) return [schema];
  return optionsOf(schema).flatMap((option) => {
    if (option instanceof z.ZodObject) return schemasAt(option.shape[String(key)], rest);
    if (option instanceof z.ZodRecord) return schemasAt(option.valueType, rest);
    return option instanceof z.ZodArray ? schemasAt(option.element, rest) : [];
  });
};

/** The alternatives of a schema, without wrappers such as optional and default. */
const optionsOf = (schema: unknown): z.ZodType[] => {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(optionsOf);
  if (
    schema instanceof z.ZodLazy ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable
  )
    return optionsOf(unwrap(schema));
  if (schema instanceof z.ZodPipe) return optionsOf(schema.def.out);
  return schema instanceof z.ZodType ? [schema] : [];
};

/** A lazy schema is made anew each time that it is unwrapped, which takes long for each of many mistakes. */
const unwrapped = new WeakMap<z.ZodType, unknown>();

const unwrap = (schema: z.ZodType & { readonly unwrap: () => unknown }): unknown => {
  if (!unwrapped.has(schema)) unwrapped.set(schema, schema.unwrap());
  return unwrapped.get(schema);
};
