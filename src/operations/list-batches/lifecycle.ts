import { type BatchState, batchStates } from '../../protocol/record-states.ts';
import { defineLifecycle } from '../../world/lifecycle.ts';
import type { Batch } from './contract.ts';

/** The values that a batch gets when it reaches certain states. */
export interface BatchEvents {
  readonly errors: NonNullable<Batch['errors']>;
  /** The counts while it is in progress, spread evenly over that time. */
  readonly progress: readonly NonNullable<Batch['request_counts']>[];
  readonly outputFile: string;
  readonly errorFile: string;
  readonly expires_at: number;
}

export const batchLifecycle = defineLifecycle<BatchState, Batch, BatchEvents>({
  states: batchStates,
  initial: 'validating',
  lifetime: 86_400, // its completion window, 24 h
  transitions: {
    validating: { in_progress: 8, failed: 2, cancelling: 1 },
    in_progress: { finalizing: 4, expired: 1, cancelling: 1 },
    finalizing: { completed: 1 },
    cancelling: { cancelled: 1 },
    completed: {},
    failed: {},
    expired: {},
    cancelled: {},
  },
  times: { start: [20, 120], end: [900, 21_600], expiry: [125, 660] },
  timestamps: [
    'created_at',
    'in_progress_at',
    'finalizing_at',
    'cancelling_at',
    'completed_at',
    'failed_at',
    'expired_at',
    'cancelled_at',
  ],
  afterExpiry: ['finalizing_at', 'expired_at'],
  onEnter: (status, at, events) => {
    switch (status) {
      case 'in_progress':
        return { status, in_progress_at: at };
      case 'finalizing':
        return { status, finalizing_at: at };
      case 'completed':
        return { status, completed_at: at, ...filesOf(events.progress.at(-1), status, events) };
      case 'failed':
        return { status, failed_at: at, errors: events.errors };
      case 'expired':
        return {
          status,
          finalizing_at: Math.max(events.expires_at, at - 120), // it takes some minutes
          expired_at: at,
          ...filesOf(events.progress.at(-1), status, events),
        };
      case 'cancelling':
        return { status, cancelling_at: at };
      case 'cancelled':
        return { status, cancelled_at: at, ...filesOf(events.progress.at(-1), status, events) };
      case 'validating':
        return { status };
    }
  },
  during: (status, from, to, { progress }) =>
    status === 'in_progress'
      ? progress.map((request_counts, index) => ({
          at: from + Math.floor(((to - from) * index) / (progress.length - 1)),
          set: { request_counts },
        }))
      : [],
});

/** The files of a batch that has ended: one for completed requests, one for failed and unfinished requests. */
export const filesOf = (
  counts: Batch['request_counts'],
  status: string,
  files: Pick<BatchEvents, 'outputFile' | 'errorFile'>,
): Pick<Batch, 'output_file_id' | 'error_file_id'> => {
  const { total = 0, completed = 0, failed = 0 } = counts ?? {};
  const isUnfinished = total > 0 && status !== 'completed';
  return {
    output_file_id: completed > 0 || (status === 'expired' && total > 0) ? files.outputFile : null,
    error_file_id: failed > 0 || isUnfinished ? files.errorFile : null,
  };
};
