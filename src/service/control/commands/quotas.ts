import { findIdleQuotas, listQuotas } from '../../../core/quotas/quotas.ts';
import { type CommandsOf, command } from '../command.ts';
import type { Control } from '../types.ts';

export const quotasCommands = {
  isEnforced: command({ run: ({ open }) => open().state.quotas.isEnforced() }),
  enforce: command({
    writes: true,
    run: ({ open, warn }) => {
      const { quotas, world } = open().state;
      quotas.enforce(true);
      const warning = findIdleQuotas(world);
      if (warning !== undefined) warn(warning);
      return warning;
    },
  }),
  lift: command({ writes: true, run: ({ open }) => open().state.quotas.enforce(false) }),
  list: command({ run: ({ open }) => listQuotas(open().state) }),
  refill: command({ writes: true, run: ({ open }) => open().state.quotas.refill() }),
} satisfies CommandsOf<Control['quotas']>;
