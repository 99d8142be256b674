import { toDateTime } from '../../world/clock.ts';
import { createDatabase, recordOf } from '../../world/database.ts';
import { drawUuid, fakerOf } from '../../world/faker.ts';
import type { RecordPlan, Resource, Seeding, WriteContext } from '../../world/kind.ts';
import type { Timeline } from '../../world/timeline.ts';
import { policySchema } from './contract.ts';
import { policyModel } from './model.ts';
import type { Policy } from './types.ts';

export const createPolicyDatabase = () => createDatabase({ policy: policyModel });

/** Plans the policies of one organisation, a fifth of them archived. No operation lists them, so they have no order. */
export const seedPolicies = (
  db: ReturnType<typeof createPolicyDatabase>,
  size: number,
  { seed, start }: Seeding,
): readonly RecordPlan<Policy>[] => {
  fakerOf(seed, 'policies');
  return Array.from({ length: size }, drawUuid).map((id) => ({
    id,
    created_at: 0,
    make: () => {
      const { int } = fakerOf(seed, 'policy', id, 'times').number;
      const created = start - int({ min: 86_400, max: 400 * 86_400 });
      const updated = int({ min: created, max: start - 3600 });
      return { record: makePolicy(db, id, seed, created, updated), transitions: [] };
    },
  }));
};

/** The defaults of a written policy. The seed must not decide whom it limits, or how much. */
const writtenDefaults = {
  type: 'requests',
  unit: 'rpm',
  value: 60,
  status: 'active',
  conditions: [],
  group_by: [],
} satisfies Partial<Policy>;

/** A policy that a user writes, created now by default. A complete policy stays as it is. */
export const writePolicy = (
  written: Partial<Policy> & Resource,
  { seed, now }: WriteContext,
): Timeline<Policy> => {
  const complete = policySchema.safeParse(written);
  if (complete.success) return { record: complete.data, transitions: [] };
  const seeded = makePolicy(createPolicyDatabase(), written.id, seed, now, now);
  return { record: { ...seeded, ...writtenDefaults, ...written }, transitions: [] };
};

const makePolicy = (
  db: ReturnType<typeof createPolicyDatabase>,
  id: string,
  seed: number,
  created: number,
  updated: number,
): Policy => {
  fakerOf(seed, 'account');
  const [workspace_id, organisation_id] = [drawUuid(), drawUuid()];
  const faker = fakerOf(seed, 'policy', id);
  const conditions = [
    { key: 'workspace_id', value: workspace_id },
    { key: 'metadata.env', value: 'staging' },
  ];
  const { arrayElement } = faker.helpers;
  const type = arrayElement(['requests', 'tokens'] as const);
  const decided = {
    id,
    type,
    value: arrayElement([10, 60, 100, 500]) * (type === 'tokens' ? 1000 : 1),
    workspace_id,
    organisation_id,
    created_at: toDateTime(created),
    last_updated_at: toDateTime(updated),
    conditions: faker.datatype.boolean(0.6) ? conditions : conditions.slice(0, 1),
  };
  fakerOf(seed, 'policy', id, 'columns'); // the getters of the model draw from here
  return recordOf(db.policy.create(decided));
};
