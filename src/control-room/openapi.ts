// What the page reads of the gateway's OpenAPI document: its operations, with the user's own calls.
import { type control, root } from './connection.ts';
import type { KindName } from './kinds.ts';
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

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

const readOperations = async (): Promise<readonly Operation[]> => {
  const response = await fetch(`${root}/openapi.json`);
  if (!response.ok) throw new Error(`Failed to read openapi.json: the server returned ${response.status}.`);
  const { paths, components }: Document = await response.json();
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

/** The operations, those of the contract first. */
export const useOperations = () => useQuery('openapi', readOperations).value;

/** An id for each path parameter, of a record that the session has. */
export const readIds = async (own: typeof control): Promise<Readonly<Record<string, string>>> =>
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
