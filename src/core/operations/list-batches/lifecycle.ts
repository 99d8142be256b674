import { type BatchState, batchStates } from '../../assumptions/record-states.ts';
import type { Lifecycle } from '../../world/lifecycle.ts';
import type { Batch } from './types.ts';

type Counts = NonNullable<Batch['request_counts']>;

/** The values that a batch gets when it enters some of its states. */
export interface BatchEvents {
  readonly errors: NonNullable<Batch['errors']>;
  /** The counts when its time in progress ends. */
  readonly counts: Counts;
  readonly outputFile: string;
  readonly errorFile: string;
}

/** The number of steps in which the counts of a batch in progress grow. */
const steps = 8;

export const batchLifecycle: Lifecycle<BatchState, Batch, BatchEvents> = {
  states: batchStates,
  assumption: 'batch-states',
  initial: 'validating',
  lifetime: 86_400, // its completion window, 24 h
  next: {
    validating: { in_progress: 8, failed: 2, cancelling: 1 },
    in_progress: { finalizing: 4, expired: 1, cancelling: 1 },
    finalizing: { completed: 1 },
    cancelling: { cancelled: 1 },
  },
  usualEnd: 'completed',
  // Recorded times: the work in between takes minutes to hours.
  stays: {
    validating: {
      written: 5,
      seeded: [
        [95, [0, 5]],
        [5, [60, 66]],
      ],
    },
    in_progress: { written: 595 },
    finalizing: {
      written: 2,
      seeded: [
        [50, [1, 1]],
        [40, [2, 3]],
        [10, [4, 120]],
      ],
    },
    cancelling: { written: 600, seeded: [[1, [600, 609]]] },
  },
  end: [900, 21_600],
  expiry: { state: 'expired', after: [601, 611] },
  timestamps: {
    created_at: 'validating',
    in_progress_at: 'in_progress',
    finalizing_at: 'finalizing',
    cancelling_at: 'cancelling',
    completed_at: 'completed',
    failed_at: 'failed',
    expired_at: 'expired',
    cancelled_at: 'cancelled',
  },
  setIn: {
    errors: ['failed'],
    in_progress_at: ['in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled'],
    finalizing_at: ['finalizing', 'completed', 'expired'],
    completed_at: ['completed'],
    failed_at: ['failed'],
    expired_at: ['expired'],
    cancelling_at: ['cancelling', 'cancelled'],
    cancelled_at: ['cancelled'],
  },
  allowedBy: ({ request_counts, output_file_id }) => {
    const { total, completed, failed } = request_counts ?? { total: 0, completed: 0, failed: 0 };
    const handled: readonly BatchState[] =
      completed + failed < total ? ['in_progress', 'expired'] : ['finalizing', 'completed'];
    const hasOutput = completed > 0 || Boolean(output_file_id);
    return {
      ...(total > 0 && { request_counts: [...handled, 'cancelling' as const, 'cancelled' as const] }),
      output_file_id: ['completed', 'expired', 'cancelled'],
      error_file_id: ['completed', ...(hasOutput ? [] : ['expired' as const]), 'cancelled'], // an expired batch has one file
    };
  },
  onEnter: (status, at, events, { request_counts, expires_at, in_progress_at }) => {
    const counts = request_counts ?? { total: 0, completed: 0, failed: 0 };
    switch (status) {
      case 'in_progress':
        return { status, in_progress_at: at, request_counts: countsAfter(0, events.counts) };
      case 'finalizing':
        return {
          status,
          finalizing_at: at,
          request_counts: { ...counts, completed: counts.total - counts.failed },
        };
      case 'completed':
        return { status, completed_at: at, ...filesOf(status, counts, events) };
      case 'failed':
        return { status, failed_at: at, errors: events.errors };
      case 'expired':
        // Finalizing begins a second after the window, and takes ten minutes. A status set by a user may begin later.
        return {
          status,
          finalizing_at: Math.max(in_progress_at ?? 0, Math.min(at, (expires_at ?? at) + 1)),
          expired_at: at,
          ...filesOf(status, counts, events),
        };
      case 'cancelling':
        return { status, cancelling_at: at };
      case 'cancelled':
        return { status, cancelled_at: at, ...filesOf(status, counts, events) };
      case 'validating':
        return { status };
    }
  },
  during: (status, from, to, { counts }) =>
    status === 'in_progress'
      ? Array.from({ length: steps }, (_, step) => ({
          at: from + Math.floor(((to - from) * (step + 1)) / steps),
          set: { request_counts: countsAfter(step + 1, counts) },
        }))
      : [],
};

const countsAfter = (step: number, { total, completed, failed }: Counts): Counts => ({
  total,
  completed: Math.floor((completed * step) / steps),
  failed: Math.floor((failed * step) / steps),
});

/** The files of a batch that has ended. Requests that failed, or that a cancelled batch did not finish, are in the error file. */
const filesOf = (
  status: 'completed' | 'expired' | 'cancelled',
  { total, completed, failed }: Counts,
  { outputFile, errorFile }: BatchEvents,
): Pick<Batch, 'output_file_id' | 'error_file_id'> => {
  const hasOutput = completed > 0;
  const hasErrors = {
    completed: failed > 0,
    expired: total > 0 && !hasOutput, // it has one of the two files
    cancelled: total > 0,
  };
  return {
    output_file_id: hasOutput ? outputFile : null,
    error_file_id: hasErrors[status] ? errorFile : null,
  };
};
