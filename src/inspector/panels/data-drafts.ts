// How a field of a record is edited, and what a user has written of it: a draft.
import { parseJson, toJsonText } from '../../util/json.ts';
import { messageOf } from '../../util/message-of.ts';
import { texts } from '../texts.ts';

/** The part of a JSON Schema that decides on the input. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

/** Parses JSON that a user wrote. */
export const parseInput = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(texts.data.invalidJson(messageOf(error)));
  }
};

export type Editor = 'choice' | 'switch' | 'time' | 'number' | 'text' | 'json';

/** How a field is edited. */
export interface FieldForm {
  readonly editor: Editor;
  readonly isNullable: boolean;
  readonly choices: readonly unknown[];
}

const editors: Readonly<Record<string, Editor>> = {
  boolean: 'switch',
  integer: 'number',
  number: 'number',
  string: 'text',
};

export const formOf = (name: string, schema: FieldSchema | undefined, value: unknown): FieldForm => {
  const parts = schema?.anyOf ?? (schema === undefined ? [] : [schema]);
  const types = parts.flatMap(({ type = 'any' }) => type);
  const isNullable = types.includes('null');
  const [type = 'any', second] = types.filter((one) => one !== 'null');
  const choices = parts.flatMap((part) => part.enum ?? []);
  if (choices.length > 0) return { editor: 'choice', isNullable, choices };
  const plain = second === undefined ? (editors[type] ?? 'json') : 'json';
  // A value that does not match the schema is edited as JSON.
  const fits = value === undefined || value === null || typeof value === typeOf[plain];
  if (!fits) return { editor: 'json', isNullable, choices };
  const editor = plain === 'number' && name.endsWith('_at') ? 'time' : plain;
  return { editor, isNullable, choices };
};

const typeOf: Readonly<Partial<Record<Editor, string>>> = {
  switch: 'boolean',
  number: 'number',
  text: 'string',
};

/** What stands in the input for a value. */
export const toDraft = ({ editor, choices }: FieldForm, value: unknown): string => {
  if (editor === 'json') return value === undefined ? '' : toJsonText(value, 2);
  if (editor === 'choice') return toJsonText(value ?? choices[0] ?? null);
  if (editor === 'switch') return toJsonText(value ?? false);
  return value === undefined || value === null ? '' : String(value);
};

/** The value of what stands in the input. @throws Error on invalid JSON */
export const fromDraft = ({ editor }: FieldForm, draft: string): unknown => {
  switch (editor) {
    case 'text':
      return draft;
    case 'time':
      return toTimestamp(draft);
    case 'number':
      return draft.trim() === '' ? null : Number.isNaN(Number(draft)) ? draft : Number(draft);
    default:
      return parseInput(draft);
  }
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
