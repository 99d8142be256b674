import { lastMoment } from '../../world/clock-limits.ts';
import { earliestOf, fitTimes, latestOf, spanOf } from '../../world/given-times.ts';
import type { NewRecord } from '../../world/kind.ts';
import { createRandom, type Random } from '../../world/random.ts';
import { afterSteps } from '../../world/timeline.ts';
import type { Batch } from './contract.ts';
import { fileId } from './fields.ts';
import { choosePath, makeBatch } from './life.ts';
import { type BatchState, batchLifetime, batchMoments, batchStates } from './lifecycle.ts';

/** A batch written by hand: what is not given agrees with what is, and with the time. */
export const completeBatch = (given: Partial<Batch>, { seed, id, now }: NewRecord): Batch => {
  const random = createRandom(seed, 'batch', '', id);
  const span = spanOf(given, batchLifetime, now);
  const isOver = span.created !== undefined && now - span.created >= span.lifetime;
  const usualState = isOver ? 'completed' : 'validating';
  const state = batchStates.find((known) => known === given.status) ?? stateBy(given, now) ?? usualState;
  const usualAge =
    state === 'validating' ? 0 : state === 'expired' ? batchLifetime + 600 : random.int(3600, 40_000);
  const chosen = choosePath(state, random).behind;
  const isStarted =
    (given.request_counts?.total ?? 0) > 0 || Boolean(given.output_file_id ?? given.error_file_id);
  const behind: readonly BatchState[] =
    isStarted && chosen[0]?.startsWith('cancel') ? ['in_progress', ...chosen] : chosen;
  const lead = state === 'expired' ? batchLifetime : 1;
  const usualCreation = Math.max(now - usualAge, latestOf(given, batchMoments) - batchLifetime);
  const created =
    span.created ?? Math.max(0, Math.min(now, usualCreation, earliestOf(given, batchMoments) - lead));
  // One that has expired did so by now and by the moments given, however short its life was.
  const isShort = state === 'expired' && typeof given.expires_at !== 'number';
  const end = isShort ? Math.min(now, earliestOf(given, ['finalizing_at', 'expired_at'])) : lastMoment;
  const lifetime = Math.max(0, Math.min(span.lifetime, end - created));
  const life = makeBatch({ id, created, lifetime, now, random }, { behind, ahead: [] });
  const whole = afterSteps(life, life.timeline.length);
  const request_counts = given.request_counts ?? countsBy(whole, given);
  const files = filesBy({ ...whole, request_counts }, random);
  return { ...whole, request_counts, ...files, ...fitTimes(whole, given, batchMoments), ...given };
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

const hasFiles = ({ status }: Batch): boolean => ['completed', 'expired', 'cancelled'].includes(status);

/** The counts that agree with the files given: one tells of requests of its kind, null of none. */
const countsBy = (whole: Batch, given: Partial<Batch>): NonNullable<Batch['request_counts']> => {
  const counts = whole.request_counts ?? { total: 0, completed: 0, failed: 0 };
  const { output_file_id: output, error_file_id: error } = given;
  if (!hasFiles(whole) || (output === undefined && error === undefined)) return counts;
  const isEmpty = output === null && error === null;
  const needed = Number(Boolean(output)) + Number(Boolean(error));
  const handled = isEmpty ? 0 : Math.max(needed, counts.completed + counts.failed);
  const most = error === null ? 0 : handled - Number(Boolean(output));
  const least = output === null ? handled : Number(Boolean(error));
  const failed = Math.max(least, Math.min(most, counts.failed));
  return {
    total: whole.status === 'completed' ? handled : counts.total,
    completed: handled - failed,
    failed,
  };
};

/** The files that agree with the counts: one for each kind of request that there was. */
const filesBy = (whole: Batch, random: Random): Partial<Batch> => {
  const { request_counts: counts, output_file_id, error_file_id } = whole;
  if (!counts || !hasFiles(whole)) return {};
  return {
    output_file_id: counts.completed > 0 ? (output_file_id ?? fileId(random)) : null,
    error_file_id: counts.failed > 0 ? (error_file_id ?? fileId(random)) : null,
  };
};
