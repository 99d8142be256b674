import { lastMoment } from '../../world/clock-limits.ts';
import { earliestOf, fitTimes, latestOf, spanOf } from '../../world/given-times.ts';
import type { NewRecord } from '../../world/kind.ts';
import { createRandom } from '../../world/random.ts';
import { afterSteps } from '../../world/timeline.ts';
import type { Run } from './contract.ts';
import { choosePath, makeRun } from './life.ts';
import { type RunState, runLifetime, runStates } from './lifecycle.ts';

/** A run written by hand: what is not given agrees with what is, and with the time. */
export const completeRun = (given: Partial<Run>, { seed, id, owner, now }: NewRecord): Run => {
  const random = createRandom(seed, 'run', owner, id);
  const span = spanOf(given, runLifetime, now);
  const isOver = span.created !== undefined && now - span.created >= span.lifetime;
  const hasExpiry = typeof given.expires_at === 'number';
  const usualState = isOver ? (hasExpiry ? 'expired' : 'completed') : 'queued';
  const state = runStates.find((known) => known === given.status) ?? stateBy(given, now) ?? usualState;
  const usualAge = state === 'queued' ? 0 : state === 'expired' ? runLifetime + 60 : random.int(60, 500);
  const usualCreation = Math.max(now - usualAge, latestOf(given, moments) - runLifetime);
  const created = span.created ?? Math.max(0, Math.min(now, usualCreation, earliestOf(given, moments) - 1));
  // One that has expired did so by now, however short its life was.
  const end = state === 'expired' && !hasExpiry ? now : lastMoment;
  const lifetime = Math.max(0, Math.min(span.lifetime, end - created));
  const plan = { id, thread: owner, created, lifetime, seed, now, random };
  const life = makeRun(plan, { behind: choosePath(state, random).behind, ahead: [] }, given);
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
