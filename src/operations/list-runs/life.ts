import type { Random } from '../../world/random.ts';
import type { Life } from '../../world/timeline.ts';
import { assistantOf, functionNames, withFunctions } from './assistants.ts';
import type { Run } from './contract.ts';
import { chooseEvents, chooseLimits, newRun, type Plan } from './fields.ts';
import { type RunState, runSteps } from './lifecycle.ts';

/** The life of a run along a path. @param given fields of the run, which the others agree with */
export const makeRun = (plan: Plan, path: Path, given: Partial<Run> = {}): Life<Run> => {
  const { seed, random } = plan;
  const states = [...path.behind, ...path.ahead];
  const assistant = assistantOf(seed, random, states.includes('requires_action'));
  const calls = given.required_action?.submit_tool_outputs.tool_calls ?? [];
  const called = calls.map(({ function: { name } }) => name);
  const tools = given.tools ?? withFunctions(assistant.tools, called);
  const limits = chooseLimits(states, random, given);
  const run = newRun(plan, assistant, tools, limits);
  // A run may be given without a function, and wait for one nevertheless.
  const callable = [tools, assistant.tools].map(functionNames).find((names) => names.length > 0) ?? [];
  return { resource: run, timeline: runSteps(timePath(path, plan), chooseEvents(callable, limits, random)) };
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
const timePath = ({ behind, ahead }: Path, { created, lifetime, now, random }: Plan) => {
  const age = now - created;
  const isLive = ahead.length > 0;
  const lastBehind = isLive ? age : Math.min(age, Math.max(0, lifetime - 1), random.int(12, 200));
  const offsets = [
    ...random.rising(behind.length, Math.min(1, lastBehind), lastBehind),
    ...random.rising(ahead.length, age + 1, lifetime - 1),
  ];
  const soon = random.int(1, 8);
  return [...behind, ...ahead].map((status, index) => {
    const offset = offsets[index] ?? 0;
    const isStart = index === 0 && behind.length > 0;
    return {
      status,
      at: created + (status === 'expired' ? lifetime : isStart ? Math.min(offset, soon) : offset),
    };
  });
};
