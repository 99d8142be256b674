import { primaryKey } from '@mswjs/data';
import { type ColumnsOf, value } from '../../world/database.ts';
import { faker } from '../../world/faker.ts';
import type { Policy } from './types.ts';

const { arrayElement } = faker.helpers;
const { boolean } = faker.datatype;

/**
 * The model of policies: the contract's fields, in its order. `seed.ts` gives what depends on other fields, and the getters
 * draw the rest.
 */
export const policyModel = {
  id: primaryKey(String),
  type: value<Policy['type']>(() => 'requests'),
  unit: value<Policy['unit']>(() => arrayElement(['rpm', 'rph', 'rpd'])),
  value: Number,
  status: value<Policy['status']>(() => (boolean(0.2) ? 'archived' : 'active')),
  workspace_id: String,
  organisation_id: String,
  created_at: String,
  last_updated_at: String,
  name: value<string | null>(() =>
    boolean(0.2) ? null : arrayElement(['Default limit', 'Trial accounts', 'Internal tools', 'Night shift']),
  ),
  conditions: value<NonNullable<Policy['conditions']>>(() => []),
  group_by: value<NonNullable<Policy['group_by']>>(() => [
    { key: arrayElement(['api_key', 'workspace_id', 'organisation_id', 'metadata._user']) },
  ]),
  object: () => 'policy_rate_limits' as const,
} satisfies ColumnsOf<Policy>;
