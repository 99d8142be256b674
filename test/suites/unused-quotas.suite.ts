// Quotas that limit no call.
import { afterAll, describe, expect, vi } from 'vitest';
import { type TestGateway, test } from '../../src/vitest.ts';

const getBatches = async ({ baseUrl, headers }: TestGateway) =>
  (await fetch(`${baseUrl}/batches`, { headers })).status;

const forOthers = {
  name: 'Others',
  value: 1,
  conditions: [{ key: 'metadata.team', value: 'other' }],
};

describe('where they are errors', () => {
  test.override({ gatewayOptions: { unusedQuotas: 'error', scenario: { policies: { seeded: 0 } } } });

  test("those that no call met fail: Quotas were enforced in this test, but these policies applied to no call: … Others … it applied to no call … unusedQuotas: 'allow'", async ({
    gateway,
  }) => {
    await gateway.records.policies.create(forOthers);
    await gateway.quotas.enforce();
    expect(await getBatches(gateway)).toBe(200);
  });

  test("one of the test's own that no call met, although another applied, fails: Others … it applied to no call", async ({
    gateway,
  }) => {
    await gateway.records.policies.create(forOthers);
    await gateway.records.policies.create({ value: 1 });
    await gateway.quotas.enforce();
    expect(await getBatches(gateway)).toBe(200);
  });

  test('a policy that applied to a call before a reset is enough', async ({ gateway }) => {
    await gateway.records.policies.create({ value: 1 });
    await gateway.quotas.enforce();
    expect([await getBatches(gateway), await getBatches(gateway)]).toEqual([200, 429]);
    await gateway.reset();
    await gateway.records.policies.create(forOthers);
    await gateway.quotas.enforce();
  });

  test('without a call, or lifted, they pass', async ({ gateway }) => {
    await gateway.records.policies.create(forOthers);
    await gateway.quotas.enforce();
    await gateway.quotas.lift();
    await getBatches(gateway);
  });
});

describe('by default', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  afterAll(() => {
    expect(warn.mock.calls.flat().join('\n')).toMatch(/Others \(.*\): it applied to no call/);
    warn.mockRestore();
  });

  test('a policy of the test that no call can meet fails: No call has a value', async ({ gateway }) => {
    await gateway.records.policies.create({ value: 1, conditions: [{ key: 'tenant', value: 'a' }] });
    await gateway.quotas.enforce();
    expect(await getBatches(gateway)).toBe(200);
  });

  test('a policy of the test that is archived fails: It is archived', async ({ gateway }) => {
    await gateway.records.policies.create({ value: 1, status: 'archived' });
    await gateway.quotas.enforce();
    expect(await getBatches(gateway)).toBe(200);
  });

  test('one that is archived once it has limited a call, or that others made, passes', async ({
    gateway,
  }) => {
    const [seeded] = await gateway.records.policies.list({ status: 'active' });
    await gateway.records.policies.update(seeded?.id ?? '', { status: 'archived' });
    const { id } = await gateway.records.policies.create({ value: 1 });
    await gateway.quotas.enforce();
    expect([await getBatches(gateway), await getBatches(gateway)]).toContain(429);
    await gateway.records.policies.update(id, { status: 'archived' });
  });

  test('it passes, with a warning', async ({ gateway }) => {
    for (const { id } of await gateway.records.policies.list()) await gateway.records.policies.delete(id);
    await gateway.records.policies.create(forOthers);
    await gateway.quotas.enforce();
    await getBatches(gateway);
  });
});
