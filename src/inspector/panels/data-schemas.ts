import { useAsk } from '../ask.ts';
import { fetchHere } from '../live.ts';
import type { KindName } from './data-kinds.ts';

/** As much of a JSON Schema as an input is picked by. */
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
  if (!response.ok) throw new Error(`Failed to read openapi.json: the server answered ${response.status}.`);
  return (await response.json()).components?.schemas ?? {};
};

type Fields = Readonly<Record<string, FieldSchema>>;

/** The fields that a record of a kind may have, by the server's own document: undefined until it has come, none where it does not. */
export const useFields = (kind: KindName): Fields | undefined => {
  const { value, error } = useAsk(() => {
    known ??= readSchemas().catch((error: unknown) => {
      known = undefined; // it is asked for again
      throw error;
    });
    return known;
  });
  return value === undefined && error === undefined ? undefined : (value?.[kind]?.properties ?? {});
};

export type Editor = 'choice' | 'switch' | 'moment' | 'number' | 'text' | 'json';

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
  // What is not as the schema has it is written as it is.
  const fits = value === undefined || value === null || typeof value === typeOf[plain];
  if (!fits) return { editor: 'json', isNullable, choices };
  const editor = plain === 'number' && name.endsWith('_at') ? 'moment' : plain;
  return { editor, isNullable, choices };
};

const typeOf: Readonly<Partial<Record<Editor, string>>> = {
  switch: 'boolean',
  number: 'number',
  text: 'string',
};
