import { toDateTime } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import { activePolicies, endOf, leftOf, type QuotaInfo, type Quotas, windowOf } from './quotas.ts';

/** What is used and left, by policy and group, in the current windows. */
export const listQuotas = ({
  world,
  quotas,
}: {
  readonly world: World;
  readonly quotas: Quotas;
}): QuotaInfo[] => {
  const active = new Map(activePolicies(world).map((policy) => [policy.id, policy]));
  return quotas.list().flatMap(({ policy: id, group, window, used }) => {
    const policy = active.get(id);
    const keys = (policy?.group_by ?? []).map(({ key }) => key);
    // The policy may have been replaced, and the clock may be in another window.
    if (policy === undefined || window !== windowOf(policy, world.clock.now())) return [];
    if (group.length !== keys.length) return [];
    return {
      policy: id,
      name: policy.name ?? null,
      type: policy.type,
      group: Object.fromEntries(keys.map((key, at) => [key, group[at] ?? ''])),
      limit: policy.value,
      used,
      remaining: leftOf(policy, used),
      resets_at: toDateTime(endOf(policy, window)),
    };
  });
};
