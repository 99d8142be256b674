import { toDateTime } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import { activePolicies, endOf, leftOf, type QuotaInfo, type Quotas, windowOf } from './quotas.ts';

/** The quotas of one world. */
export interface QuotasControl {
  readonly isEnforced: () => Promise<boolean>;
  /** Switches on that the active policies are enforced on all operations but the one that tells of them. */
  readonly enforce: () => Promise<void>;
  /** Switches it off. What was used stays counted. */
  readonly lift: () => Promise<void>;
  /** What is used up, by policy and group, in the windows under way. */
  readonly list: () => Promise<QuotaInfo[]>;
  /** Gives back all that was used. */
  readonly refill: () => Promise<void>;
}

/** @param open the world and its quotas: they are asked for each time, since a reset replaces them */
export const createQuotasControl = (
  open: () => { readonly world: World; readonly quotas: Quotas },
): QuotasControl => ({
  isEnforced: async () => open().quotas.isEnforced(),
  enforce: async () => open().quotas.enforce(true),
  lift: async () => open().quotas.enforce(false),
  list: async () => {
    const { world, quotas } = open();
    const active = new Map(activePolicies(world).map((policy) => [policy.id, policy]));
    return quotas.list().flatMap(({ policy: id, group, window, used }) => {
      const policy = active.get(id);
      const keys = (policy?.group_by ?? []).map(({ key }) => key);
      // The policy may be another one by now, and the clock in another window, ahead or back.
      if (policy === undefined || window !== windowOf(policy, world.clock.now())) return [];
      if (group.length !== keys.length) return [];
      return {
        policy: id,
        type: policy.type,
        group: Object.fromEntries(keys.map((key, at) => [key, group[at] ?? ''])),
        limit: policy.value,
        used,
        remaining: leftOf({ policy, used }),
        resets_at: toDateTime(endOf(policy, window)),
      };
    });
  },
  refill: async () => open().quotas.refill(),
});
