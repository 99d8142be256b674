// What the page reads of the gateway's OpenAPI document: its operations, with the user's own calls.
import type { Control } from '../service/control/control-interface.ts';
import { control, root } from './connection.ts';
import type { KindName } from './kinds.ts';
import type { FieldSchema, Schemas } from './panels/data/field-values.ts';
import { useQuery } from './use-query.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: {
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
    readonly default?: unknown;
  };
  readonly example?: unknown;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content?: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

/** An operation, as the page calls it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The path from `/v1` on, with its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** An example of the body, if it takes one. */
  readonly body: unknown;
}

/** The kind of record that a path parameter names. */
export const kindOfParameter: Readonly<Record<string, KindName>> = {
  promptId: 'prompts',
  thread_id: 'threads',
  fine_tuning_job_id: 'jobs',
  rateLimitsPolicyId: 'policies',
};

/** The five operations. Others are the user's own. */
export const contractIds: readonly string[] = [
  'listRuns',
  'listBatches',
  'listCheckpoints',
  'renderPrompt',
  'getRateLimitsPolicy',
];

interface AdminDocument {
  readonly components: { readonly schemas: Readonly<Record<KindName, FieldSchema>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

/** A document of the server, which is read once. */
const defineDocument = <Value>(read: () => Promise<Response>): (() => Promise<Value>) => {
  let reading: Promise<Value> | undefined;
  const load = async (): Promise<Value> => {
    const response = await read();
    if (!response.ok)
      throw new Error(`Failed to read ${response.url}: the server returned ${response.status}.`);
    return await response.json();
  };
  return () => {
    reading ??= load().catch((error: unknown) => {
      reading = undefined; // it is read again
      throw error;
    });
    return reading;
  };
};

const readDocument = defineDocument<Document>(() => fetch(`${root}/openapi.json`));

/** The document of the admin API, which has the schemas of records. */
const readAdminDocument = defineDocument<AdminDocument>(() => control.fetch('openapi.json'));

/** The operations, those of the contract first. */
export const listOperations = async (): Promise<readonly Operation[]> => {
  const { paths, components } = await readDocument();
  const resolve = (parameter: Parameter & { readonly $ref?: string }): Parameter =>
    components?.parameters?.[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, { operationId, summary = '', parameters = [], requestBody }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        summary,
        parameters: parameters.map(resolve),
        body: Object.values(requestBody?.content?.['application/json']?.examples ?? {})[0]?.value,
      })),
  );
  const rank = ({ id }: Operation): number => (contractIds.indexOf(id) + 99) % 99;
  return operations.toSorted((a, b) => rank(a) - rank(b));
};

export const useOperations = () => useQuery('openapi', listOperations).value;

/** An id for each path parameter, of a record that the session has. */
export const readIds = async (own: Control): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(kindOfParameter).map(async ([name, kind]): Promise<[string, string]> => {
        const [record] = await own.records[kind].list({ limit: 1 });
        return [name, record?.id ?? ''];
      }),
    ),
  );

/** A path with ids in place of its parameters. */
export const fillPath = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => (ids[name] ? encodeURIComponent(ids[name]) : whole));

/** The possible fields of a kind; undefined until they are loaded, empty if that fails. */
export const useSchemas = (kind: KindName): Schemas | undefined => {
  const { value, error } = useQuery('schemas', readAdminDocument);
  return value === undefined && error === undefined
    ? undefined
    : (value?.components.schemas[kind].properties ?? {});
};
