import * as z from 'zod';
import { describeExpected } from './describe-expected.ts';
import { limits } from './limits.ts';
import { isMapping, type Mapping, ownValue, valueAt } from './mapping.ts';
import { didYouMean, suggest } from './nearest.ts';
import { truncate } from './truncate.ts';
import type { ValidationError } from './validation-error.ts';

type Path = ValidationError['path'];
type Issue = z.core.$ZodIssue;

interface Result<Data> {
  readonly data?: Data;
  readonly errors: readonly ValidationError[];
}

/**
 * Checks a value by a schema. Returns the parsed data, or the validation errors with readable messages, at most one more than
 * are listed.
 */
export const checkValue = <Type extends z.ZodType>(schema: Type, value: unknown): Result<z.output<Type>> => {
  try {
    const { data, error } = schema.safeParse(value);
    return error === undefined ? { data, errors: [] } : { errors: describeAll(error.issues, schema, value) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // zod cannot list more than some 125,000 issues
    return { errors: [{ path: [], message: 'more than 100,000 values are invalid' }] };
  }
};

const describeAll = (issues: readonly Issue[], schema: z.ZodType, root: unknown): ValidationError[] => {
  const errors: ValidationError[] = [];
  for (const issue of issues) {
    if (errors.length > limits.errors) break;
    errors.push(...toErrors(issue, issue.path, schema, root));
  }
  return errors.slice(0, limits.errors + 1);
};

/** @param path the path of the issue, from the root */
const toErrors = (issue: Issue, path: Path, schema: z.ZodType, root: unknown): ValidationError[] => {
  const value = valueAt(root, path);
  if (issue.code !== 'unrecognized_keys' && issue.code !== 'invalid_union')
    return [{ path, message: describeIssue(issue, value, path) }];
  const objects = objectsAt(schema, path);
  if (issue.code === 'unrecognized_keys' && objects.length < 2) return unknownKeys(issue.keys, path, objects);
  const nearest = isMapping(value) ? pickObject(objects, value) : undefined;
  if (nearest === undefined) return [{ path, message: explainValue(issue, value) }];
  // zod reports any alternative of a union, so the value is checked by the most likely alternative.
  const issues = nearest.safeParse(value).error?.issues.slice(0, limits.errors + 1) ?? [];
  return issues.flatMap((inner) =>
    inner.code === 'unrecognized_keys' && inner.path.length === 0
      ? unknownKeys(inner.keys, path, objects)
      : toErrors(inner, [...path, ...inner.path], schema, root),
  );
};

/** The alternative that knows most of the keys. */
const pickObject = (objects: readonly z.ZodObject[], value: Mapping): z.ZodObject | undefined => {
  const countUnknown = ({ shape }: z.ZodObject): number =>
    Object.keys(value).filter((key) => !Object.hasOwn(shape, key)).length;
  return objects.toSorted((a, b) => countUnknown(a) - countUnknown(b))[0];
};

/** @param objects all alternatives of the object that has these keys */
const unknownKeys = (
  keys: readonly string[],
  path: Path,
  objects: readonly z.ZodObject[],
): ValidationError[] => {
  const names = [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))];
  return keys.slice(0, limits.errors + 1).map((key) => ({
    path: [...path, key],
    message: names.includes(key)
      ? 'this key cannot be combined with the other keys'
      : `unknown key.${suggest(key, names)}`,
  }));
};

/** Describes one issue. Messages of our own schemas follow the value (`not a uuid`), or are sentences that quote it. */
const describeIssue = (issue: Issue, value: unknown, path: Path): string => {
  const isDefault = issue.message.startsWith('Invalid ');
  switch (issue.code) {
    case 'invalid_key': {
      const [inner] = issue.issues;
      return inner === undefined ? issue.message : describeIssue(inner, path.at(-1), path);
    }
    case 'invalid_value': {
      if (!isDefault) return issue.message;
      const reason = explainValue(issue, value);
      if (typeof value === 'number' && issue.values.includes(String(value)))
        return `${reason}. Put it in quotes`;
      const names = issue.values.filter((name) => typeof name === 'string');
      const question = typeof value === 'string' ? didYouMean(value, names) : '';
      return question === '' ? reason : `${reason}.${question}`;
    }
    case 'invalid_type':
      return isDefault ? explainValue(issue, value) : issue.message;
    case 'too_big':
      return `${quote(value)} is too ${isSized(issue) ? 'long' : 'large'}: at most ${issue.maximum}`;
    case 'too_small':
      return `${quote(value)} is too ${isSized(issue) ? 'short' : 'small'}: ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'invalid_format':
      return `${quote(value)} is ${isDefault ? (formats[issue.format] ?? `not a valid ${issue.format}`) : issue.message}`;
    default: {
      const isSentence =
        value === undefined || typeof value === 'object' || issue.message.includes(String(value));
      return isSentence ? issue.message : `${quote(value)} is ${issue.message}`;
    }
  }
};

const formats: Readonly<Record<string, string>> = {
  guid: 'not a uuid',
  datetime: 'not a date-time in UTC, such as 2026-01-15T12:00:00Z',
};

const isSized = ({ origin }: { readonly origin: string }): boolean =>
  origin === 'array' || origin === 'string';

const explainValue = (issue: Issue, value: unknown): string => {
  const expected = describeExpected(issue);
  return value === undefined
    ? `missing: expected ${expected}`
    : `expected ${expected}, but found ${quote(value)}`;
};

const quote = (value: unknown): string => {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return truncate(typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : String(value), 80);
};

/** The schemas of an object at a path: several if the schema is a union, or if the path leads through a union. */
const objectsAt = (schema: unknown, [key, ...rest]: Path): z.ZodObject[] =>
  alternativesOf(schema).flatMap((alternative) => {
    if (key !== undefined) return objectsAt(partOf(alternative, key), rest);
    return alternative instanceof z.ZodObject ? [alternative] : [];
  });

/** The schema of a key or an index. */
const partOf = (schema: z.ZodType, key: PropertyKey): unknown => {
  if (schema instanceof z.ZodObject) return ownValue(schema.shape, String(key));
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
};

/** The alternatives of a schema, without wrappers such as optional and default. */
const alternativesOf = (schema: unknown): z.ZodType[] => {
  // Not by the classes of `z.core`: using any of them bundles them all, with all languages, 400 kB.
  if (!(schema instanceof z.ZodType)) return [];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternativesOf);
  if (schema instanceof z.ZodLazy) return alternativesOf(schema._zod.innerType); // unlike `unwrap()`, made once
  if (schema instanceof z.ZodPipe) return alternativesOf(schema.def.out);
  return 'innerType' in schema.def ? alternativesOf(schema.def.innerType) : [schema];
};
