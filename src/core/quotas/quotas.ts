import type { Assume } from '../assumptions/table.ts';
import { policies } from '../operations/get-rate-limits-policy/record.ts';
import type { Policy } from '../operations/get-rate-limits-policy/types.ts';
import { apiKeyOf } from '../protocol/auth.ts';
import { refuse } from '../protocol/refuse.ts';
import { limits } from '../util/limits.ts';
import { toDateTime } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import { findNever } from './never.ts';
import type { QuotasState, QuotaUse } from './quotas-schema.ts';
import { anyValue, groupValue, type Subject, tokensOf, valueFor } from './subject.ts';

/** An active rate-limits policy: what it limits, and how much is used. */
export interface QuotaInfo {
  /** The id of the policy. */
  readonly policy: string;
  /** The name of the policy. */
  readonly name: string | null;
  /** What the policy limits. */
  readonly type: 'requests' | 'tokens';
  /** The time unit: requests or tokens per minute, hour or day. */
  readonly unit: 'rpm' | 'rph' | 'rpd';
  /** The policy's `value`: how many requests or tokens are allowed in a window. */
  readonly limit: number;
  /** How many calls it applied to while quotas were enforced. Calls that it refused count, own calls that their handler refused do not. */
  readonly matched: number;
  /**
   * What is used in the current window, by group of callers. A policy without `group_by` has one group, `{}`. Groups without a
   * call are not listed.
   */
  readonly groups: readonly QuotaGroup[];
  /** Why no call can match the policy; null if a call can. */
  readonly never: string | null;
}

/** How much of a policy's limit a group of callers has used in the current window. */
export interface QuotaGroup {
  /**
   * The values of the policy's `group_by` keys; a credential is shown as its mask and a fingerprint (`***1234 key_…`), a value
   * of over 200 characters as a fingerprint.
   */
  readonly group: Readonly<Record<string, string>>;
  /** How many were used in the window. */
  readonly used: number;
  /** How many are left: whole requests or tokens, at least 0. */
  readonly remaining: number;
  /** When the window ends on the world's clock: a date-time in UTC. */
  readonly resets_at: string;
}

const units = {
  rpm: { seconds: 60, name: 'minute' },
  rph: { seconds: 3600, name: 'hour' },
  rpd: { seconds: 86_400, name: 'day' },
} as const;

/** A limit that applies to a call: how much of it is used, and what the call costs. */
interface Charge {
  readonly policy: Policy;
  readonly use: QuotaUse;
  readonly cost: number;
  /** The seconds until the window ends, at least 1. */
  readonly reset: number;
}

/** The counts of one world against the limits of its active policies. */
export class Quotas {
  readonly #world: World;
  isEnforced: boolean;
  /** How many calls were counted, refused or taken back. */
  countedCalls = 0;
  #uses: Map<string, QuotaUse>;
  /** Where an undo has moved uses: from those since a refill to those before it. */
  readonly #addedTo = new WeakMap<Map<string, QuotaUse>, Map<string, QuotaUse>>();
  /** How many calls each policy applied to, by its id. */
  readonly #matched: Map<string, number>;

  constructor(state: QuotasState, world: World) {
    const counts = typeof state === 'boolean' ? { enforced: state, used: [] } : state;
    const { enforced, used, matched = {} }: Exclude<QuotasState, boolean> = counts;
    this.#world = world;
    this.isEnforced = enforced;
    this.#uses = new Map(used.map((use) => [keyOf(use), use]));
    this.#matched = new Map(Object.entries(matched));
  }

