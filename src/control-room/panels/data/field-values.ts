// The fields of a record by their schemas, and the texts in which they are edited.
import { parseJson, toJsonText } from '../../../core/util/json.ts';
import { isMapping, type Mapping, ownValue } from '../../../core/util/mapping.ts';
import type { Kind } from '../../kinds.ts';
import { formatTime } from '../../text.tsx';

/** The part of a JSON Schema that determines the input. The second of `anyOf` may be null. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Schemas;
  readonly items?: FieldSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

export type Schemas = Readonly<Record<string, FieldSchema>>;

/** A field of a record. */
export interface Field {
  readonly name: string;
  readonly editor: 'choice' | 'time' | 'number' | 'text' | 'json';
  readonly choices: readonly unknown[];
  readonly isNullable: boolean;
  /** The shape of an object or a list, to be filled in. */
  readonly template: unknown;
}

/** The record as one field. */
export const wholeRecord: Field = { name: '', editor: 'json', choices: [], isNullable: false, template: {} };

const editors: Readonly<Record<string, Field['editor']>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
};

/** The fields of a record that can be edited. */
export const toFields = ({ owner, states = [] }: Kind, schemas: Schemas, record: Mapping): Field[] =>
  [...new Set([...Object.keys(schemas), ...Object.keys(record)])].flatMap((name) => {
    const value = ownValue(record, name);
    const property = ownValue(schemas, name) ?? { type: typeof value };
    const schema = property.anyOf?.[0] ?? property;
    if (['id', owner?.field].includes(name) || schema.const !== undefined) return [];
    const types = [property, ...(property.anyOf ?? [])].flatMap(({ type = [] }) => type);
    const listed = types[0] === 'boolean' ? [true, false] : name === 'status' ? states : (schema.enum ?? []);
    const isNullable = types.includes('null');
    const choices = new Set([...listed, ...(isNullable ? [null] : []), value]);
    const editor = editors[types[0] ?? ''] ?? 'json';
    const isTime = editor === 'number' && name.endsWith('_at');
    return {
      name,
      editor: listed.length > 0 ? 'choice' : isTime ? 'time' : editor,
      choices: [...choices].filter((choice) => choice !== undefined),
      isNullable,
      template: toTemplate(schema),
    };
  });

/** A value of the shape that a schema asks for. */
const toTemplate = (schema: FieldSchema): unknown => {
  const { type, properties, items, anyOf, enum: choices, const: value } = schema;
  if (value !== undefined) return value;
  if (anyOf?.[0]) return toTemplate(anyOf[0]);
  if (choices) return choices[0];
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, toTemplate(property)]),
    );
  if (items) return [toTemplate(items)];
  return { string: '', number: 0, integer: 0, boolean: false, object: {}, array: [] }[String(type)] ?? null;
};

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || ['[]', '{}'].includes(toJsonText(value));

/** The text in the input for a value. */
export const toText = ({ editor, template }: Field, value: unknown): string => {
  if (editor === 'json') return toJsonText(isEmpty(value) ? template : value, 2);
  if (editor === 'choice') return toJsonText(value ?? null);
  return String(value ?? '');
};

/** The value that was written. Anything that is not of its type is left to the server to refuse. @throws Error if it is not JSON */
export const toValue = ({ editor, isNullable }: Field, text: string): unknown => {
  if (text.trim() === '' && isNullable) return null;
  if (editor === 'text') return text;
  if (editor === 'choice' || editor === 'json') return parseJson(text);
  const isNumber = text.trim() !== '' && !Number.isNaN(Number(text));
  return isNumber ? Number(text) : editor === 'time' ? toTimestamp(text) : text;
};

/** The record that was written as JSON. */
export const toRecord = (text: string): Mapping => {
  const record: unknown = parseJson(text);
  if (!isMapping(record)) throw new Error('A record must be a JSON object.');
  return record;
};

/** Parses a date-time; without a time zone it is in UTC. */
const toTimestamp = (text: string): unknown => {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text.trim());
  const time = Date.parse(hasZone ? text : `${text.trim().replace(' ', 'T')}Z`) / 1000;
  return Number.isNaN(time) ? text : time;
};

/** A value in one line, to be read. */
export const toLine = ({ editor }: Field, value: unknown): string => {
  if (editor === 'time' && typeof value === 'number') return formatTime(value);
  return typeof value === 'string' ? value : toJsonText(value ?? null);
};

/** The names of the fields of which two records have different values. */
export const changedNames = (before: Mapping, after: Mapping): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => toJsonText([ownValue(before, name)]) !== toJsonText([ownValue(after, name)]),
  );
