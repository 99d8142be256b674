import type { Random } from '../../world/random.ts';
import type { Life } from '../../world/timeline.ts';
import type { Batch } from './contract.ts';
import { chooseEvents, newBatch } from './fields.ts';
import { type BatchState, batchLifetime, batchSteps } from './lifecycle.ts';

/** The life of a batch along a path. @param now the moment that parts what lies behind from what lies ahead */
export const makeBatch = (
  id: string,
  created: number,
  path: Path,
  now: number,
  random: Random,
): Life<Batch> => {
  const events = chooseEvents([...path.behind, ...path.ahead], random);
  return {
    resource: newBatch(id, created, random),
    timeline: batchSteps(timePath(path, created, now, random), events),
  };
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
const timePath = ({ behind, ahead }: Path, created: number, now: number, random: Random) => {
  const age = now - created;
  const lastBehind = ahead.length > 0 ? age : Math.min(age, random.int(900, 21_600));
  const lastAhead = Math.min(batchLifetime - 1, age + random.int(600, 14_400));
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
      at: created + (status === 'expired' ? batchLifetime : isFirst ? Math.min(offset, soon) : offset),
    };
  });
};
