import { parseJson } from '../../util/json.ts';
import { messageOf } from '../../util/message-of.ts';
import { useQuery } from '../query.ts';
import { fetchHere } from '../session.ts';
import { texts } from '../texts.ts';
import type { KindName } from './data-kinds.ts';

const t = texts.data;

/** The part of a JSON Schema that decides on the input. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly FieldSchema[];
}

type Schemas = Readonly<Record<string, { readonly properties?: Readonly<Record<string, FieldSchema>> }>>;

let known: Promise<Schemas> | undefined;

const readSchemas = async (): Promise<Schemas> => {
  const response = await fetchHere('openapi.json');
  if (!response.ok) throw new Error(t.noSchema(response.status));
  return (await response.json()).components?.schemas ?? {};
};

type Fields = Readonly<Record<string, FieldSchema>>;

/** The possible fields of a kind, from the server's OpenAPI document; undefined until it is loaded, empty if that fails. */
export const useFields = (kind: KindName): Fields | undefined => {
  const { value, error } = useQuery('schemas', () => {
    known ??= readSchemas().catch((error: unknown) => {
      known = undefined; // it is asked for again
      throw error;
    });
    return known;
  });
  return value === undefined && error === undefined ? undefined : (value?.[kind]?.properties ?? {});
};

/** Parses JSON that a user wrote. */
export const parseInput = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(t.invalidJson(messageOf(error)));
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
