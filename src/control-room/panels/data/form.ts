// The fields of a record by their schemas, and what a user has written in them.
import { toJsonText } from '../../../util/json.ts';
import { isMapping, type Mapping, ownValue } from '../../../util/mapping.ts';
import { messageOf } from '../../../util/message-of.ts';
import { parseInput } from '../../parse-json.ts';

/** The part of a JSON Schema that decides on the input. Of `anyOf`, the second may be null. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Schemas;
}

export type Schemas = Readonly<Record<string, FieldSchema>>;

/** A field of a record, or of an object in it. */
export interface Field {
  /** As messages of the server have it: `usage.total_tokens`. */
  readonly path: string;
  readonly keys: readonly string[];
  readonly editor: 'choice' | 'time' | 'number' | 'text' | 'json';
  readonly choices: readonly unknown[];
  readonly isNullable: boolean;
}

/** The whole record as one field. */
export const whole: Field = { path: '', keys: [], editor: 'json', choices: [], isNullable: false };

const editors: Readonly<Record<string, Field['editor']>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
};

/** The fields of an object, with those of the objects in it. */
export const toFields = (schemas: Schemas, values: Mapping, above: readonly string[] = []): Field[] =>
  [...new Set([...Object.keys(schemas), ...Object.keys(values)])].flatMap((name) => {
    const value = ownValue(values, name);
    const given = ownValue(schemas, name) ?? { type: typeof value };
    const schema = given.anyOf?.[0] ?? given;
    const types = [given, ...(given.anyOf ?? [])].flatMap(({ type = [] }) => type);
    const keys = [...above, name];
    if (Object.keys(schema.properties ?? {}).length > 0)
      return toFields(schema.properties ?? {}, isMapping(value) ? value : {}, keys);
    if (above.length === 0 && schema.const !== undefined) return []; // it is always the same
    const constants = schema.const === undefined ? [] : [schema.const];
    const choices = types[0] === 'boolean' ? [true, false] : (schema.enum ?? constants);
    const editor = editors[types[0] ?? ''] ?? 'json';
    const isTime = editor === 'number' && name.endsWith('_at');
    return {
      path: keys.join('.'),
      keys,
      editor: choices.length > 0 ? 'choice' : isTime ? 'time' : editor,
      choices,
      isNullable: types.includes('null'),
    };
  });

/** What a user has written, and what it began with. */
export interface Form {
  /** The record when it was begun: what others have changed since is a conflict. Empty for a new one. */
  readonly base: Mapping;
  /** What the fields begin with. */
  readonly values: Mapping;
  /** What was written in a field since, by its path. */
  readonly drafts: Readonly<Record<string, string>>;
}

/** A form in which nothing was written since, as fields or as JSON. */
export const startForm = (base: Mapping, values: Mapping, isJson: boolean): Form => ({
  base,
  values,
  drafts: isJson ? { [whole.path]: toJsonText(values, 2) } : {},
});

/** What stands in the input for a value. */
export const toDraft = ({ editor }: Field, value: unknown): string => {
  if (value === undefined || (value === null && editor !== 'choice')) return '';
  return editor === 'json' || editor === 'choice' ? toJsonText(value, 2) : String(value);
};

/** The record that was written. @throws Error with all problems, as the server words them: `tools: Invalid JSON …` */
export const readForm = (fields: readonly Field[], { values, drafts }: Form, isNew: boolean): Mapping => {
  const problems: string[] = [];
  let record: unknown = values;
  for (const field of fields) {
    const draft = ownValue(drafts, field.path);
    if (draft === undefined) continue;
    try {
      record = writeAt(record, field.keys, toValue(field, draft, isNew));
    } catch (error) {
      problems.push(field.path === '' ? messageOf(error) : `${field.path}: ${messageOf(error)}`);
    }
    // An object in which nothing is left is null, or left out.
    const above = field.keys.slice(0, -1);
    const isEmpty = Object.values(Object(readAt(record, above))).every((one) => one === null || one === '');
    if (above.length > 0 && isEmpty) record = writeAt(record, above, isNew ? undefined : null);
  }
  if (problems.length > 0) throw new Error(problems.join('; '));
  if (!isMapping(record)) throw new Error('A record must be a JSON object.');
  return record;
};

const toValue = ({ editor, isNullable }: Field, draft: string, isNew: boolean): unknown => {
  const isEmpty = draft === '' || (draft.trim() === '' && (isNew || editor !== 'text'));
  if (isEmpty) return isNew ? undefined : isNullable ? null : editor === 'text' ? '' : undefined;
  if (editor === 'text') return draft;
  if (editor === 'time') return toTimestamp(draft);
  if (editor === 'number') return Number.isNaN(Number(draft)) ? draft : Number(draft);
  return parseInput(draft);
};

/** Parses seconds or a date-time in UTC. Anything else is left to the server to refuse. */
export const toTimestamp = (draft: string): unknown => {
  const text = draft.trim();
  if (!Number.isNaN(Number(text))) return Number(text);
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`) / 1000;
  return Number.isNaN(time) ? draft : time;
};

const own = (value: unknown, key: string): unknown => (isMapping(value) ? ownValue(value, key) : undefined);

export const readAt = (values: unknown, keys: readonly string[]): unknown => keys.reduce(own, values);

/** The values with another one at a place; undefined removes it. */
export const writeAt = (values: unknown, [key, ...rest]: readonly string[], to: unknown): unknown => {
  if (key === undefined) return to;
  const { [key]: old, ...others } = isMapping(values) ? values : {};
  const next = writeAt(old, rest, to);
  return next === undefined ? others : { ...Object(values), [key]: next };
};

/** The names of the fields of which two records have different values. */
export const changedNames = (before: Mapping, after: Mapping): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => toJsonText([ownValue(before, name)]) !== toJsonText([ownValue(after, name)]),
  );

/** The parts of an error by the path of the field that they are about; the rest is about the whole record. */
export const splitError = (fields: readonly Field[], message: string): Readonly<Record<string, string>> => {
  const byPath: Record<string, string> = {};
  const prefix = /^Failed to (?:create|update) the [\w -]+(?: ".*?")?: /s;
  for (const part of message.replace(prefix, '').split('; ')) {
    const field = fields.find(({ path }) => part.startsWith(path) && /^[:.[ ]/.test(part.slice(path.length)));
    const path = field?.path ?? '';
    byPath[path] = [byPath[path] ?? [], part].flat().join('; ');
  }
  return byPath;
};