  /**
   * Counts a call against the limits. Returns the rate-limit headers of its reply; `refund` takes the call back, if it is
   * refused later.
   *
   * @throws GatewayError 429 if the call exceeds a limit
   */
  charge(call: Omit<Subject, 'apiKey'>, assume: Assume) {
    const subject = { ...call, apiKey: apiKeyOf(call.header, assume) };
    const now = this.#world.clock.now();
    const charges = activePolicies(this.#world)
      .filter((policy) => appliesTo(policy, subject))
      .map((policy) => this.#toCharge(policy, subject, now));
    if (charges.length === 0) return { headers: {}, refund: () => {} };
    const exceeded = charges
      .filter(({ policy, use, cost }) => cost > 0 && use.used + cost > policy.value)
      .toSorted(byReset);
    const [last] = exceeded;
    if (last !== undefined) {
      this.#countMatches(charges, 1);
      return refuseFor(last, now, assume, rateLimitHeaders(charges, exceeded));
    }
    const paid = charges.map(({ use, ...charge }) => ({
      ...charge,
      use: { ...use, used: use.used + charge.cost },
    }));
    this.#count(paid);
    const uses = this.#uses; // a refill replaces them: then there is nothing to take back, unless the refill is undone
    return {
      headers: assume('quota-headers') === 'sent' ? rateLimitHeaders(paid) : {},
      refund: () => this.#refund(paid, uses),
    };
  }

  list(): QuotaUse[] {
    return [...this.#uses.values()];
  }

  /** Whether a policy applied to a call. */
  hasMatched(): boolean {
    return this.#matched.size > 0;
  }

  matchedBy(policy: string): number {
    return this.#matched.get(policy) ?? 0;
  }

  refill(): void {
    this.#uses = new Map();
  }

  /** The state of the quotas, for `restore`. */
  snapshot() {
    return { isEnforced: this.isEnforced, uses: this.#uses };
  }

  /** Returns to a snapshot. What calls have used since then stays used. */
  restore({ isEnforced, uses }: ReturnType<Quotas['snapshot']>): void {
    this.isEnforced = isEnforced;
    if (this.#uses === uses) return;
    for (const [key, use] of this.#uses) {
      const before = uses.get(key);
      const used = use.used + (before?.window === use.window ? before.used : 0);
      moveLast(uses, key, { ...use, used });
    }
    this.#addedTo.set(this.#uses, uses);
    this.#uses = uses;
    this.#dropOldest();
  }

  toScenario(): QuotasState {
    const { isEnforced } = this;
    return this.#uses.size + this.#matched.size === 0
      ? isEnforced
      : { enforced: isEnforced, used: this.list(), matched: Object.fromEntries(this.#matched) };
  }

  #toCharge(policy: Policy, subject: Subject, now: number): Charge {
    const group = (policy.group_by ?? []).map(({ key }) => groupValue(key, subject, policy));
    const window = windowOf(policy, now);
    const use = this.#uses.get(keyOf({ policy: policy.id, group }));
    const used = use?.window === window ? use.used : 0;
    return {
      policy,
      use: { policy: policy.id, group, window, used },
      cost: policy.type === 'requests' ? 1 : tokensOf(subject),
      reset: Math.max(1, Math.ceil(endOf(policy, window) - now)),
    };
  }

  #count(paid: readonly Charge[]): void {
    this.#countMatches(paid, 1);
    for (const { use } of paid) moveLast(this.#uses, keyOf(use), use);
    this.#dropOldest();
  }

  #dropOldest(): void {
    for (const oldest of this.#uses.keys()) {
      if (this.#uses.size <= limits.quotaGroups) break;
      this.#uses.delete(oldest);
    }
  }

  /** Other calls may have been counted since, or another window may have begun. */
  #refund(paid: readonly Charge[], usesAtCharge: Map<string, QuotaUse>): void {
    this.#countMatches(paid, -1);
    let uses = usesAtCharge;
    for (let next = this.#addedTo.get(uses); next !== undefined; next = this.#addedTo.get(uses)) uses = next;
    for (const { use, cost } of paid) {
      const present = uses.get(keyOf(use));
      if (present?.window !== use.window) continue;
      const isListed = present.used > cost || (cost === 0 && this.matchedBy(use.policy) > 0);
      if (isListed) uses.set(keyOf(use), { ...use, used: present.used - cost });
      else uses.delete(keyOf(use));
    }
  }

  #countMatches(charges: readonly Charge[], change: 1 | -1): void {
    this.countedCalls += 1;
    for (const { policy } of charges) {
      const matched = this.matchedBy(policy.id) + change;
      if (matched > 0) this.#matched.set(policy.id, matched);
      else this.#matched.delete(policy.id);
    }
  }
}

/** Sets a value, and moves it to the end of the map. */
const moveLast = <Value>(map: Map<string, Value>, key: string, value: Value): void => {
  map.delete(key);
  map.set(key, value);
};

/** The active policies, each with what is used and left in its current window. */
export const listQuotas = ({ world, quotas }: { readonly world: World; readonly quotas: Quotas }) => {
  const now = world.clock.now();
  const policies = activePolicies(world);
  const uses = new Map<string, QuotaUse[]>(policies.map(({ id }) => [id, []]));
  for (const use of quotas.list()) uses.get(use.policy)?.push(use);
  return policies.map((policy): QuotaInfo => {
    const keys = (policy.group_by ?? []).map(({ key }) => key);
    const groups = (uses.get(policy.id) ?? []).flatMap(({ group, window, used }): QuotaGroup | [] => {
      // The policy may have changed since, and the clock may be in another window.
      if (window !== windowOf(policy, now) || group.length !== keys.length) return [];
      return {
        group: Object.fromEntries(keys.map((key, at) => [key, group[at] ?? ''])),
        used,
        remaining: leftOf(policy, used),
        resets_at: toDateTime(endOf(policy, window)),
      };
    });
    return {
      policy: policy.id,
      name: policy.name ?? null,
      type: policy.type,
      unit: policy.unit,
      limit: policy.value,
      matched: quotas.matchedBy(policy.id),
      groups,
      never: findNever(policy, world),
    };
  });
};

/** Describes why no call can be limited; undefined if a call can. */
export const whyNoneLimits = (world: World): string | undefined => {
  const policies = activePolicies(world).map((policy) => ({ policy, never: findNever(policy, world) }));
  if (policies.some(({ never }) => never === null)) return undefined;
  const reasons = policies.slice(0, 3).map(({ policy, never }) => `${policy.name ?? policy.id}: ${never}`);
  return policies.length === 0
    ? 'Quotas are enforced, but there is no active policy, so no call is limited. Create one: records.policies.create({ value: 10 }).'
    : `Quotas are enforced, but no call can match an active policy, so no call is limited. ${reasons.join(' ')}`;
};

const keyOf = ({ policy, group }: Pick<QuotaUse, 'policy' | 'group'>): string =>
  JSON.stringify([policy, ...group]);

/** The start of the window that contains a time. Windows follow one another from 1970 on. */
const windowOf = ({ unit }: Policy, now: number): number => {
  const { seconds } = units[unit];
  return Math.floor(now / seconds) * seconds;
};

/** When a window ends, in seconds since 1970. */
const endOf = ({ unit }: Policy, window: number): number => window + units[unit].seconds;

const activePolicies = (world: World): Policy[] =>
  (world.list(policies)?.entries().toReversed() ?? [])
    .map((entry) => entry.readAt(world.clock.now()))
    .filter(({ status }) => status === 'active');

/** Whether a policy limits a call. It does not if the call has no value for a condition or a group. */
const appliesTo = (policy: Policy, subject: Subject): boolean =>
  (policy.conditions ?? []).every(({ key, value }) =>
    value === anyValue ? hasValue(key, subject, policy) : valueFor(key, subject, policy) === value,
  ) && (policy.group_by ?? []).every(({ key }) => hasValue(key, subject, policy));

const hasValue = (key: string, subject: Subject, policy: Policy): boolean =>
  (valueFor(key, subject, policy) ?? '') !== '';

/** How many whole calls or tokens a limit leaves. */
const leftOf = (policy: Policy, used: number): number => Math.max(0, Math.floor(policy.value - used));

const byReset = (a: Charge, b: Charge): number => b.reset - a.reset;
const byLeft = (a: Charge, b: Charge): number =>
  leftOf(a.policy, a.use.used) - leftOf(b.policy, b.use.used) || byReset(a, b);

/**
 * The headers about the tightest limit of each type. A limit that refuses the call comes first, since clients wait for its
 * reset.
 *
 * @param exceeded the limits that refuse the call, the longest reset first
 */
const rateLimitHeaders = (charges: readonly Charge[], exceeded: readonly Charge[] = []) => {
  const headers: Record<string, string> = {};
  for (const type of ['requests', 'tokens'] as const) {
    const isOfType = ({ policy }: Charge): boolean => policy.type === type;
    const tightest = exceeded.find(isOfType) ?? charges.filter(isOfType).toSorted(byLeft)[0];
    if (tightest === undefined) continue;
    const { policy, use, reset } = tightest;
    headers[`x-ratelimit-limit-${type}`] = String(policy.value);
    headers[`x-ratelimit-remaining-${type}`] = String(leftOf(policy, use.used));
    headers[`x-ratelimit-reset-${type}`] = String(reset);
  }
  return headers;
};

const refuseFor = (
  { policy, use, cost, reset }: Charge,
  now: number,
  assume: Assume,
  limitHeaders: Readonly<Record<string, string>>,
): never => {
  const { id, name = null, type, value: limit } = policy;
  const wait = assume('retry-after-cap') === '1s' ? 1 : reset;
  const resets_at = toDateTime(now + reset);
  const costText = type === 'requests' ? '' : ` This call takes ${cost} tokens.`;
  return refuse('quota-exceeded', {
    message: `Rate limit reached by policy ${id}: ${limit} ${type} per ${units[policy.unit].name}, of which ${use.used} are used.${costText} The limit resets at ${resets_at}.`,
    code: 'rate_limit_exceeded',
    quota: { policy: id, name, type, limit, used: use.used, cost, resets_at },
    ...(assume('quota-headers') === 'sent'
      ? { headers: { 'retry-after': String(wait), ...limitHeaders } }
      : { type: 'rate_limits_policy_exhaust_error' }),
  });
};
