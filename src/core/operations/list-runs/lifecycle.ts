import { type RunState, runStates } from '../../assumptions/record-states.ts';
import type { Lifecycle } from '../../world/lifecycle.ts';
import type { Run } from './types.ts';

/** The values that a run gets when it enters certain states. */
export interface RunEvents {
  readonly required_action: NonNullable<Run['required_action']>;
  readonly last_error: NonNullable<Run['last_error']>;
  readonly incomplete_details: NonNullable<Run['incomplete_details']>;
  readonly usage: NonNullable<Run['usage']>;
}

export const runLifecycle: Lifecycle<RunState, Run, RunEvents> = {
  states: runStates,
  assumption: 'run-states',
  initial: 'queued',
  lifetime: 600,
  next: {
    queued: { in_progress: 1 },
    in_progress: { completed: 8, failed: 2, incomplete: 2, cancelling: 2, expired: 1, requires_action: 4 },
    requires_action: { cancelling: 1, expired: 1, queued: 4 },
    cancelling: { cancelled: 1 },
  },
  usualEnd: 'completed',
  stays: {
    queued: { written: 2, seeded: [[1, [1, 8]]] },
    in_progress: { written: 28 },
    requires_action: { written: 10 },
    cancelling: { written: 5 },
  },
  end: [12, 200],
  expiry: { state: 'expired', after: [0, 0] },
  timestamps: {
    created_at: 'queued',
    started_at: 'in_progress',
    completed_at: 'completed',
    failed_at: 'failed',
    cancelled_at: 'cancelled',
  },
  setIn: {
    required_action: ['requires_action'],
    last_error: ['failed'],
    failed_at: ['failed'],
    completed_at: ['completed'],
    cancelled_at: ['cancelled'],
    incomplete_details: ['incomplete'],
    usage: ['cancelled', 'failed', 'completed', 'incomplete', 'expired'],
    expires_at: ['queued', 'in_progress', 'requires_action', 'cancelling', 'expired'],
  },
  onEnter: (status, at, { usage, ...events }, { started_at }) => {
    const set = { status, required_action: status === 'requires_action' ? events.required_action : null };
    switch (status) {
      case 'in_progress':
        return { ...set, started_at: started_at ?? at };
      case 'completed':
        return { ...set, completed_at: at, expires_at: null, usage };
      case 'failed':
        return { ...set, failed_at: at, last_error: events.last_error, expires_at: null, usage };
      case 'incomplete':
        return { ...set, incomplete_details: events.incomplete_details, expires_at: null, usage };
      case 'cancelled':
        return { ...set, cancelled_at: at, expires_at: null, usage };
      case 'expired':
        return { ...set, usage }; // it keeps expires_at
      default:
        return set;
    }
  },
};
