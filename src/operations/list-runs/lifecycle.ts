import type { Step } from '../../world/timeline.ts';
import type { Run } from './contract.ts';

/** Under the assumption `run-states`: the contract names "queued" alone. */
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

/** How many seconds after its creation a run expires, unless it has ended by then. */
export const runLifetime = 600;

/** What a run meets on its way, should it come to that state. */
export interface RunEvents {
  readonly requiredAction: NonNullable<Run['required_action']>;
  readonly lastError: NonNullable<Run['last_error']>;
  readonly incompleteDetails: NonNullable<Run['incomplete_details']>;
  readonly usage: NonNullable<Run['usage']>;
}

/** The steps of a run through these states, each entered at its moment; the first state, queued, is not among them. */
export const runSteps = (
  path: readonly { readonly status: RunState; readonly at: number }[],
  events: RunEvents,
): Step<Run>[] => {
  const started = path.findIndex(({ status }) => status === 'in_progress');
  return path.map(({ status, at }, index) => ({
    at,
    set: {
      status,
      required_action: status === 'requires_action' ? events.requiredAction : null,
      ...(index === started && { started_at: at }),
      ...endOf(status, at, events),
    },
  }));
};

const endOf = (
  status: RunState,
  at: number,
  { usage, lastError, incompleteDetails }: RunEvents,
): Partial<Run> => {
  switch (status) {
    case 'completed':
      return { completed_at: at, expires_at: null, usage };
    case 'failed':
      return { failed_at: at, last_error: lastError, expires_at: null, usage };
    case 'incomplete':
      return { incomplete_details: incompleteDetails, expires_at: null, usage };
    case 'cancelled':
      return { cancelled_at: at, expires_at: null, usage };
    case 'expired':
      return { usage };
    default:
      return {};
  }
};
