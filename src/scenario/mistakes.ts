import { z } from 'zod';
import { nearest } from '../protocol/nearest.ts';

type Path = readonly PropertyKey[];

/** One thing that is wrong in a scenario. */
export interface Mistake {
  /** Where it stands: `['threads', 'thread_a', 'runs']`. */
  readonly path: Path;
  readonly message: string;
  /** The file, and the place in it, where the scenario came from one. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Everything that is wrong in a scenario, at once. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly mistakes: readonly Mistake[];

  constructor(title: string, mistakes: readonly Mistake[]) {
    super(
      `Failed to load the scenario ${title}:\n${mistakes.map((mistake) => `  - ${describeMistake(mistake)}`).join('\n')}`,
    );
    this.mistakes = mistakes;
  }
}

/** One line: where, and what. */
export const describeMistake = ({ path, message, file, line, column }: Mistake): string => {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}:${column} `;
  return `${place}${path.length === 0 ? '' : `${toPathText(path)}: `}${message}`;
};

const toPathText = (path: Path): string =>
  path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`,
    '',
  );

/** What a schema finds wrong in a value, in words that help. */
export const findMistakes = (schema: z.ZodType, value: unknown): Mistake[] => {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => toMistakes(issue, schema, value, []));
};

type Issue = z.core.$ZodIssue;

const toMistakes = (issue: Issue, schema: z.ZodType, root: unknown, above: Path): Mistake[] => {
  const path = [...above, ...issue.path];
  const given = valueAt(root, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: `there is no such key${suggest(key, namesAt(schema, path))}`,
      }));
    case 'invalid_union':
      return (
        pickBranch(issue.errors, path, schema, root) ?? [
          { path, message: `${quote(given)} is of none of the kinds that it may be` },
        ]
      );
    case 'invalid_key': {
      const names = namesAt(schema, path.slice(0, -1));
      return [{ path, message: `there is no such key${suggest(String(path.at(-1)), names)}` }];
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      return [
        {
          path,
          message: `expected ${values.map((one) => `"${one}"`).join(' or ')}, but found ${quote(given)}${typeof given === 'string' ? suggest(given, values) : ''}`,
        },
      ];
    }
    case 'invalid_type':
      return [
        {
          path,
          message:
            given === undefined
              ? `it is missing: expected ${toArticle(issue.expected)}`
              : `expected ${toArticle(issue.expected)}, but found ${quote(given)}`,
        },
      ];
    case 'too_big':
      return [{ path, message: `${quote(given)} is too large: at most ${issue.maximum}` }];
    case 'too_small':
      return [{ path, message: `${quote(given)} is too small: at least ${issue.minimum}` }];
    default:
      return [
        {
          path,
          message: given === undefined ? issue.message : `${issue.message}, but found ${quote(given)}`,
        },
      ];
  }
};

/** Of the alternatives of a union, the one that the value was most likely meant for: that which comes furthest. */
const pickBranch = (
  branches: readonly (readonly Issue[])[],
  path: Path,
  schema: z.ZodType,
  root: unknown,
): Mistake[] | undefined => {
  const fitting = branches.filter((issues) =>
    issues.every((issue) => issue.path.length > 0 || issue.code !== 'invalid_type'),
  );
  const [best] = fitting.toSorted((a, b) => a.length - b.length || depthOf(b) - depthOf(a));
  return best?.flatMap((issue) => toMistakes(issue, schema, root, path));
};

const depthOf = (issues: readonly Issue[]): number => Math.max(0, ...issues.map(({ path }) => path.length));

const suggest = (given: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `. Did you mean "${nearest(given, names)}"?`;

const toArticle = (type: string): string => {
  const name = { int: 'whole number', record: 'mapping', object: 'mapping', array: 'list' }[type] ?? type;
  return name === 'never' ? 'nothing' : `a ${name}`;
};

const quote = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) => (Object.hasOwn(Object(value), key) ? Reflect.get(Object(value), key) : undefined),
    root,
  );

/** The keys that the schema knows at a path, for the nearest right one. */
const namesAt = (schema: unknown, path: Path): string[] => {
  const [key, ...rest] = path;
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => namesAt(option, path));
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable
  )
    return namesAt(schema.unwrap(), path);
  if (schema instanceof z.ZodObject)
    return key === undefined ? Object.keys(schema.shape) : namesAt(schema.shape[String(key)], rest);
  if (schema instanceof z.ZodRecord) {
    if (key !== undefined) return namesAt(schema.valueType, rest);
    return schema.keyType instanceof z.ZodEnum ? schema.keyType.options.map(String) : [];
  }
  if (schema instanceof z.ZodArray) return namesAt(schema.element, rest);
  return [];
};
