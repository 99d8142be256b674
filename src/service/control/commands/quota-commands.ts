import { listQuotas, whyNoneLimits } from '../../../core/quotas/quotas.ts';
import { type CommandsOf, change, command } from '../command.ts';
import type { Control } from '../control-interface.ts';

export const quotasCommands = {
  isEnforced: command({
    summary: 'Returns whether the active policies are enforced.',
    run: ({ session }) => session.state.quotas.isEnforced,
  }),
  enforce: change({
    summary: 'Enforces the active policies on the calls that the assumption `quota-scope` names.',
    run: ({ session, warn }) => {
      const { quotas, world } = session.state;
      quotas.isEnforced = true;
      const warning = whyNoneLimits(world);
      if (warning !== undefined) warn(warning);
      return warning;
    },
  }),
  lift: change({
    summary: 'Stops enforcing the policies.',
    run: ({ session }) => {
      session.state.quotas.isEnforced = false;
    },
  }),
  list: command({
    summary:
      'Lists the active policies, each with how many calls it applied to, how much is used and left in the current window, by group, and why no call can match it (`never`).',
    run: ({ session }) => listQuotas(session.state),
  }),
  refill: change({
    summary: 'Sets the usage of all policies back to zero.',
    run: ({ session }) => session.state.quotas.refill(),
  }),
} satisfies CommandsOf<Control['quotas']>;
