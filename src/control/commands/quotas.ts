import { listQuotas } from '../../quotas/quotas.ts';
import { command } from '../command.ts';

export const quotasCommands = {
  /** Whether the active policies are enforced. */
  isEnforced: command({
    summary: 'Returns whether the active policies are enforced.',
    run: ({ open }) => open().state.quotas.isEnforced(),
  }),
  /** Enforces the active policies on all operations except `getRateLimitsPolicy`. */
  enforce: command({
    summary: 'Enforces the active policies.',
    writes: true,
    run: ({ open }) => open().state.quotas.enforce(true),
  }),
  /** Stops enforcing them. What was used stays counted. */
  lift: command({
    summary: 'Stops enforcing the policies.',
    writes: true,
    run: ({ open }) => open().state.quotas.enforce(false),
  }),
  /** What is used and left, by policy and group, in the current windows. */
  list: command({
    summary: 'Lists how much of each active policy is used and how much is left.',
    run: ({ open }) => listQuotas(open().state),
  }),
  /** Sets the usage of all policies back to zero. */
  refill: command({
    summary: 'Sets the usage of all policies back to zero.',
    writes: true,
    run: ({ open }) => open().state.quotas.refill(),
  }),
};
