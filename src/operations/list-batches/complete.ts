import { earliestOf, fitTimes } from '../../world/given-times.ts';
import type { NewRecord } from '../../world/kind.ts';
import { createRandom, type Random } from '../../world/random.ts';
import { afterSteps } from '../../world/timeline.ts';
import type { Batch } from './contract.ts';
import { fileId } from './fields.ts';
import { choosePath, makeBatch } from './life.ts';
import { type BatchState, batchLifetime, batchMoments, batchStates } from './lifecycle.ts';

/** A batch written by hand: what is not given agrees with the state and the time that are. */
export const completeBatch = (given: Partial<Batch>, { seed, id, now }: NewRecord): Batch => {
  const random = createRandom(seed, 'batch', '', id);
  const givenCreation =
    given.created_at ?? (typeof given.expires_at === 'number' ? given.expires_at - batchLifetime : undefined);
  const age = givenCreation === undefined ? undefined : now - givenCreation;
  const usualState = (age ?? 0) < batchLifetime ? 'validating' : 'completed';
  const state = batchStates.find((known) => known === given.status) ?? stateBy(given, now) ?? usualState;
  const usualAge =
    state === 'validating' ? 0 : state === 'expired' ? batchLifetime + 600 : random.int(3600, 40_000);
  const chosen = choosePath(state, random).behind;
  const isStarted = (given.request_counts?.total ?? 0) > 0;
  const behind: readonly BatchState[] =
    isStarted && chosen[0]?.startsWith('cancel') ? ['in_progress', ...chosen] : chosen;
  const lead = state === 'expired' ? batchLifetime : 1;
  const created =
    givenCreation ??
    Math.min(now - usualAge, (earliestOf(given, batchMoments) ?? Number.POSITIVE_INFINITY) - lead);
  const life = makeBatch(id, created, { behind, ahead: [] }, now, random);
  const whole = afterSteps(life, life.timeline.length);
  return { ...whole, ...filesBy(whole, given, random), ...fitTimes(whole, given, batchMoments), ...given };
};

/** The state that the fields given tell of, where they do. */
const stateBy = (given: Partial<Batch>, now: number): BatchState | undefined => {
  const begun = given.in_progress_at ?? given.finalizing_at ?? given.cancelling_at ?? now;
  const isOver = now - begun >= batchLifetime - 1;
  if (given.completed_at) return 'completed';
  if (given.failed_at || given.errors) return 'failed';
  if (given.expired_at) return 'expired';
  if (given.cancelled_at) return 'cancelled';
  if (given.cancelling_at) return isOver ? 'cancelled' : 'cancelling';
  if (given.output_file_id || given.error_file_id) return 'completed';
  if (given.finalizing_at) return isOver ? 'completed' : 'finalizing';
  if (given.in_progress_at) return isOver ? 'completed' : 'in_progress';
  const { total = 0, completed = 0, failed = 0 } = given.request_counts ?? {};
  if (total === 0) return undefined;
  return completed + failed === total ? 'completed' : 'in_progress';
};

/** The files that agree with the counts given: one for each kind of request that there was. */
const filesBy = (whole: Batch, { request_counts }: Partial<Batch>, random: Random): Partial<Batch> => {
  const hasFiles = ['completed', 'expired', 'cancelled'].includes(whole.status);
  if (!request_counts || !hasFiles) return {};
  return {
    output_file_id: request_counts.completed > 0 ? (whole.output_file_id ?? fileId(random)) : null,
    error_file_id: request_counts.failed > 0 ? (whole.error_file_id ?? fileId(random)) : null,
  };
};
