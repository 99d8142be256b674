import { z } from 'zod';
import { defineKind } from '../../world/kind.ts';
import { count } from '../../world/mix.ts';
import { concatSources, sourceOf } from '../../world/source.ts';
import { type Policy, policy } from './contract.ts';
import { seedPolicies } from './seed.ts';

/** Beyond the contract (field notes on policies): what a policy of the mock holds to. */
const policyRecord = policy.extend({
  id: z.guid().toLowerCase(),
  value: z.number().min(1),
  name: z.string().max(255).nullable().exactOptional(),
});

const section = {
  name: 'policies',
  schema: z
    .strictObject({
      /** How many policies are seeded beside those written out. */
      seeded: count.default(0),
      records: z.array(policyRecord).default([]),
    })
    .prefault({}),
} as const;

/** The rate-limits policies: those that the scenario writes out, and seeded ones. */
export const policies = defineKind<Policy, typeof section>({
  name: 'policy',
  section,
  source: ({ seeded, records }, _owner, seeding) =>
    concatSources(
      sourceOf(records.map((record) => [record.id, () => record])),
      seedPolicies(seeded, seeding),
    ),
});
