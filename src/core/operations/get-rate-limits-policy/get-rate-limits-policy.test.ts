import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openGateway } from '../../../../test/support/open-gateway.ts';
import { policySchema } from './contract.ts';
import { policies } from './record.ts';

const knownKey = /^(api_key|workspace_id|organisation_id|metadata\.\w+)$/;

test('seeded policies keep to the contract, have known keys and at least one condition and group', () => {
  const part = { seeded: 200, records: [], deleted: [] };
  const seeds = policies.seeds(part, '', { seed: 42, start: 1_768_478_400 });
  expect(seeds).toHaveLength(200);
  const all = seeds.map(({ make }) => make().record);
  for (const one of all) {
    expect(policySchema.parse(one)).toEqual(one);
    expect(one?.conditions?.length).toBeGreaterThan(0);
    expect(one?.group_by?.length).toBeGreaterThan(0);
    for (const { key } of [...(one?.conditions ?? []), ...(one?.group_by ?? [])])
      expect(key).toMatch(knownKey);
    expect(Date.parse(one?.last_updated_at ?? '')).toBeGreaterThanOrEqual(Date.parse(one?.created_at ?? ''));
  }
  expect(new Set(all.map((one) => `${one?.status} ${one?.type} ${one?.unit}`)).size).toBeGreaterThan(8);
});

test('a policy written by hand was created now, and one that is given whole stays as it is', async () => {
  const { gateway, getJson } = openGateway({ scenario: { clock: { start: '2026-01-15T12:00:00Z' } } });
  const { records } = gateway;
  const type = 'tokens' as const;
  const one = await records.policies.create({ type });
  const now = '2026-01-15T12:00:00.000Z';
  expect(one).toMatchObject({ type, status: 'active', created_at: now, last_updated_at: now });
  const { name: _name, group_by: _groups, ...whole } = one;
  const id = 'aaaaaaaa-0000-4000-8000-000000000001';
  expect(await records.policies.create({ ...whole, id })).toEqual({ ...whole, id });
  expect(getJson(`/policies/rate-limits/${id.toUpperCase()}`)).toMatchObject({ id }); // letter case makes no other uuid
});

test('a written policy has what it was given, and the rest limits every call to 60 a minute, whatever the seed', async () => {
  const defaults = {
    type: 'requests',
    unit: 'rpm',
    value: 60,
    status: 'active',
    conditions: [],
    group_by: [],
  } as const;
  const fields = fc.record(
    {
      type: fc.constantFrom('requests' as const, 'tokens' as const),
      unit: fc.constantFrom('rpm' as const, 'rph' as const, 'rpd' as const),
      value: fc.integer({ min: 1, max: 1000 }),
      conditions: fc.array(fc.record({ key: fc.string(), value: fc.string() }), { maxLength: 2 }),
      group_by: fc.array(fc.record({ key: fc.string() }), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fields, fc.nat(), async (given, seed) => {
      const id = 'aaaaaaaa-0000-4000-8000-000000000001';
      const { records } = openGateway({
        scenario: { seed, policies: { records: [{ id, ...given }] } },
      }).gateway;
      for (const policy of [await records.policies.get(id), await records.policies.create(given)])
        expect(policy).toMatchObject({ ...defaults, ...given });
    }),
  );
});

test.each([1, 2, 3, 7])('a written policy with only a limit is enforced (seed %i)', (seed) => {
  const policy = { id: '22222222-2222-4222-8222-222222222222', value: 1 };
  const { statuses } = openGateway({
    scenario: { seed, quotas: true, batches: 1, policies: { records: [policy] } },
  });
  expect(statuses(2)).toEqual([200, 429]);
});
