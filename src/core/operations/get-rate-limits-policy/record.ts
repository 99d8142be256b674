import * as z from 'zod';
import { countSchema } from '../../world/amount.ts';
import { drawUuid } from '../../world/faker.ts';
import type { Kind } from '../../world/kind.ts';
import { changesOf, fieldsOf } from '../../world/record-schema.ts';
import { policySchema } from './contract.ts';
import { policyModel } from './model.ts';
import { createPolicyDatabase, seedPolicies, writePolicy } from './seed.ts';
import type { Policy } from './types.ts';

/** The limits of the mock: the contract states none. The value of a captured policy may be below 1. */
const fields = fieldsOf(
  () =>
    policySchema.extend({
      value: z.number().positive(),
      name: z.string().max(255).nullable().exactOptional(),
      conditions: z.array(z.object({ key: z.string(), value: conditionValue() })).exactOptional(),
    }),
  () => z.guid().toLowerCase(),
);

const conditionValue = () =>
  z.string({
    error: ({ input }) =>
      Array.isArray(input)
        ? 'expected a string, as in the contract, but found a list: write a policy for each value'
        : undefined,
  });

const section = {
  name: 'policies',
  schema: z.lazy(() =>
    z
      .strictObject({
        seeded: countSchema.default(0).describe('How many policies to seed.'),
        ...changesOf(fields),
      })
      .prefault({})
      .describe('The rate-limits policies.'),
  ),
} as const;

/** The rate-limits policies. They have no owner and no order. */
export const policies: Kind<Policy, typeof section> = {
  name: 'policy',
  plural: 'policies',
  section,
  columns: Object.keys(policyModel),
  fields,
  newId: drawUuid,
  seeds: ({ seeded }, _owner, seeding) => seedPolicies(createPolicyDatabase(), seeded, seeding),
  changes: (section) => section,
  withChanges: (section, _owner, changes) => ({ ...section, ...changes }),
  write: writePolicy,
};
