import type { Faker } from '@faker-js/faker';
import { toDateTime, toSeconds } from '../../world/clock.ts';
import { drawUuid, fakerOf } from '../../world/faker.ts';
import type { NewRecord, Seed, Seeding } from '../../world/kind.ts';
import { type Policy, policySchema } from './contract.ts';

/** Seeds the policies of one organisation, a fifth of them archived. No operation lists them, so they have no order. */
export const seedPolicies = (size: number, { seed, start }: Seeding): readonly Seed<Policy>[] => {
  fakerOf(seed, 'policies');
  return Array.from({ length: size }, drawUuid).map((id) => ({
    id,
    created_at: 0,
    make: () => ({
      record: makePolicy(id, accountOf(seed), start, fakerOf(seed, 'policy', id)),
      transitions: [],
    }),
  }));
};

/** Completes a written policy. A whole policy stays as it is given. */
export const completePolicy = (given: Partial<Policy>, { seed, id, now }: NewRecord): Policy => {
  const whole = policySchema.safeParse(given);
  if (whole.success) return whole.data;
  const { workspace_id, organisation_id } = { ...accountOf(seed), ...given };
  const usual = makePolicy(id, { workspace_id, organisation_id }, now, fakerOf(seed, 'policy', id), given);
  return { ...usual, status: 'active', ...given };
};

type Account = Pick<Policy, 'organisation_id' | 'workspace_id'>;

const accountOf = (seed: number): Account => {
  fakerOf(seed, 'account');
  return { workspace_id: drawUuid(), organisation_id: drawUuid() };
};

/** @param given fields with which the others must be consistent */
const makePolicy = (
  id: string,
  account: Account,
  start: number,
  faker: Faker,
  given: Partial<Policy> = {},
): Policy => {
  const { arrayElement } = faker.helpers;
  const usual = {
    type: arrayElement(['requests', 'tokens'] as const),
    unit: arrayElement(['rpm', 'rph', 'rpd'] as const),
  };
  const { type, unit } = { ...usual, ...given };
  const created = start - faker.number.int({ min: 86_400, max: 400 * 86_400 });
  const updated = faker.number.int({ min: created, max: start - 3600 });
  const condition = arrayElement([
    { key: 'model', value: 'gpt-4o' },
    { key: 'provider', value: 'anthropic' },
    { key: 'metadata.env', value: 'staging' },
  ]);
  const group = arrayElement(['api_key', 'virtual_key', 'model', 'metadata._user']);
  return {
    id,
    type,
    unit,
    value: arrayElement([10, 60, 100, 500]) * (type === 'tokens' ? 1000 : 1),
    status: faker.datatype.boolean(0.2) ? 'archived' : 'active',
    ...account,
    created_at: toDateTime(Math.min(created, ...timeOf(given.last_updated_at))),
    last_updated_at: toDateTime(Math.max(updated, ...timeOf(given.created_at))),
    name: faker.datatype.boolean(0.2) ? null : `${perUnit[type]} per ${units[unit]}, by ${groups[group]}`,
    conditions: [
      { key: 'workspace_id', value: account.workspace_id },
      ...(faker.datatype.boolean(0.6) ? [condition] : []),
    ],
    group_by: [{ key: group }],
    object: 'policy_rate_limits',
  };
};

const timeOf = (dateTime: string | undefined): number[] =>
  dateTime === undefined ? [] : [toSeconds(dateTime)];

const perUnit = { requests: 'Requests', tokens: 'Tokens' } as const;
const units = { rpm: 'minute', rph: 'hour', rpd: 'day' } as const;
const groups = {
  api_key: 'API key',
  virtual_key: 'virtual key',
  model: 'model',
  'metadata._user': 'user',
} as const;
