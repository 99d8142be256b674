// The lists: what the contract states about each, how their pages are read, and the walk over all of them.

import type * as z from 'zod';
import { batchSchema, listBatchesContract } from '../../core/operations/list-batches/contract.ts';
import {
  checkpointSchema,
  listCheckpointsContract,
} from '../../core/operations/list-checkpoints/contract.ts';
import { listRunsContract, runSchema } from '../../core/operations/list-runs/contract.ts';
import type { OperationContract } from '../../core/operations/operation.ts';
import { fillPath } from '../../core/protocol/paths.ts';
import type { CheckSubject } from './check.ts';
import type { CheckCall, CheckSamples } from './types.ts';

/** A list that checks read. */
export interface CheckedList extends CheckSubject {
  readonly name: 'runs' | 'batches' | 'checkpoints';
  readonly contract: OperationContract;
  readonly record: z.ZodObject;
  /** The fields that every record must have. The contract's tables mark none as required. */
  readonly essential: readonly string[];
  readonly defaultLimit: number;
  /** The sample that owns the list, and the field of its records that has the owner's id. */
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

/** The largest limit that the contract allows. It states none for checkpoints: there, the same limit is used. */
export const maxLimit = 100;

export interface ListQuery {
  readonly limit?: number | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

export type Order = ListQuery['order'];

/** The values of order that a list has; undefined for a list without the parameter. The first value is the default. */
export const ordersOf = (list: CheckedList): readonly Order[] =>
  list === runs ? ['desc', 'asc'] : [undefined];

/** The query string of the parameters that have a value. */
export const toQuery = (parameters: Readonly<Record<string, string | number | undefined>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, `${value}`);
  return query.toString();
};

/** A page of a list. The contract does not state the maximum limit for checkpoints, so a larger limit may be refused. */
export const listCall = (list: CheckedList, samples: CheckSamples, query: ListQuery = {}): CheckCall => {
  const { contract, owner, defaultLimit } = list;
  return {
    method: 'GET',
    path: fillPath(contract.path, owner ? { [owner.field]: samples[owner.sample] ?? '' } : {}),
    query: toQuery({ ...query }),
    ...(list === checkpoints && (query.limit ?? 0) > defaultLimit && { mayFail: true }),
  };
};
