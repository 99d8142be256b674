import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openGateway } from '../../../test/support/open-gateway.ts';
import { tries } from '../../../test/support/settings.ts';
import { policySchema } from './get-rate-limits-policy/contract.ts';
import { policyModel } from './get-rate-limits-policy/model.ts';
import { createPolicyDatabase, seedPolicies } from './get-rate-limits-policy/seed.ts';
import { batchSchema } from './list-batches/contract.ts';
import { batchModel } from './list-batches/model.ts';
import { createBatchDatabase, seedBatches } from './list-batches/seed.ts';
import { checkpointSchema } from './list-checkpoints/contract.ts';
import { checkpointModel } from './list-checkpoints/model.ts';
import { createCheckpointDatabase, seedCheckpoints } from './list-checkpoints/seed.ts';
import { runSchema } from './list-runs/contract.ts';
import { runModel } from './list-runs/model.ts';
import { createRunDatabase, seedRuns } from './list-runs/seed.ts';

test.each([
  ['run', runModel, runSchema],
  ['batch', batchModel, batchSchema],
  ['checkpoint', checkpointModel, checkpointSchema],
  ['policy', policyModel, policySchema],
])('the columns of a %s are the fields of the contract, in its order', (_name, model, schema) => {
  expect(Object.keys(model)).toEqual(Object.keys(schema.shape));
});

describe('a seeded record is an entity of the library, and not there before it is read', () => {
  const seeding = { seed: 42, start: 1_768_478_400 };
  const [runs, batches, checkpoints, policies] = [
    createRunDatabase(),
    createBatchDatabase(),
    createCheckpointDatabase(),
    createPolicyDatabase(),
  ];
  test.each([
    ['run', runs.run, seedRuns(runs, 3, undefined, 'thread_a', seeding)],
    ['batch', batches.batch, seedBatches(batches, 3, undefined, seeding)],
    ['checkpoint', checkpoints.checkpoint, seedCheckpoints(checkpoints, 3, undefined, 'ftjob_a', seeding)],
    ['policy', policies.policy, seedPolicies(policies, 3, seeding)],
  ])('%s', (_name, model, planned) => {
    for (const { id, make } of planned) {
      const find = () => model.findFirst({ where: { id: { equals: id } } });
      expect(find()).toBe(null);
      const { record } = make();
      expect({ ...find() }).toMatchObject(record);
    }
    expect(model.count()).toBe(3);
  });
});

test('giving one field of a record changes no other', async () => {
  const given = fc.record(
    {
      instructions: fc.constantFrom(null, 'Be brief.'),
      tools: fc.constantFrom([], [{ type: 'file_search' }]),
      metadata: fc.constantFrom({}, { a: 'b' }),
      max_prompt_tokens: fc.constantFrom(null, 7),
      parallel_tool_calls: fc.boolean(),
      temperature: fc.constantFrom(null, 0.5),
      usage: fc.constant(null),
    },
    { requiredKeys: [] },
  );
  const status = fc.constantFrom(
    undefined,
    'queued' as const,
    'requires_action' as const,
    'completed' as const,
  );
  await fc.assert(
    fc.asyncProperty(given, status, async (fields, state) => {
      const create = (values: object) =>
        openGateway({ scenario: { threads: { t: {} } } }).gateway.records.runs.create({
          thread_id: 't',
          ...(state && { status: state }),
          ...values,
        });
      expect(await create(fields)).toEqual({ ...(await create({})), ...fields });
    }),
    tries(50),
  );
});
