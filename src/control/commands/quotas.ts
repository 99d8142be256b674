import { listQuotas } from '../../quotas/list.ts';
import { command } from '../command.ts';

export const quotasCommands = {
  /** Whether the active policies are enforced. */
  isEnforced: command({
    http: 'GET /quotas/enforced',
    summary: 'Returns whether the active policies are enforced.',
    run: async ({ open }) => open().state.quotas.isEnforced(),
  }),
  /** Enforces the active policies on all operations except `getRateLimitsPolicy`. */
  enforce: command({
    http: 'PUT /quotas/enforced',
    summary: 'Enforces the active policies.',
    writes: true,
    run: async ({ open }) => open().state.quotas.enforce(true),
  }),
  /** Stops enforcing them. What was used stays counted. */
  lift: command({
    http: 'DELETE /quotas/enforced',
    summary: 'Stops enforcing the policies.',
    writes: true,
    run: async ({ open }) => open().state.quotas.enforce(false),
  }),
  /** What is used and left, by policy and group, in the current windows. */
  list: command({
    http: 'GET /quotas',
    summary: 'Lists what is used and left of the active policies.',
    run: async ({ open }) => listQuotas(open().state),
  }),
  /** Gives back everything that was used. */
  refill: command({
    http: 'POST /quotas/refill',
    summary: 'Gives back everything that was used.',
    writes: true,
    run: async ({ open }) => open().state.quotas.refill(),
  }),
};
