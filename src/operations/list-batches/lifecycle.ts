import type { Step } from '../../world/timeline.ts';
import type { Batch } from './contract.ts';

/** Under the assumption `batch-states`: the contract names "validating" alone. */
export const batchStates = [
  'validating',
  'in_progress',
  'finalizing',
  'completed',
  'failed',
  'expired',
  'cancelling',
  'cancelled',
] as const;

export type BatchState = (typeof batchStates)[number];

/** How many seconds after its creation a batch expires: its completion window, 24 h. */
export const batchLifetime = 86_400;

/** The moments of a batch, in the order of its states. */
export const batchMoments = [
  'created_at',
  'in_progress_at',
  'finalizing_at',
  'cancelling_at',
  'completed_at',
  'failed_at',
  'expired_at',
  'cancelled_at',
] as const;

/** What a batch meets on its way, should it come to that state. */
export interface BatchEvents {
  readonly errors: NonNullable<Batch['errors']>;
  /** The counts while it is worked on, from its start to its end, evenly spread over that time. */
  readonly progress: readonly NonNullable<Batch['request_counts']>[];
  readonly outputFile: string;
  readonly errorFile: string;
}

interface Moment {
  readonly status: BatchState;
  readonly at: number;
}

/** The steps of a batch through these states, each entered at its moment; the first, validating, is not among them. */
export const batchSteps = (path: readonly Moment[], events: BatchEvents): Step<Batch>[] =>
  path.flatMap((moment, index) => [
    { at: moment.at, set: enter(moment, events) },
    ...(moment.status === 'in_progress'
      ? progressSteps(moment.at, path[index + 1]?.at ?? moment.at, events)
      : []),
  ]);

const progressSteps = (from: number, to: number, { progress }: BatchEvents): Step<Batch>[] =>
  progress.map((request_counts, index) => ({
    at: from + Math.floor(((to - from) * index) / (progress.length - 1)),
    set: { request_counts },
  }));

const enter = ({ status, at }: Moment, events: BatchEvents): Partial<Batch> => {
  switch (status) {
    case 'in_progress':
      return { status, in_progress_at: at };
    case 'finalizing':
      return { status, finalizing_at: at };
    case 'completed':
      return { status, completed_at: at, ...files(events) };
    case 'failed':
      return { status, failed_at: at, errors: events.errors };
    case 'expired':
      return { status, finalizing_at: at, expired_at: at, ...files(events) };
    case 'cancelling':
      return { status, cancelling_at: at };
    case 'cancelled':
      return { status, cancelled_at: at, ...files(events) };
    case 'validating':
      return { status };
  }
};

/** A file holds the answers of its kind of request, so that it exists where there was such a request. */
const files = ({ progress, outputFile, errorFile }: BatchEvents): Partial<Batch> => {
  const { completed = 0, failed = 0 } = progress.at(-1) ?? {};
  return {
    output_file_id: completed > 0 ? outputFile : null,
    error_file_id: failed > 0 ? errorFile : null,
  };
};
