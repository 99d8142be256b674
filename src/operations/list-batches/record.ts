import * as z from 'zod';
import { type BatchState, batchStates } from '../../protocol/record-states.ts';
import { amountOf, tiesSchema } from '../../world/amount.ts';
import { drawId } from '../../world/faker.ts';
import { defineKind } from '../../world/kind.ts';
import { lifespanOf } from '../../world/lifecycle.ts';
import { changesOf, fieldsOf, statusSchema, withTransitions } from '../../world/record-schema.ts';
import { batchSchema } from './contract.ts';
import { batchLifecycle } from './lifecycle.ts';
import { batchModel } from './model.ts';
import { createBatchDatabase, enterBatchState, seedBatches, writeBatch } from './seed.ts';
import type { Batch } from './types.ts';

const fields = fieldsOf(() => batchSchema.extend({ status: statusSchema<BatchState>() }));
const amount = z.lazy(() => amountOf(batchStates));

const whole = z.lazy(() =>
  z.strictObject({
    seeded: amount.default(0).describe('How many batches to seed, in total or of each state.'),
    ties: tiesSchema,
    ...changesOf(withTransitions(fields)),
  }),
);

const section = {
  name: 'batches',
  schema: z.lazy(() =>
    z
      .union([amount, whole])
      .default(0)
      .describe(
        'How many batches to seed, in total or of each state; or an object that also has records to write.',
      ),
  ),
} as const;

type Whole = z.output<typeof whole>;

/** Converts the short form, which only says how many to seed, to the whole form. */
const toWhole = (given: z.output<typeof section.schema>): Whole => {
  // Only the whole form has one of these keys: they are not names of states.
  const isWhole = typeof given === 'object' && ('seeded' in given || 'records' in given);
  return isWhole ? (given as Whole) : { seeded: given as Whole['seeded'], records: [], deleted: [] };
};

/** The batches. They have no owner. */
export const batches = defineKind<Batch, typeof section>({
  name: 'batch',
  plural: 'batches',
  section,
  columns: Object.keys(batchModel),
  fields,
  states: { names: batchStates, assumption: 'batch-states' },
  lifespan: lifespanOf(batchLifecycle),
  newId: () => drawId('batch_'),
  seeds: (given, _owner, seeding) => {
    const { seeded, ties } = toWhole(given);
    return seedBatches(createBatchDatabase(), seeded, ties, seeding);
  },
  changes: toWhole,
  withChanges: (given, _owner, changes) => ({ ...toWhole(given), ...changes }),
  write: writeBatch,
  enter: enterBatchState,
});
