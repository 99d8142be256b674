import { words } from 'virtual:words';
import { toDateTime, toSeconds } from '../../world/clock.ts';
import { createUuids } from '../../world/ids.ts';
import { type NewRecord, randomOf, type Seeding } from '../../world/kind.ts';
import { createRandom, type Random } from '../../world/random.ts';
import type { Source } from '../../world/source.ts';
import { type Policy, policy } from './contract.ts';

/** Seeded policies of one organisation, a fifth of them archived. */
export const seedPolicies = (size: number, seeding: Seeding): Source<Policy> => {
  const ids = createUuids(`${seeding.seed}/policy`);
  return {
    size,
    ids,
    createdAt: () => 0, // no operation lists them, so that they need no order
    make: (rank) => ({
      timeline: [],
      resource: makePolicy(
        ids.at(rank),
        accountOf(seeding.seed),
        seeding.start,
        randomOf(seeding, 'policy', '', rank),
      ),
    }),
  };
};

/** A policy written by hand: as it is given where that is a whole policy, or completed by what is usual. */
export const completePolicy = (given: Partial<Policy>, { seed, id, now }: NewRecord): Policy => {
  const whole = policy.safeParse(given);
  if (whole.success) return whole.data;
  const { workspace_id, organisation_id } = { ...accountOf(seed), ...given };
  const account = { workspace_id, organisation_id };
  const usual = makePolicy(id, account, now, createRandom(seed, 'policy', '', id), given);
  return { ...usual, status: 'active', ...given };
};

type Account = Pick<Policy, 'organisation_id' | 'workspace_id'>;

const accountOf = (seed: number): Account => {
  const ids = createUuids(`${seed}/account`);
  return { workspace_id: ids.at(1), organisation_id: ids.at(0) };
};

/** @param given what the rest agrees with. It is drawn nevertheless, so that what follows stays the same. */
const makePolicy = (
  id: string,
  account: Account,
  start: number,
  random: Random,
  given: Partial<Policy> = {},
): Policy => {
  const usual = { type: random.pick(['requests', 'tokens']), unit: random.pick(['rpm', 'rph', 'rpd']) };
  const { type, unit } = { ...usual, ...given };
  const created = start - random.int(86_400, 400 * 86_400);
  return {
    id,
    type,
    unit,
    value: random.pick([10, 60, 100, 500]) * (type === 'tokens' ? 1000 : 1),
    status: random.chance(0.2) ? 'archived' : 'active',
    ...account,
    created_at: toDateTime(Math.min(created, ...momentOf(given.last_updated_at))),
    last_updated_at: toDateTime(Math.max(random.int(created, start - 3600), ...momentOf(given.created_at))),
    name: random.chance(0.2) ? null : `${random.pick(words.departments)} ${type} per ${perUnit[unit]}`,
    conditions: [{ key: 'workspace_id', value: account.workspace_id }, ...chooseCondition(random)],
    group_by: [{ key: random.pick(['api_key', 'virtual_key', 'model', 'metadata._user']) }],
    object: 'policy_rate_limits',
  };
};

const momentOf = (dateTime: string | undefined): number[] =>
  dateTime === undefined ? [] : [toSeconds(dateTime)];

const perUnit = { rpm: 'minute', rph: 'hour', rpd: 'day' } as const;

const chooseCondition = (random: Random): NonNullable<Policy['conditions']> => {
  const condition = random.pick([
    { key: 'model', value: 'gpt-4o' },
    { key: 'provider', value: 'anthropic' },
    { key: 'metadata.env', value: 'staging' },
  ]);
  return random.chance(0.6) ? [condition] : [];
};
