import { listQuotas } from '../../quotas/quotas.ts';
import { type CommandsOf, command } from '../command.ts';
import type { Control } from '../types.ts';

export const quotasCommands = {
  isEnforced: command({
    summary: 'Returns whether the active policies are enforced.',
    run: ({ open }) => open().state.quotas.isEnforced(),
  }),
  enforce: command({
    summary: 'Enforces the active policies.',
    writes: true,
    run: ({ open }) => open().state.quotas.enforce(true),
  }),
  lift: command({
    summary: 'Stops enforcing the policies.',
    writes: true,
    run: ({ open }) => open().state.quotas.enforce(false),
  }),
  list: command({
    summary: 'Lists how much of each active policy is used and how much is left.',
    run: ({ open }) => listQuotas(open().state),
  }),
  refill: command({
    summary: 'Sets the usage of all policies back to zero.',
    writes: true,
    run: ({ open }) => open().state.quotas.refill(),
  }),
} satisfies CommandsOf<Control['quotas']>;
