// The fields of a record by their schemas, and what the user has typed in them.
import { parseJson, toJsonText } from '../../../core/util/json.ts';
import { isMapping, type Mapping, ownValue } from '../../../core/util/mapping.ts';
import { messageOf } from '../../../core/util/message-of.ts';

/** The part of a JSON Schema that determines the input. The second of `anyOf` may be null. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Schemas;
}

export type Schemas = Readonly<Record<string, FieldSchema>>;

/** A field of a record. */
export interface Field {
  readonly name: string;
  readonly editor: 'choice' | 'time' | 'number' | 'text' | 'json';
  readonly choices: readonly unknown[];
  readonly isNullable: boolean;
}

/** The whole record as one field. */
export const whole: Field = { name: '', editor: 'json', choices: [], isNullable: false };

const editors: Readonly<Record<string, Field['editor']>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
};

/** The fields of a record. Those that are always the same are left out. */
export const toFields = (schemas: Schemas, values: Mapping): Field[] =>
  [...new Set([...Object.keys(schemas), ...Object.keys(values)])].flatMap((name) => {
    const given = ownValue(schemas, name) ?? { type: typeof ownValue(values, name) };
    const schema = given.anyOf?.[0] ?? given;
    if (schema.const !== undefined) return [];
    const types = [given, ...(given.anyOf ?? [])].flatMap(({ type = [] }) => type);
    const choices = types[0] === 'boolean' ? [true, false] : (schema.enum ?? []);
    const editor = editors[types[0] ?? ''] ?? 'json';
    const isTime = editor === 'number' && name.endsWith('_at');
    return {
      name,
      editor: choices.length > 0 ? 'choice' : isTime ? 'time' : editor,
      choices,
      isNullable: types.includes('null'),
    };
  });

/** What the user has typed, and what the form started with. */
export interface Form {
  /** The record when the user began to edit it: only what differs from it is saved. Empty for a new one. */
  readonly base: Mapping;
  /** What the fields started with. */
  readonly values: Mapping;
  /** What was typed in a field since then, by its name. */
  readonly drafts: Readonly<Record<string, string>>;
}

/** A form in which nothing was typed yet, as fields or as JSON. */
export const startForm = (base: Mapping, values: Mapping, isJson: boolean): Form => ({
  base,
  values,
  drafts: isJson ? { [whole.name]: toJsonText(values, 2) } : {},
});

/** The text in the input for a value. */
export const toDraft = ({ editor }: Field, value: unknown): string => {
  if (value === undefined || (value === null && editor !== 'choice')) return '';
  return editor === 'json' || editor === 'choice' ? toJsonText(value, 2) : String(value);
};

/** The record that was typed. @throws Error with all problems, in the server's format: `tools: Unexpected token …` */
export const readForm = (fields: readonly Field[], { values, drafts }: Form, isNew: boolean): Mapping => {
  const problems: string[] = [];
  let record: unknown = values;
  for (const field of fields) {
    const draft = ownValue(drafts, field.name);
    if (draft === undefined) continue;
    try {
      const value = toValue(field, draft, isNew);
      record = field === whole ? value : { ...Object(record), [field.name]: value };
    } catch (error) {
      problems.push(field === whole ? messageOf(error) : `${field.name}: ${messageOf(error)}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('; '));
  if (!isMapping(record)) throw new Error('A record must be a JSON object.');
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
};

const toValue = ({ editor, isNullable }: Field, draft: string, isNew: boolean): unknown => {
  const isEmpty = draft === '' || (draft.trim() === '' && (isNew || editor !== 'text'));
  if (isEmpty) return isNew ? undefined : isNullable ? null : editor === 'text' ? '' : undefined;
  if (editor === 'text') return draft;
  if (editor === 'time') return toTimestamp(draft);
  if (editor === 'number') return Number.isNaN(Number(draft)) ? draft : Number(draft);
  return parseJson(draft);
};

/** Parses seconds or a date-time in UTC. Anything else is left to the server to refuse. */
export const toTimestamp = (draft: string): unknown => {
  const text = draft.trim();
  if (!Number.isNaN(Number(text))) return Number(text);
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`) / 1000;
  return Number.isNaN(time) ? draft : time;
};

/** The names of the fields of which two records have different values. */
export const changedNames = (before: Mapping, after: Mapping): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => toJsonText([ownValue(before, name)]) !== toJsonText([ownValue(after, name)]),
  );

/** The parts of an error by the name of the field that they are about; the rest is about the record itself. */
export const splitError = (fields: readonly Field[], message: string): Readonly<Record<string, string>> => {
  const byName: Record<string, string> = {};
  const prefix = /^Failed to (?:create|update) the [\w -]+(?: ".*?")?: /s;
  for (const part of message.replace(prefix, '').split('; ')) {
    const field = fields.find(({ name }) => part.startsWith(name) && /^[:.[ ]/.test(part.slice(name.length)));
    const { name } = field ?? whole;
    byName[name] = [byName[name] ?? [], part].flat().join('; ');
  }
  return byName;
};
