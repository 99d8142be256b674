import type { Policy } from '../operations/get-rate-limits-policy/contract.ts';
import { policies } from '../operations/get-rate-limits-policy/record.ts';
import type { Assume } from '../protocol/assumptions.ts';
import { refuse } from '../protocol/errors.ts';
import { toDateTime } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import { maxGroups } from './schema.ts';
import { groupValue, type Subject, tokensOf, valueFor } from './subject.ts';

/** How much of a policy's limit a group of callers has used in the current window. */
export interface QuotaInfo {
  /** The id of the policy. */
  readonly policy: string;
  /** The name of the policy. */
  readonly name: string | null;
  /** What the policy limits. */
  readonly type: 'requests' | 'tokens';
  /** The values of the policy's `group_by` keys; a credential is its mask and a fingerprint, `***1234 key_…`, and a value of over 200 characters a fingerprint. */
  readonly group: Readonly<Record<string, string>>;
  /** The policy's `value`: how many requests or tokens are allowed in a window. */
  readonly limit: number;
  /** How many were used in the window. */
  readonly used: number;
  /** How many are left: whole requests or tokens, at least 0. */
  readonly remaining: number;
  /** When the window ends on the world's clock: a date-time in UTC. */
  readonly resets_at: string;
}

/** A count of the quotas in a scenario: by policy and group, the start of the window and how much was used in it. */
export interface QuotaUse {
  readonly policy: string;
  readonly group: readonly string[];
  readonly window: number;
  readonly used: number;
}

/** The quotas in a scenario: whether they are enforced, optionally with the counts so far. */
export type QuotasState = boolean | { readonly enforced: boolean; readonly used: readonly QuotaUse[] };

/** The counts of one world against the limits of its active policies. */
export interface Quotas {
  readonly isEnforced: () => boolean;
  readonly enforce: (isEnforced: boolean) => void;
  /**
   * Counts a call that is about to be answered. Returns the rate-limit headers of its reply.
   *
   * @throws GatewayError 429 if the call exceeds a limit; then it is not counted
   */
  readonly spend: (subject: Subject, assume: Assume) => Readonly<Record<string, string>>;
  /** How many calls it has counted. */
  readonly uses: () => number;
  readonly list: () => QuotaUse[];
  /** Resets all counts to 0. */
  readonly refill: () => void;
  readonly toScenario: () => QuotasState;
}

const secondsOf: Readonly<Record<Policy['unit'], number>> = { rpm: 60, rph: 3600, rpd: 86_400 };

/** What a call costs under one limit. */
interface Charge {
  readonly policy: Policy;
  readonly key: string;
  readonly group: readonly string[];
  readonly window: number;
  readonly used: number;
  readonly cost: number;
}

export const createQuotas = (given: QuotasState, world: World): Quotas => {
  let isEnforced = typeof given === 'boolean' ? given : given.enforced;
  let calls = 0;
  const uses = new Map<string, QuotaUse>();
  for (const use of typeof given === 'boolean' ? [] : given.used) uses.set(keyOf(use), use);

  const chargesOf = (subject: Subject): Charge[] =>
    activePolicies(world)
      .filter((policy) => isUnder(policy, subject))
      .map((policy) => {
        const group = (policy.group_by ?? []).map(({ key }) => groupValue(key, subject, policy));
        const window = windowOf(policy, world.clock.now());
        const key = keyOf({ policy: policy.id, group });
        const known = uses.get(key);
        const used = known?.window === window ? known.used : 0;
        return { policy, key, group, window, used, cost: policy.type === 'requests' ? 1 : tokensOf(subject) };
      });

  return {
    isEnforced: () => isEnforced,
    enforce: (next) => {
      isEnforced = next;
    },
    spend: (subject, assume) => {
      const charges = chargesOf(subject);
      if (charges.length === 0) return {};
      const now = world.clock.now();
      assume('quota-window');
      const exceeded = charges.filter(({ policy, used, cost }) => used + cost > policy.value && cost > 0);
      if (exceeded.length > 0) return refuseCharges(exceeded, charges, now, assume);
      calls += 1;
      for (const { key, policy, group, window, used, cost } of charges) {
        uses.delete(key);
        uses.set(key, { policy: policy.id, group, window, used: used + cost });
      }
      for (const oldest of uses.keys()) {
        if (uses.size <= maxGroups) break;
        uses.delete(oldest);
      }
      return rateLimitHeaders(
        charges.map((charge) => ({ ...charge, used: charge.used + charge.cost })),
        now,
      );
    },
    uses: () => calls,
    list: () => [...uses.values()],
    refill: () => uses.clear(),
    toScenario: () => (uses.size === 0 ? isEnforced : { enforced: isEnforced, used: [...uses.values()] }),
  };
};

