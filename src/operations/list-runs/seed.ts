import { createDealtSource, type Habits } from '../../world/dealt-source.ts';
import { createIds } from '../../world/ids.ts';
import { randomOf, type Seeding } from '../../world/kind.ts';
import type { Amount } from '../../world/mix.ts';
import type { Source } from '../../world/source.ts';
import type { Run } from './contract.ts';
import { choosePath, makeRun } from './life.ts';
import { type RunState, runLifetime } from './lifecycle.ts';

/** A live run is younger than its lifetime, an old one has had the time to expire. */
const habits: Habits<RunState> = {
  deck: {
    newborn: 'queued',
    live: ['in_progress', 'requires_action', 'cancelling'],
    young: [
      'in_progress',
      'requires_action',
      'cancelling',
      'completed',
      'completed',
      'completed',
      'completed',
      'failed',
    ],
    old: [
      ...Array<RunState>(13).fill('completed'),
      ...(['failed', 'failed', 'incomplete', 'incomplete', 'cancelled', 'expired', 'expired'] as const),
    ],
  },
  newborn: { from: 1, to: 25 },
  young: { from: 25, to: 560 },
  old: { from: 900, gap: 2400 },
  ties: [0, 0, 0, 1, 2, 2, 3, 3],
};

/** The runs of one thread, newest first. */
export const seedRuns = (
  amount: Amount<RunState>,
  ties: number | undefined,
  thread: string,
  seeding: Seeding,
): Source<Run> => {
  const { seed, start } = seeding;
  const key = `${seed}/run/${thread}`;
  const ids = createIds('run_', key);
  return createDealtSource(habits, { key, ids, amount, ties, start }, (rank, state, created) => {
    const random = randomOf(seeding, 'run', thread, rank);
    const plan = { id: ids.at(rank), thread, created, lifetime: runLifetime, seed, now: start, random };
    return makeRun(plan, choosePath(state, random));
  });
};
