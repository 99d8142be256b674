import { batchStates } from '../../../core/assumptions/record-states.ts';
import { batchLifecycle } from '../../../core/operations/list-batches/lifecycle.ts';
import type { Batch } from '../../../core/operations/list-batches/types.ts';
import { finalStates } from '../../../core/world/lifecycle.ts';
import { findDisorderedTimes, findMisplaced } from './fields.ts';

const { lifetime, timestamps, setIn } = batchLifecycle;

const isFinal = (status: string): boolean => finalStates(batchLifecycle).includes(status);

/**
 * Yields how a batch contradicts its state, or the time `now` in seconds (assumption `batch-states`). How long it takes to
 * expire or to be cancelled differs too much in recorded traffic to be checked.
 */
export function* findBatchContradictions(batch: Batch, now: number): Generator<string> {
  const { status, created_at, expires_at, completion_window, in_progress_at } = batch;
  if (!(batchStates as readonly string[]).includes(status)) return yield `unknown state ${status}`;
  const end = created_at + lifetime;
  if (completion_window !== '24h') yield `completion_window is ${completion_window}`;
  if (expires_at !== end) yield `expires_at is ${expires_at}, not created_at + 24 h`;

  const isStarted = typeof in_progress_at === 'number';
  const { in_progress_at: _, ...others } = setIn; // a batch that was cancelled early has no request counts
  yield* findMisplaced(batch, !isStarted && /^cancel/.test(status) ? others : setIn);
  yield* findDisorderedTimes(batch, timestamps, now);
  if (!isFinal(status) && now >= end + 660) yield `still ${status} after its expiry`;
  if (status === 'expired' && (batch.finalizing_at ?? 0) < end)
    yield 'finalizing_at is before expires_at in expired';

  const { total, completed, failed } = batch.request_counts ?? { total: 0, completed: 0, failed: 0 };
  const handled = completed + failed;
  if (!isStarted && total + handled > 0) yield `not started, but has request counts in ${status}`;
  if (['finalizing', 'completed'].includes(status) && handled !== total)
    yield `only ${handled} of ${total} requests handled in ${status}`;
  if (['in_progress', 'expired'].includes(status) && handled >= total)
    yield `all ${total} requests handled in ${status}`;
  if (handled > total) yield `${handled} requests handled, but the total is ${total}`;

  const hasFile = {
    output_file_id: completed > 0 && ['completed', 'expired', 'cancelled'].includes(status),
    error_file_id:
      (status === 'completed' && failed > 0) ||
      (status === 'expired' && completed === 0) || // an expired batch has one file, never both
      (status === 'cancelled' && isStarted), // with the unfinished requests
  };
  for (const field of ['output_file_id', 'error_file_id'] as const)
    if ((batch[field] !== null) !== hasFile[field])
      yield `${field} is ${batch[field]} in ${status}, with ${completed} completed and ${failed} failed requests`;
}
