import type { Random } from '../../world/random.ts';
import type { Life } from '../../world/timeline.ts';
import type { Batch } from './contract.ts';
import { chooseEvents, newBatch, type Plan } from './fields.ts';
import { type BatchState, batchSteps } from './lifecycle.ts';

/** The life of a batch along a path. */
export const makeBatch = (plan: Plan, path: Path): Life<Batch> => {
  const events = chooseEvents([...path.behind, ...path.ahead], plan.random);
  return { resource: newBatch(plan), timeline: batchSteps(timePath(path, plan), events) };
};

/** The states that lie behind a batch at some moment, and those still ahead of it. */
export interface Path {
  readonly behind: readonly BatchState[];
  readonly ahead: readonly BatchState[];
}

export const choosePath = (state: BatchState, random: Random): Path => {
  switch (state) {
    case 'validating':
      return { behind: [], ahead: random.chance(0.2) ? ['failed'] : ['in_progress', ...chooseEnd(random)] };
    case 'in_progress':
      return { behind: ['in_progress'], ahead: chooseEnd(random) };
    case 'finalizing':
      return { behind: ['in_progress', 'finalizing'], ahead: ['completed'] };
    case 'cancelling':
      return { behind: [...started(random), 'cancelling'], ahead: ['cancelled'] };
    case 'completed':
      return { behind: ['in_progress', 'finalizing', 'completed'], ahead: [] };
    case 'expired':
      return { behind: ['in_progress', 'expired'], ahead: [] };
    case 'cancelled':
      return { behind: [...started(random), 'cancelling', 'cancelled'], ahead: [] };
    case 'failed':
      return { behind: ['failed'], ahead: [] };
  }
};

const chooseEnd = (random: Random): BatchState[] => {
  const ends: BatchState[][] = [['finalizing', 'completed'], ['expired'], ['cancelling', 'cancelled']];
  return ends[random.weighted([4, 1, 1])] ?? [];
};

/** Some batches are cancelled before they start. */
const started = (random: Random): BatchState[] => (random.chance(0.6) ? ['in_progress'] : []);

/** Gives each state its moment: those behind before now, those ahead after it, and expiry at its very second. */
const timePath = ({ behind, ahead }: Path, { created, lifetime, now, random }: Plan) => {
  const age = now - created;
  const lastBehind =
    ahead.length > 0 ? age : Math.min(age, Math.max(0, lifetime - 1), random.int(900, 21_600));
  const lastAhead = Math.min(lifetime - 1, age + random.int(600, 14_400));
  const offsets = [
    ...random.rising(behind.length, Math.min(20, lastBehind), lastBehind),
    ...random.rising(ahead.length, age + 1, lastAhead),
  ];
  const soon = random.int(20, 120);
  return [...behind, ...ahead].map((status, index) => {
    const offset = offsets[index] ?? 0;
    const isFirst = index === 0 && behind.length > 0;
    return {
      status,
      at: created + (status === 'expired' ? lifetime : isFirst ? Math.min(offset, soon) : offset),
    };
  });
};
