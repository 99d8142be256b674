// The fields of a record by their schemas, and what a user has written in them.
import { toJsonText } from '../../../util/json.ts';
import { isMapping, type Mapping, ownValue } from '../../../util/mapping.ts';
import { messageOf } from '../../../util/message-of.ts';
import { parseInput } from '../../parse-json.ts';

/** The part of a JSON Schema that decides on the input. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Schemas;
  readonly required?: readonly string[];
}

export type Schemas = Readonly<Record<string, FieldSchema>>;

/** A field of a record, or of an object in it. */
export interface Field {
  /** As messages of the server have it: `usage.total_tokens`. */
  readonly path: string;
  readonly keys: readonly string[];
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly editor: 'choice' | 'time' | 'number' | 'text' | 'json';
  readonly choices: readonly unknown[];
}

/** The fields of an object, with those of the objects in it. A value that does not fit its schema is edited as JSON. */
export const toFields = (
  { properties = {}, required = [] }: FieldSchema,
  values: Mapping,
  above: readonly string[] = [],
): Field[] =>
  [...new Set([...Object.keys(properties), ...Object.keys(values)])].flatMap((name) => {
    const value = ownValue(values, name);
    const schema = ownValue(properties, name) ?? {};
    const parts = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null');
    const types = parts.flatMap(({ type = 'any' }) => type);
    const [[object], [type = typeof value === 'string' ? 'string' : 'any', second]] = [
      parts,
      types.filter((one) => one !== 'null'),
    ];
    const keys = [...above, name];
    const isEmpty = value === undefined || value === null;
    const hasFields = parts.length === 1 && Object.keys(object?.properties ?? {}).length > 0;
    if (object !== undefined && hasFields && (isEmpty || isMapping(value)))
      return toFields(object, isMapping(value) ? value : {}, keys);
    const constants = parts.flatMap((part) => (part.const === undefined ? [] : [part.const]));
    if (above.length === 0 && constants.length > 0) return [];
    const choices =
      type === 'boolean' ? [true, false] : [...constants, ...parts.flatMap((part) => part.enum ?? [])];
    const wanted = choices.length > 0 ? 'choice' : second === undefined ? editorOf(name, type) : 'json';
    return {
      path: keys.join('.'),
      keys,
      isRequired: required.includes(name),
      isNullable: parts.length < (schema.anyOf?.length ?? 1) || types.includes('null'),
      editor: isEmpty || fits(wanted, choices, value) ? wanted : 'json',
      choices,
    };
  });

const editorOf = (name: string, type: string): Field['editor'] => {
  if (type === 'string') return 'text';
  if (type !== 'number' && type !== 'integer') return 'json';
  return name.endsWith('_at') ? 'time' : 'number';
};

const fits = (editor: Field['editor'], choices: readonly unknown[], value: unknown): boolean =>
  editor === 'choice' ? choices.includes(value) : typeof value === (editor === 'text' ? 'string' : 'number');

/** What a user has written, and what it began with. */
export interface Form {
  /** The record when it was begun: what others have changed since is a conflict. Empty for a new one. */
  readonly base: Mapping;
  /** What the fields begin with. */
  readonly values: Mapping;
  /** What was written in a field since, by its path. */
  readonly drafts: Readonly<Record<string, string>>;
  /** All of it as JSON, if it is written so. */
  readonly json?: string | undefined;
}

/** What stands in the input for a value. */
export const toDraft = ({ editor, isNullable }: Field, value: unknown): string => {
  if (value === undefined || (value === null && !(editor === 'choice' && isNullable))) return '';
  return editor === 'json' || editor === 'choice' ? toJsonText(value, 2) : String(value);
};

/** The record that was written. @throws Error with all problems, as the server words them: `tools: Invalid JSON …` */
export const readForm = (fields: readonly Field[], form: Form, isNew: boolean): Mapping => {
  const { values, drafts, json } = form;
  if (json !== undefined) {
    const value = parseInput(json);
    if (!isMapping(value)) throw new Error('A record must be a JSON object.');
    return value;
  }
  const problems: string[] = [];
  let record = values;
  for (const field of fields) {
    const draft = ownValue(drafts, field.path);
    if (draft === undefined) continue;
    try {
      record = writeAt(record, field.keys, toValue(field, draft, isNew));
    } catch (error) {
      problems.push(`${field.path}: ${messageOf(error)}`);
    }
    // An object in which nothing is left is null, or left out.
    const above = field.keys.slice(0, -1);
    const isEmpty = Object.values(Object(readAt(record, above))).every((one) => one === null || one === '');
    if (above.length > 0 && isEmpty) record = writeAt(record, above, isNew ? undefined : null);
  }
  if (problems.length > 0) throw new Error(problems.join('; '));
  return record;
};

const toValue = ({ keys, editor, isNullable, isRequired }: Field, draft: string, isNew: boolean): unknown => {
  const isOptional = keys.length > 1 && !isRequired && !isNullable;
  if (draft.trim() === '' && (isNew || isOptional)) return undefined;
  if (draft === '' && (isNullable || editor !== 'text')) return null;
  if (editor === 'text') return draft;
  if (editor === 'time') return toTimestamp(draft);
  if (editor === 'number') return Number.isNaN(Number(draft)) ? draft : Number(draft);
  return parseInput(draft);
};

/** Parses seconds or a date-time in UTC. Anything else is left to the server to refuse. */
export const toTimestamp = (draft: string): unknown => {
  const text = draft.trim();
  if (text === '') return null;
  if (!Number.isNaN(Number(text))) return Number(text);
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`) / 1000;
  return Number.isNaN(time) ? draft : time;
};

const own = (value: unknown, key: string): unknown => (isMapping(value) ? ownValue(value, key) : undefined);

export const readAt = (values: unknown, keys: readonly string[]): unknown => keys.reduce(own, values);

/** The values with another one at a place; undefined removes it. */
export const writeAt = (values: Mapping, [key = '', ...rest]: readonly string[], to: unknown): Mapping => {
  const inner = own(values, key);
  const next = rest.length === 0 ? to : writeAt(isMapping(inner) ? inner : {}, rest, to);
  if (next !== undefined) return { ...values, [key]: next };
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== key));
};

/** The names of the fields of which two records have different values. */
export const changedNames = (before: Mapping, after: Mapping): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => toJsonText([ownValue(before, name)]) !== toJsonText([ownValue(after, name)]),
  );

/** The parts of an error that are about a field, by its path, and the rest. */
export const splitError = (
  fields: readonly Field[],
  message: string,
): { readonly byPath: Readonly<Record<string, string>>; readonly rest: string | undefined } => {
  const byPath: Record<string, string> = {};
  const rest: string[] = [];
  let last: string | undefined;
  const parts = message.replace(/^Failed to (?:create|update) the [\w -]+(?: ".*?")?: /s, '').split('; ');
  for (const part of parts) {
    const path = fields.find(
      (one) => part.startsWith(one.path) && /^[:.[ ]/.test(part.slice(one.path.length)),
    )?.path;
    if (path !== undefined) byPath[path] = [byPath[path] ?? [], part].flat().join('; ');
    else if (last !== undefined)
      byPath[last] += `; ${part}`; // it was within a value
    else rest.push(part);
    last = path ?? last;
  }
  if (rest.length === 0) return { byPath, rest: undefined };
  return { byPath, rest: Object.keys(byPath).length === 0 ? message : rest.join('; ') };
};
