// The lists: what the contract says of each, and how their pages are read.
import type * as z from 'zod';
import { batchSchema, listBatchesContract } from '../operations/list-batches/contract.ts';
import { checkpointSchema, listCheckpointsContract } from '../operations/list-checkpoints/contract.ts';
import { listRunsContract, runSchema } from '../operations/list-runs/contract.ts';
import { fillPath } from '../protocol/paths.ts';
import { fieldOf, isObject, readObject, toQuery } from './calls.ts';
import { describeCall, type LawCall, type Need, NotCheckable, type Samples, type Target } from './check.ts';

/** One of the lists. */
export interface ListUnderLaw {
  readonly name: 'runs' | 'batches' | 'checkpoints';
  readonly section: string;
  readonly path: string;
  readonly record: z.ZodObject;
  /** The fields without which a record of this list is none: the contract's tables call none required. */
  readonly essential: readonly string[];
  readonly defaultLimit: number;
  /** The sample that owns the list, and the field of its records that names it. */
  readonly owner?: { readonly sample: 'thread' | 'job'; readonly field: string };
  readonly needs: readonly Need[];
}

export const runs: ListUnderLaw = {
  name: 'runs',
  section: listRunsContract.section,
  path: listRunsContract.path,
  record: runSchema,
  essential: ['id', 'object', 'created_at', 'thread_id', 'status'],
  defaultLimit: 20,
  owner: { sample: 'thread', field: 'thread_id' },
  needs: ['thread', 'virtualKey'],
};

export const batches: ListUnderLaw = {
  name: 'batches',
  section: listBatchesContract.section,
  path: listBatchesContract.path,
  record: batchSchema,
  essential: ['id', 'object', 'created_at', 'status'],
  defaultLimit: 20,
  needs: ['virtualKey'],
};

export const checkpoints: ListUnderLaw = {
  name: 'checkpoints',
  section: listCheckpointsContract.section,
  path: listCheckpointsContract.path,
  record: checkpointSchema,
  essential: ['id', 'object', 'created_at', 'fine_tuning_job_id'],
  defaultLimit: 10,
  owner: { sample: 'job', field: 'fine_tuning_job_id' },
  needs: ['job', 'virtualKey'],
};

export const lists = [runs, batches, checkpoints] as const;

/** The query parameters that some list takes. */
export interface ListParameters {
  readonly limit?: number | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** One page, as far as laws need it to be one. */
export interface SeenPage {
  readonly list: ListUnderLaw;
  readonly query: ListParameters;
  readonly asked: string;
  readonly records: readonly SeenRecord[];
  readonly hasMore: boolean;
  /** The whole reply. */
  readonly envelope: Readonly<Record<string, unknown>>;
}

export type SeenRecord = Readonly<Record<string, unknown>> & { readonly id: string };

export const listCall = (list: ListUnderLaw, samples: Samples, query: ListParameters = {}): LawCall => ({
  method: 'GET',
  path: fillPath(list.path, list.owner ? { [list.owner.field]: samples[list.owner.sample] ?? '' } : {}),
  query: toQuery({ ...query }),
});

/**
 * @param fresh whether to ask anew, though the page was read before
 * @throws NotCheckable where the reply is no page: the checks of schema and envelope say so then
 */
export const readPage = async (
  target: Target,
  list: ListUnderLaw,
  query: ListParameters = {},
  fresh?: 'fresh',
): Promise<SeenPage> => {
  const call: LawCall = { ...listCall(list, target.samples, query), ...(fresh && { fresh: true }) };
  const envelope = await readObject(target, call);
  const data = fieldOf(envelope, 'data');
  const hasMore = fieldOf(envelope, 'has_more');
  if (!Array.isArray(data) || typeof hasMore !== 'boolean' || !data.every(isSeenRecord))
    throw new NotCheckable(
      `${describeCall(call)} is answered by no page: see ${list.name}-envelope and ${list.name}-schema.`,
    );
  return { list, query, asked: describeCall(call), records: data, hasMore, envelope };
};

const isSeenRecord = (value: unknown): value is SeenRecord =>
  isObject(value) && typeof fieldOf(value, 'id') === 'string';

/** The largest limit that the contract allows; for checkpoints, where it states none, the same. */
export const maxLimit = 100;

/** The largest limit with which a list is answered, so that a refusal stops no other check; undefined for none. */
export const findMaxLimit = async (target: Target, list: ListUnderLaw): Promise<number | undefined> => {
  for (const limit of [maxLimit, list.defaultLimit]) {
    const { status } = await target.call(listCall(list, target.samples, { limit }));
    if (status === 200) return limit;
  }
  return undefined;
};

/** The first page, as large as it may be: what other pages are compared with. */
export const readHead = async (
  target: Target,
  list: ListUnderLaw,
  order?: ListParameters['order'],
  fresh?: 'fresh',
): Promise<SeenPage> => readPage(target, list, { limit: await findMaxLimit(target, list), order }, fresh);

export const idsOf = ({ records }: Pick<SeenPage, 'records'>): string[] => records.map(({ id }) => id);

/** Ids as reports show them. */
export const showIds = (ids: readonly string[]): string => {
  if (ids.length === 0) return 'no record';
  const shown = ids.slice(0, 5).join(', ');
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
};
