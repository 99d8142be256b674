import { batchStates } from '../../protocol/record-states.ts';
import { finalStates } from '../../world/lifecycle.ts';
import type { Batch } from './contract.ts';
import { batchLifecycle } from './lifecycle.ts';

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

/** Yields the mistakes of a batch: what does not agree with its state or with the time `now`, in seconds (assumption `batch-states`). */
export function* findBatchMistakes(batch: Batch, now: number): Generator<string> {
  const { status, created_at, expires_at, completion_window } = batch;
  if (!(batchStates as readonly string[]).includes(status)) yield `unknown state ${status}`;
  if (completion_window !== '24h') yield `the window is ${completion_window}`;
  if (expires_at !== created_at + batchLifetime) yield `expires_at is ${expires_at}`;
  if ((batch.errors !== null) !== (status === 'failed'))
    yield `errors are ${JSON.stringify(batch.errors)} in ${status}`;
  yield* findTimeMistakes(batch, now);
  yield* findCountMistakes(batch);
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
  const times = [...batchTimestamps.map((field) => batch[field]).filter((at) => typeof at === 'number'), now];
  if (times.some((at, index) => index > 0 && at < (times[index - 1] ?? 0)))
    yield `timestamps out of order: ${times.join(', ')}`;
  if (!ended.includes(status) && now >= created_at + batchLifetime + 660)
    yield `still ${status} after its expiry`;
  if (status === 'expired' && (batch.finalizing_at ?? 0) < created_at + batchLifetime)
    yield 'expired before expires_at';
}

function* findCountMistakes(batch: Batch): Generator<string> {
  const { status, output_file_id, error_file_id } = batch;
  const { total, completed, failed } = batch.request_counts ?? nothing;
  const handled = completed + failed;
  const isStarted = typeof batch.in_progress_at === 'number';
  if (!isStarted && total + handled > 0) yield `not started, but has request counts in ${status}`;
  if (['finalizing', 'completed'].includes(status) && handled !== total)
    yield `only ${handled} of ${total} requests handled in ${status}`;
  if (['in_progress', 'expired'].includes(status) && handled >= total)
    yield `all ${total} requests handled in ${status}`;
  if (handled > total) yield `${handled} requests handled, but the total is ${total}`;
  const hasFiles = ['completed', 'expired', 'cancelled'].includes(status);
  const hasOutput = hasFiles && (completed > 0 || (status === 'expired' && total > 0));
  const hasErrors = hasFiles && (failed > 0 || (status !== 'completed' && total > 0)); // includes unfinished requests
  if ((output_file_id !== null) !== hasOutput) yield `the output file is ${output_file_id}`;
  if ((error_file_id !== null) !== hasErrors) yield `the error file is ${error_file_id}`;
}
