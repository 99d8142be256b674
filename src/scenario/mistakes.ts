import * as z from 'zod';
import { toJsonText } from '../util/json.ts';
import { ownValue } from '../util/mapping.ts';
import { didYouMean, suggest } from '../util/nearest.ts';
import { maxMistakes } from './limits.ts';
import type { ScenarioMistake } from './scenario-error.ts';

type Path = readonly PropertyKey[];

/**
 * Checks a value by a schema. Returns the parsed data, or the mistakes with readable messages: one more than are listed, if
 * there are so many.
 */
export const checkValue = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { readonly data?: z.output<Schema>; readonly mistakes: readonly ScenarioMistake[] } => {
  const mistakes = checkParts([schema], value, findLarge(value));
  return mistakes.length > 0 ? { mistakes } : checkWhole(schema, value);
};

const checkWhole = <Schema extends z.ZodType>(schema: Schema, value: unknown) => {
  const result = schema.safeParse(value);
  if (result.success) return { data: result.data, mistakes: [] };
  const mistakes = result.error.issues
    .slice(0, maxMistakes + 1)
    .flatMap((issue) => pickAgain(issue, schema, value))
    .flatMap((issue) => toMistakes(issue, schema, value, []))
    .slice(0, maxMistakes + 1);
  return { mistakes };
};

/**
 * Checks the parts of a large value one after the other, until there are enough mistakes. The library would report every one,
 * and throws if there are more than about 125,000. What only concerns the value as such, such as an unknown key, is not checked.
 */
const checkParts = (
  schemas: readonly unknown[],
  value: unknown,
  large: ReadonlySet<unknown>,
): ScenarioMistake[] => {
  const found: ScenarioMistake[] = [];
  if (!large.has(value)) return found;
  const options = schemas.flatMap(optionsOf);
  for (const [key, inner] of entriesOf(value)) {
    const parts = options.flatMap((option) => partOf(option, key) ?? []);
    const [schema] = parts;
    if (schema === undefined) continue;
    const { mistakes } = large.has(inner)
      ? { mistakes: checkParts(parts, inner, large) }
      : checkWhole(parts.length === 1 ? schema : z.union(parts), inner);
    for (const mistake of mistakes) found.push({ ...mistake, path: [key, ...mistake.path] });
    if (found.length > maxMistakes) break;
  }
  return found.slice(0, maxMistakes + 1);
};

function* entriesOf(value: unknown): Generator<[key: string | number, inner: unknown]> {
  if (Array.isArray(value)) yield* value.entries();
  else for (const key of Object.keys(Object(value))) yield [key, Reflect.get(Object(value), key)];
}

/** As many values are checked at once. */
const maxPart = 10_000;

/** The parts of a value that contain more values than are checked at once. */
const findLarge = (root: unknown): ReadonlySet<unknown> => {
  const large = new Set<unknown>();
  const seen = new Set<unknown>();
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return 1;
    seen.add(value);
    let size = 1;
    for (const inner of Object.values(value)) size += count(inner);
    if (size > maxPart) large.add(value);
    return size;
  };
  count(root);
  return large;
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
      return issue.keys
        .slice(0, maxMistakes + 1)
        .map((key) => ({ path: [...path, key], message: unknownKey(key, names) }));
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
      return inner === undefined ? issue.message : describeIssue(inner, path, schema, path.at(-1));
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
  issues.reduce(
    (sum, issue) =>
      issue.code === 'unrecognized_keys' && issue.path.length === 0 ? sum + issue.keys.length : sum,
    0,
  );

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
  if (findLarge(value).size > 0)
    return Array.isArray(value) ? `a list of ${value.length}` : 'a large mapping';
  const start = typeof value === 'string' ? value.slice(0, 100) : value;
  const text = typeof value === 'number' ? String(value) : toJson(start);
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
    .flatMap((option) => (option instanceof z.ZodObject ? Object.keys(option.shape) : []));

/** The schemas at a path: several if the path leads through a union. */
const schemasAt = (schema: unknown, path: Path): unknown[] => {
  const [key, ...rest] = path;
  if (key === undefined) return [schema];
  return optionsOf(schema).flatMap((option) => schemasAt(partOf(option, key), rest));
};

/** The schema of a key or an index. */
const partOf = (option: z.ZodType, key: PropertyKey): z.ZodType | undefined => {
  if (option instanceof z.ZodObject) return ownValue(option.shape, String(key));
  if (option instanceof z.ZodRecord) return option.valueType as z.ZodType;
  return option instanceof z.ZodArray ? (option.element as z.ZodType) : undefined;
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
