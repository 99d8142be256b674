// The contract names only "queued" and "validating": the other states are the assumptions `run-states` and `batch-states`.

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

export type RunState = (typeof runStates)[number];

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
