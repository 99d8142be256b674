// What the control room reads of the gateway's OpenAPI document: its operations, with the user's own calls.
import type { Control } from '../service/control/control-interface.ts';
import { control, root } from './connection.ts';
import { type KindName, kinds, recordsOf } from './kinds.ts';
import type { FieldSchema, Schemas } from './panels/data/field-values.ts';
import { useQuery } from './use-query.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema?: FieldSchema;
}

/** An operation, as Try it calls it. */
export type Operation = Awaited<ReturnType<typeof listOperations>>[number];

/** Texts by the names of parameters or headers. */
export type Values = ByName<string>;

/** The kind of record that a path parameter names. */
export const kindOfParameter: ByName<KindName> = {
  promptId: 'prompts',
  rateLimitsPolicyId: 'policies',
  ...Object.fromEntries(kinds.flatMap(({ owner }) => (owner ? [[owner.field, owner.kind]] : []))),
};

type ByName<Value> = Readonly<Record<string, Value>>;

/** The gateway's document, as far as it is read. */
type GatewayDocument = { readonly paths: ByName<ByName<OperationObject>> };

interface OperationObject {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content?: ByName<{ readonly examples?: ByName<{ readonly value: unknown }> }>;
  };
}

/** The document of the admin API, which has the schemas of records. */
type AdminDocument = { readonly components: { readonly schemas: Readonly<Record<KindName, FieldSchema>> } };

/** Documents do not change, so each is read once. After an error it is read again. */
const readOnce = <Value>(read: () => Promise<Response>): (() => Promise<Value>) => {
  let document: Value | undefined;
  return async () => {
    if (document !== undefined) return document;
    const response = await read();
    if (!response.ok)
      throw new Error(`Failed to read ${response.url}: the server returned ${response.status}.`);
    document = (await response.json()) as Value; // the server's own document
    return document;
  };
};

const readGatewayDocument = readOnce<GatewayDocument>(() => fetch(`${root}/openapi.json`));
const readAdminDocument = readOnce<AdminDocument>(() => control.fetch('openapi.json'));

/** The operations, in the order of the document. */
export const listOperations = async () => {
  const { paths } = await readGatewayDocument();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { operationId: id, summary = '', tags = [], parameters = [], requestBody } = operation;
      if (id === undefined) return [];
      const [example] = Object.values(requestBody?.content?.['application/json']?.examples ?? {});
      return [
        {
          id,
          method: method.toUpperCase(),
          /** From `/v1` on, with its parameters in braces. */
          path,
          summary,
          parameters,
          /** An example of the body, if it takes one. */
          body: example?.value,
          /** Whether it is a call of the user's own. */
          isOwn: tags.includes('Own calls'),
        },
      ];
    }),
  );
};

export const useOperations = () => useQuery('openapi', listOperations).value;

/** Keys that the session accepts, by the names of their headers. */
export const readKeys = async ({ scenario }: Control): Promise<Values> => {
  const { apiKey, virtualKey } = await scenario.keys();
  return { 'x-gateway-api-key': apiKey, 'x-gateway-virtual-key': virtualKey };
};

/** What calls of the session are filled with: an id for each path parameter, and the keys. */
export const useCallValues = () =>
  useQuery('call values', async (own): Promise<Values> => {
    const ids: Record<string, string> = {};
    for (const [name, kind] of Object.entries(kindOfParameter))
      ids[name] = (await own.records[kind].list({ limit: 1 }))[0]?.id ?? '';
    return { ...ids, ...(await readKeys(own)) };
  }).value;

/** How many ids are chosen from. */
const maxIds = 50;

/** Ids to choose from for a path parameter. */
export const useIds = (parameter: string): readonly string[] => {
  const kind = kindOfParameter[parameter];
  const { value = [] } = useQuery(['ids', kind], async (own) =>
    kind === undefined ? [] : (await recordsOf(kind, own).list({ limit: maxIds })).map(({ id }) => id),
  );
  return value;
};

/** A path with ids in place of its parameters. */
export const fillPath = (path: string, ids: Values): string =>
  path.replace(/\{(\w+)\}/g, (braces, name: string) => (ids[name] ? encodeURIComponent(ids[name]) : braces));

/** The possible fields of a kind; undefined until they are loaded, empty if that fails. */
export const useSchemas = (kind: KindName): Schemas | undefined => {
  const { value, error } = useQuery('schemas', readAdminDocument);
  return value === undefined && error === undefined
    ? undefined
    : (value?.components.schemas[kind].properties ?? {});
};
