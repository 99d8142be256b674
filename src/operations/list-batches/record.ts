import * as z from 'zod';
import { amountOf, tiesSchema } from '../../world/amount.ts';
import { drawId } from '../../world/faker.ts';
import { defineKind } from '../../world/kind.ts';
import { changesOf, fieldsOf, stateOf } from '../../world/record-schema.ts';
import { type Batch, batchSchema } from './contract.ts';
import { batchStates } from './lifecycle.ts';
import { completeBatch, seedBatches } from './seed.ts';

const fields = fieldsOf(() => batchSchema.extend({ status: stateOf(batchStates) }));
const amount = z.lazy(() => amountOf(batchStates));

const whole = z.lazy(() =>
  z.strictObject({
    seeded: amount.default(0).describe('How many batches are seeded, or how many of each state.'),
    ties: tiesSchema,
    ...changesOf(fields),
  }),
);

const section = {
  name: 'batches',
  schema: z.lazy(() =>
    z
      .union([amount, whole])
      .default(0)
      .describe('How many batches are seeded, or how many of each state; or that, and records by hand.'),
  ),
} as const;

type Whole = z.output<typeof whole>;

/** The short forms say how many are seeded, and nothing else. */
const toWhole = (given: z.output<typeof section.schema>): Whole => {
  // A mapping with one of these keys has passed as the whole form: the names of states are others.
  const isWhole = typeof given === 'object' && ('seeded' in given || 'records' in given);
  return isWhole ? (given as Whole) : { seeded: given as Whole['seeded'], records: [], deleted: [] };
};

/** The batches; they belong to no other record. */
export const batches = defineKind<Batch, typeof section>({
  name: 'batch',
  plural: 'batches',
  section,
  fields,
  record: () => batchSchema,
  newId: () => drawId('batch_'),
  seeds: (given, _owner, seeding) => seedBatches(toWhole(given).seeded, toWhole(given).ties, seeding),
  changes: toWhole,
  // They are batches: the collection of this kind gave them.
  withChanges: (given, _owner, { records, deleted }) => ({
    ...toWhole(given),
    records: records as Batch[],
    deleted: [...deleted],
  }),
  complete: completeBatch,
  createdAt: ({ created_at }) => created_at,
});
