import { useQuery } from '../query.ts';
import { fetchHere } from '../session.ts';
import { texts } from '../texts.ts';
import type { FieldSchema } from './data-drafts.ts';
import type { KindName } from './data-kinds.ts';

const t = texts.data;

type Schemas = Readonly<Record<string, { readonly properties?: Readonly<Record<string, FieldSchema>> }>>;

let known: Promise<Schemas> | undefined;

const readSchemas = async (): Promise<Schemas> => {
  const response = await fetchHere('openapi.json');
  if (!response.ok) throw new Error(t.noSchema(response.status));
  return (await response.json()).components?.schemas ?? {};
};

export type Fields = Readonly<Record<string, FieldSchema>>;

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