const keyOf = ({ policy, group }: Pick<QuotaUse, 'policy' | 'group'>): string =>
  JSON.stringify([policy, ...group]);

/** The start of the window that contains a time. Windows follow one another from 1970 on. */
export const windowOf = ({ unit }: Policy, now: number): number =>
  Math.floor(now / secondsOf[unit]) * secondsOf[unit];

export const activePolicies = (world: World): Policy[] =>
  (world.collection(policies)?.all() ?? []).filter(({ status }) => status === 'active');

const isUnder = (policy: Policy, subject: Subject): boolean =>
  (policy.conditions ?? []).every(({ key, value }) => valueFor(key, subject, policy) === value);

/** When a window ends, in seconds since 1970. */
export const endOf = ({ unit }: Policy, window: number): number => window + secondsOf[unit];

const secondsLeft = ({ policy, window }: Charge, now: number): number =>
  Math.max(1, Math.ceil(endOf(policy, window) - now));

const longest = (charges: readonly Charge[], now: number): Charge =>
  charges.reduce((a, b) => (secondsLeft(b, now) > secondsLeft(a, now) ? b : a));

/** The headers about the tightest limit of each type. A limit that refuses the call comes first, since clients wait for its reset. Resets are in seconds. */
const rateLimitHeaders = (
  charges: readonly Charge[],
  now: number,
  exceeded: readonly Charge[] = [],
): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const type of ['requests', 'tokens'] as const) {
    const refusing = exceeded.filter(({ policy }) => policy.type === type);
    const [tightest] =
      refusing.length > 0
        ? [longest(refusing, now)]
        : charges
            .filter(({ policy }) => policy.type === type)
            .toSorted((a, b) => leftOf(a) - leftOf(b) || secondsLeft(b, now) - secondsLeft(a, now));
    if (tightest === undefined) continue;
    headers[`x-ratelimit-limit-${type}`] = String(tightest.policy.value);
    headers[`x-ratelimit-remaining-${type}`] = String(leftOf(tightest));
    headers[`x-ratelimit-reset-${type}`] = String(secondsLeft(tightest, now));
  }
  return headers;
};

/** How many whole calls or tokens a limit leaves. */
export const leftOf = ({ policy, used }: Pick<Charge, 'policy' | 'used'>): number =>
  Math.max(0, Math.floor(policy.value - used));

const refuseCharges = (
  exceeded: readonly Charge[],
  charges: readonly Charge[],
  now: number,
  assume: Assume,
): never => {
  const last = longest(exceeded, now);
  const { policy, used, cost } = last;
  const left = secondsLeft(last, now);
  const wait = assume('retry-after-cap') === '1s' ? Math.min(1, left) : left;
  const resets_at = toDateTime(now + left);
  const costText = policy.type === 'requests' ? '' : ` This call takes ${cost} tokens.`;
  return refuse('quota-exceeded', {
    status: 429,
    message: `Rate limit reached by policy ${policy.id}: ${policy.value} ${policy.type} per ${unitNames[policy.unit]}, of which ${used} are used.${costText} The limit resets at ${resets_at}.`,
    code: 'rate_limit_exceeded',
    quota: {
      policy: policy.id,
      name: policy.name ?? null,
      type: policy.type,
      limit: policy.value,
      used,
      cost,
      resets_at,
    },
    headers: { 'retry-after': String(wait), ...rateLimitHeaders(charges, now, exceeded) },
  });
};

const unitNames = { rpm: 'minute', rph: 'hour', rpd: 'day' } as const;
