import { earliestOf, fitTimes } from '../../world/given-times.ts';
import type { NewRecord } from '../../world/kind.ts';
import { createRandom } from '../../world/random.ts';
import { afterSteps } from '../../world/timeline.ts';
import type { Run } from './contract.ts';
import { choosePath, makeRun } from './life.ts';
import { type RunState, runLifetime, runStates } from './lifecycle.ts';

/** A run written by hand: what is not given agrees with the state and the time that are. */
export const completeRun = (given: Partial<Run>, { seed, id, owner, now }: NewRecord): Run => {
  const random = createRandom(seed, 'run', owner, id);
  const givenCreation =
    given.created_at ?? (typeof given.expires_at === 'number' ? given.expires_at - runLifetime : undefined);
  const age = givenCreation === undefined ? undefined : now - givenCreation;
  const usualState = (age ?? 0) < runLifetime ? 'queued' : given.expires_at ? 'expired' : 'completed';
  const state = runStates.find((known) => known === given.status) ?? stateBy(given, now) ?? usualState;
  const usualAge = state === 'queued' ? 0 : state === 'expired' ? runLifetime + 60 : random.int(60, 500);
  const created =
    givenCreation ?? Math.min(now - usualAge, (earliestOf(given, moments) ?? Number.POSITIVE_INFINITY) - 1);
  const plan = { id, thread: owner, created, seed, now, random };
  const life = makeRun(plan, { behind: choosePath(state, random).behind, ahead: [] });
  const whole = afterSteps(life, life.timeline.length);
  return { ...whole, ...fitTimes(whole, given, moments), ...given };
};

/** The moments of a run, in the order of its states: at the most one of the last three is set. */
const moments = ['created_at', 'started_at', 'completed_at', 'failed_at', 'cancelled_at'] as const;

/** The state that the fields given tell of, where they do. */
const stateBy = (given: Partial<Run>, now: number): RunState | undefined => {
  if (given.completed_at) return 'completed';
  if (given.failed_at || given.last_error) return 'failed';
  if (given.cancelled_at) return 'cancelled';
  if (given.incomplete_details) return 'incomplete';
  if (given.required_action) return 'requires_action';
  if (given.usage) return 'completed';
  if (!given.started_at) return undefined;
  return now - given.started_at < runLifetime - 1 ? 'in_progress' : 'completed';
};
