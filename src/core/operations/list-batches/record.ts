import * as z from 'zod';
import { type BatchState, batchStates } from '../../assumptions/record-states.ts';
import { amountOf, tiesSchema } from '../../world/amount.ts';
import { drawId } from '../../world/faker.ts';
import type { Kind } from '../../world/kind.ts';
import { changesOf, fieldsOf, statusSchema, withTransitions } from '../../world/record-schema.ts';
import { batchSchema } from './contract.ts';
import { batchLifecycle } from './lifecycle.ts';
import { batchModel } from './model.ts';
import { createBatchDatabase, enterBatchState, seedBatches, writeBatch } from './seed.ts';
import type { Batch } from './types.ts';

const fields = fieldsOf(() => batchSchema.extend({ status: statusSchema<BatchState>() }));
const amount = z.lazy(() => amountOf(batchStates));

const fullForm = z.lazy(() =>
  z.strictObject({
    seeded: amount.default(0).describe('How many batches to seed, in total or of each state.'),
    ties: tiesSchema,
    ...changesOf(withTransitions(fields, batchStates)),
  }),
);

const section = {
  name: 'batches',
  schema: z.lazy(() =>
    z
      .union([amount, fullForm])
      .default(0)
      .describe(
        'How many batches to seed, in total or of each state; or an object that also has records to write.',
      ),
  ),
} as const;

type FullForm = z.output<typeof fullForm>;

/** Converts the short form, which only says how many to seed, to the full form. */
const toFullForm = (part: z.output<typeof section.schema>): FullForm => {
  // Only the full form has one of these keys: they are not names of states.
  const isFull = typeof part === 'object' && ('seeded' in part || 'records' in part);
  return isFull ? (part as FullForm) : { seeded: part as FullForm['seeded'], records: [], deleted: [] };
};

export const batches: Kind<Batch, typeof section> = {
  name: 'batch',
  plural: 'batches',
  section,
  columns: Object.keys(batchModel),
  fields,
  lifecycle: batchLifecycle,
  newId: () => drawId('batch_'),
  seeds: (part, _owner, seeding) => {
    const { seeded, ties } = toFullForm(part);
    return seedBatches(createBatchDatabase(), seeded, ties, seeding);
  },
  changes: toFullForm,
  withChanges: (part, _owner, changes) => ({ ...toFullForm(part), ...changes }),
  write: writeBatch,
  enter: enterBatchState,
};
