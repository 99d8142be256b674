import { defineKind } from '../../world/kind.ts';
import { amountOf } from '../../world/mix.ts';
import type { Batch } from './contract.ts';
import { batchStates } from './lifecycle.ts';
import { seedBatches } from './seed.ts';

const section = { name: 'batches', schema: amountOf(batchStates).default(0) } as const;

/** The batches; they belong to no other record. */
export const batches = defineKind<Batch, typeof section>({
  name: 'batch',
  section,
  source: (amount, _owner, seeding) => seedBatches(amount, seeding),
});
