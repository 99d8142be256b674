import { control } from '../../connection.ts';
import type { KindName } from '../../kinds.ts';
import { useQuery } from '../../use-query.ts';
import type { FieldSchema, Schemas } from './form.ts';

let known: Promise<Readonly<Record<string, FieldSchema>>> | undefined;

const readSchemas = async (): Promise<Readonly<Record<string, FieldSchema>>> => {
  const response = await control.fetch('openapi.json');
  if (!response.ok) throw new Error(`Failed to read openapi.json: the server returned ${response.status}.`);
  return (await response.json()).components.schemas;
};

/** The possible fields of a kind, from the server's OpenAPI document; undefined until it is loaded, empty if that fails. */
export const useSchemas = (kind: KindName): Schemas | undefined => {
  const { value, error } = useQuery('schemas', () => {
    known ??= readSchemas().catch((reason: unknown) => {
      known = undefined; // it is asked for again
      throw reason;
    });
    return known;
  });
  return value === undefined && error === undefined ? undefined : (value?.[kind]?.properties ?? {});
};
