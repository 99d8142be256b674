// The lists: what the contract states about each, and how their pages are read.

import type * as z from 'zod';
import { batchSchema, listBatchesContract } from '../operations/list-batches/contract.ts';
import { checkpointSchema, listCheckpointsContract } from '../operations/list-checkpoints/contract.ts';
import { listRunsContract, runSchema } from '../operations/list-runs/contract.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import { fillPath } from '../protocol/paths.ts';
import { isMapping } from '../util/mapping.ts';
import { fieldOf, readObject, toQuery } from './calls.ts';
import {
  type CheckCall,
  type CheckSamples,
  type CheckSubject,
  type CheckTarget,
  describeCall,
  NotCheckable,
} from './check.ts';

/** A list that checks read. */
export interface CheckedList extends CheckSubject {
  readonly name: 'runs' | 'batches' | 'checkpoints';
  readonly contract: OperationContract;
  readonly record: z.ZodObject;
  /** The fields that every record must have. The contract's tables mark none as required. */
  readonly essential: readonly string[];
  readonly defaultLimit: number;
  /** The sample that owns the list, and the field of its records that holds the owner's id. */
  readonly owner?: { readonly sample: 'thread' | 'job'; readonly field: string };
}

export const runs: CheckedList = {
  name: 'runs',
  contract: listRunsContract,
  record: runSchema,
  essential: ['id', 'object', 'created_at', 'thread_id', 'status'],
  defaultLimit: 20,
  owner: { sample: 'thread', field: 'thread_id' },
  needs: ['thread', 'virtualKey'],
};

export const batches: CheckedList = {
  name: 'batches',
  contract: listBatchesContract,
  record: batchSchema,
  essential: ['id', 'object', 'created_at', 'status'],
  defaultLimit: 20,
  needs: ['virtualKey'],
};

export const checkpoints: CheckedList = {
  name: 'checkpoints',
  contract: listCheckpointsContract,
  record: checkpointSchema,
  essential: ['id', 'object', 'created_at', 'fine_tuning_job_id'],
  defaultLimit: 10,
  owner: { sample: 'job', field: 'fine_tuning_job_id' },
  needs: ['job', 'virtualKey'],
};

export const lists = [runs, batches, checkpoints] as const;

/** The query parameters of lists. */
export interface ListParameters {
  readonly limit?: number | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** One page of a list. */
export interface SeenPage {
  readonly list: CheckedList;
  readonly query: ListParameters;
  readonly request: string;
  readonly records: readonly SeenRecord[];
  readonly hasMore: boolean;
  /** The whole body of the reply. */
  readonly envelope: Readonly<Record<string, unknown>>;
}

export type SeenRecord = Readonly<Record<string, unknown>> & { readonly id: string };

export const listCall = (
  { contract, owner }: CheckedList,
  samples: CheckSamples,
  query: ListParameters = {},
): CheckCall => ({
  method: 'GET',
  path: fillPath(contract.path, owner ? { [owner.field]: samples[owner.sample] ?? '' } : {}),
  query: toQuery({ ...query }),
});

/**
 * @param fresh sends the call again even if the page was read before
 * @throws NotCheckable if the reply is not a page: the checks of schema and envelope report that
 */
export const readPage = async (
  target: CheckTarget,
  list: CheckedList,
  query: ListParameters = {},
  fresh?: 'fresh',
): Promise<SeenPage> => {
  const call: CheckCall = { ...listCall(list, target.samples, query), ...(fresh && { fresh: true }) };
  const envelope = await readObject(target, call);
  const data = fieldOf(envelope, 'data');
  const hasMore = fieldOf(envelope, 'has_more');
  if (!Array.isArray(data) || typeof hasMore !== 'boolean' || !data.every(isSeenRecord))
    throw new NotCheckable(
      `${describeCall(call)} did not return a page: see ${list.name}-envelope and ${list.name}-schema.`,
    );
  return { list, query, request: describeCall(call), records: data, hasMore, envelope };
};

const isSeenRecord = (value: unknown): value is SeenRecord =>
  isMapping(value) && typeof fieldOf(value, 'id') === 'string';

/** The largest limit that the contract allows. It states none for checkpoints; the same is used there. */
export const maxLimit = 100;

/** The largest limit that the target accepts for a list, so that refusing one does not stop other checks; undefined if it accepts none. */
export const findMaxLimit = async (target: CheckTarget, list: CheckedList): Promise<number | undefined> => {
  for (const limit of [maxLimit, list.defaultLimit]) {
    const { status } = await target.call(listCall(list, target.samples, { limit }));
    if (status === 200) return limit;
  }
  return undefined;
};

/** The first page, as large as possible, to compare other pages with. */
export const readHead = async (
  target: CheckTarget,
  list: CheckedList,
  order?: ListParameters['order'],
  fresh?: 'fresh',
): Promise<SeenPage> => readPage(target, list, { limit: await findMaxLimit(target, list), order }, fresh);

export const idsOf = ({ records }: Pick<SeenPage, 'records'>): string[] => records.map(({ id }) => id);

/** Ids as reports show them. */
export const formatIds = (ids: readonly string[]): string => {
  if (ids.length === 0) return 'no records';
  const shown = ids.slice(0, 5).join(', ');
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
};
