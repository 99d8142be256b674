import { createDealtSource, type Habits } from '../../world/dealt-source.ts';
import { createIds } from '../../world/ids.ts';
import { randomOf, type Seeding } from '../../world/kind.ts';
import type { Amount } from '../../world/mix.ts';
import type { Source } from '../../world/source.ts';
import type { Batch } from './contract.ts';
import { choosePath, makeBatch } from './life.ts';
import { type BatchState, batchLifetime } from './lifecycle.ts';

/** A live batch is well within its completion window, an old one has had the time to expire. */
const habits: Habits<BatchState> = {
  deck: {
    newborn: 'validating',
    live: ['in_progress', 'finalizing', 'cancelling'],
    young: [
      ...(['in_progress', 'in_progress', 'finalizing', 'cancelling', 'failed', 'cancelled'] as const),
      ...Array<BatchState>(5).fill('completed'),
    ],
    old: [
      ...Array<BatchState>(14).fill('completed'),
      ...(['failed', 'failed', 'expired', 'expired', 'cancelled', 'cancelled'] as const),
    ],
  },
  newborn: { from: 5, to: 240 },
  young: { from: 300, to: 64_800 },
  old: { from: 93_600, gap: 10_800 },
  ties: [0, 0, 0, 0, 1, 1, 1, 2],
};

/** The batches, newest first. */
export const seedBatches = (
  amount: Amount<BatchState>,
  ties: number | undefined,
  seeding: Seeding,
): Source<Batch> => {
  const { seed, start } = seeding;
  const key = `${seed}/batch`;
  const ids = createIds('batch_', key);
  return createDealtSource(habits, { key, ids, amount, ties, start }, (rank, state, created) => {
    const random = randomOf(seeding, 'batch', '', rank);
    const plan = { id: ids.at(rank), created, lifetime: batchLifetime, now: start, random };
    return makeBatch(plan, choosePath(state, random));
  });
};
