// The contract names only "queued" and "validating": the other states are the assumptions `run-states` and `batch-states`.

/** The states of a run. */
export const runStates = [
  'queued',
  'in_progress',
  'requires_action',
  'cancelling',
  'cancelled',
  'failed',
  'completed',
  'incomplete',
  'expired',
] as const;

/** A state of a run. */
export type RunState = (typeof runStates)[number];

/** The states of a batch. */
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

/** A state of a batch. */
export type BatchState = (typeof batchStates)[number];
