import { batchLifecycle } from '../../operations/list-batches/lifecycle.ts';
import type { Batch } from '../../operations/list-batches/types.ts';
import { batchStates } from '../../protocol/record-states.ts';
import { finalStates } from '../../world/lifecycle.ts';
import { findDisorder } from './disorder.ts';

const { lifetime: batchLifetime, timestamps: batchTimestamps } = batchLifecycle;

const ended = finalStates(batchLifecycle);

const nothing = { total: 0, completed: 0, failed: 0 };

/** The timestamps of each state, in addition to created_at and expires_at. A batch cancelled early has no in_progress_at. */
const timestamps: Readonly<Record<string, readonly (keyof Batch)[]>> = {
  validating: [],
  in_progress: ['in_progress_at'],
  finalizing: ['in_progress_at', 'finalizing_at'],
  completed: ['in_progress_at', 'finalizing_at', 'completed_at'],
  failed: ['failed_at'],
  expired: ['in_progress_at', 'finalizing_at', 'expired_at'],
  cancelling: ['in_progress_at', 'cancelling_at'],
  cancelled: ['in_progress_at', 'cancelling_at', 'cancelled_at'],
};

/**
 * Yields how a batch contradicts its state, or the time `now` in seconds (assumption `batch-states`). How long it takes to
 * expire or to be cancelled differs too much in recorded traffic to be checked.
 */
export function* findBatchMistakes(batch: Batch, now: number): Generator<string> {
  const { status, created_at, expires_at, completion_window } = batch;
  if (!(batchStates as readonly string[]).includes(status)) return yield `unknown state ${status}`;
  if (completion_window !== '24h') yield `completion_window is ${completion_window}`;
  if (expires_at !== created_at + batchLifetime) yield `expires_at is ${expires_at}, not created_at + 24 h`;
  if ((batch.errors !== null) !== (status === 'failed'))
    yield `errors are ${JSON.stringify(batch.errors)} in ${status}`;
  yield* findTimeMistakes(batch, now);
  yield* findCountMistakes(batch);
  yield* findFileMistakes(batch);
}

function* findTimeMistakes(batch: Batch, now: number): Generator<string> {
  const { status, created_at } = batch;
  const expected = timestamps[status] ?? [];
  const mayLackStart = status === 'cancelling' || status === 'cancelled';
  for (const field of batchTimestamps.slice(1)) {
    const isSet = typeof batch[field] === 'number';
    if (field === 'in_progress_at' && mayLackStart) continue;
    if (isSet !== expected.includes(field)) yield `${field} is ${batch[field]} in ${status}`;
  }
  yield* findDisorder(batch, batchTimestamps, now);
  if (!ended.includes(status) && now >= created_at + batchLifetime + 660)
    yield `still ${status} after its expiry`;
  if (status === 'expired' && (batch.finalizing_at ?? 0) < created_at + batchLifetime)
    yield 'finalizing_at is before expires_at in expired';
}

function* findCountMistakes({ status, in_progress_at, request_counts }: Batch): Generator<string> {
  const { total, completed, failed } = request_counts ?? nothing;
  const handled = completed + failed;
  if (typeof in_progress_at !== 'number' && total + handled > 0)
    yield `not started, but has request counts in ${status}`;
  if (['finalizing', 'completed'].includes(status) && handled !== total)
    yield `only ${handled} of ${total} requests handled in ${status}`;
  if (['in_progress', 'expired'].includes(status) && handled >= total)
    yield `all ${total} requests handled in ${status}`;
  if (handled > total) yield `${handled} requests handled, but the total is ${total}`;
}

function* findFileMistakes(batch: Batch): Generator<string> {
  const { status, in_progress_at } = batch;
  const { completed, failed } = batch.request_counts ?? nothing;
  const hasOutput = completed > 0 && ['completed', 'expired', 'cancelled'].includes(status);
  const hasErrors =
    (status === 'completed' && failed > 0) ||
    (status === 'expired' && completed === 0) || // it has one file, never both
    (status === 'cancelled' && typeof in_progress_at === 'number'); // with the unfinished requests
  for (const [field, isExpected] of [
    ['output_file_id', hasOutput],
    ['error_file_id', hasErrors],
  ] as const)
    if ((batch[field] !== null) !== isExpected)
      yield `${field} is ${batch[field]} in ${status}, with ${completed} completed and ${failed} failed requests`;
}
