import type { Random } from '../../world/random.ts';
import type { Life } from '../../world/timeline.ts';
import { assistantOf } from './assistants.ts';
import type { Run } from './contract.ts';
import { chooseEvents, chooseLimits, newRun } from './fields.ts';
import { type RunState, runLifetime, runSteps } from './lifecycle.ts';

/** A run to be made. */
export interface Plan {
  readonly id: string;
  readonly thread: string;
  readonly created: number;
  readonly seed: number;
  /** The moment that parts what lies behind from what lies ahead. */
  readonly now: number;
  readonly random: Random;
}

/** The life of a run along a path. */
export const makeRun = ({ id, thread, created, seed, now, random }: Plan, path: Path): Life<Run> => {
  const states = [...path.behind, ...path.ahead];
  const assistant = assistantOf(seed, random, states.includes('requires_action'));
  const limits = chooseLimits(states, random);
  return {
    resource: newRun(id, thread, created, assistant, limits, random),
    timeline: runSteps(timePath(path, created, now, random), chooseEvents(assistant, limits, random)),
  };
};

/** The states that lie behind a run at some moment, and those still ahead of it. */
export interface Path {
  readonly behind: readonly RunState[];
  readonly ahead: readonly RunState[];
}

const toolRound = ['requires_action', 'queued', 'in_progress'] as const;

export const choosePath = (state: RunState, random: Random): Path => {
  const usesTool = random.chance(0.3);
  const round = usesTool ? toolRound : [];
  switch (state) {
    case 'queued':
      return { behind: [], ahead: ['in_progress', ...round, ...chooseEnd(random)] };
    case 'in_progress':
      return { behind: ['in_progress'], ahead: [...round, ...chooseEnd(random)] };
    case 'requires_action':
      return {
        behind: ['in_progress', 'requires_action'],
        ahead: random.pick([
          ['queued', 'in_progress', ...chooseEnd(random)],
          ['expired'],
          ['cancelling', 'cancelled'],
        ]),
      };
    case 'cancelling':
      return { behind: ['in_progress', 'cancelling'], ahead: ['cancelled'] };
    case 'cancelled':
      return {
        behind: [
          'in_progress',
          ...(usesTool ? (['requires_action'] as const) : []),
          'cancelling',
          'cancelled',
        ],
        ahead: [],
      };
    case 'expired':
      return {
        behind: ['in_progress', ...(usesTool ? (['requires_action'] as const) : []), 'expired'],
        ahead: [],
      };
    default:
      return { behind: ['in_progress', ...round, state], ahead: [] };
  }
};

const chooseEnd = (random: Random): RunState[] => {
  const ends: RunState[][] = [['completed'], ['failed'], ['incomplete'], ['cancelling', 'cancelled']];
  return ends[random.weighted([4, 1, 1, 1])] ?? [];
};

/** Gives each state its moment: those behind before now, those ahead after it, and expiry at its very second. */
const timePath = ({ behind, ahead }: Path, created: number, now: number, random: Random) => {
  const age = now - created;
  const isLive = ahead.length > 0;
  const lastBehind = isLive ? age : Math.min(age, runLifetime - 1, random.int(12, 200));
  const offsets = [
    ...random.rising(behind.length, Math.min(1, lastBehind), lastBehind),
    ...random.rising(ahead.length, age + 1, runLifetime - 1),
  ];
  const soon = random.int(1, 8);
  return [...behind, ...ahead].map((status, index) => {
    const offset = offsets[index] ?? 0;
    const isStart = index === 0 && behind.length > 0;
    return {
      status,
      at: created + (status === 'expired' ? runLifetime : isStart ? Math.min(offset, soon) : offset),
    };
  });
};
