import { expect, test } from 'vitest';
import { getRateLimitsPolicy } from '../../core/operations/get-rate-limits-policy/handler.ts';
import { operations } from '../../core/scenario/scenario-schema.ts';
import { createGateway } from '../../index.ts';
import { findExampleCall } from './example-call.ts';

const [archived, active] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

test('every operation has an example call in the scenario default, about records of it', async () => {
  const { records } = createGateway();
  for (const operation of operations)
    expect(await findExampleCall(operation, records), operation.id).toBeDefined();
});

test('it is about a record that fits, and there is none where no record does', async () => {
  const { records } = createGateway({
    scenario: { policies: { records: [{ id: archived, status: 'archived' }] } },
  });
  expect(await findExampleCall(getRateLimitsPolicy, records)).toBeUndefined();
  await records.policies.create({ id: active });
  expect(await findExampleCall(getRateLimitsPolicy, records)).toMatchObject({
    params: { rateLimitsPolicyId: active },
  });
});
