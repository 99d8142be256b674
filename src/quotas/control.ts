import { toDateTime } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import { activePolicies, endOf, leftOf, type QuotaInfo, type Quotas, windowOf } from './quotas.ts';

/** The commands for the quotas of one world: the limits of its active rate-limit policies. */
export interface QuotasControl {
  /** Whether quotas are enforced. Default: false. */
  readonly isEnforced: () => Promise<boolean>;
  /** Enforces the active policies on all operations except `getRateLimitsPolicy`. */
  readonly enforce: () => Promise<void>;
  /** Stops enforcing them. The counts stay. */
  readonly lift: () => Promise<void>;
  /** Lists how much is used in the present windows, by policy and group. */
  readonly list: () => Promise<QuotaInfo[]>;
  /** Resets all counts to 0. */
  readonly refill: () => Promise<void>;
}

/** @param open returns the world and its quotas; it is called each time, since a reset replaces them */
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
      // The policy may have changed since, and the clock may be in another window.
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
