import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openGateway } from '../../../test/support/open-gateway.ts';
import { tries } from '../../../test/support/settings.ts';
import { type Policy, policySchema } from './contract.ts';
import { policies } from './record.ts';

const knownKey =
  /^(api_key|workspace_id|organisation_id|virtual_key|provider|config|model|prompt|metadata\.\w+)$/;

test('seeded policies keep to the contract, have known keys and at least one condition and group', () => {
  const part = { seeded: 200, records: [], deleted: [] };
  const seeds = policies.seeds(part, '', { seed: 42, start: 1_768_478_400 });
  expect(seeds).toHaveLength(200);
  const all = seeds.map(({ make }) => make().record);
  for (const one of all) {
    expect(policySchema.parse(one)).toEqual(one);
    expect(one?.value).toBeGreaterThanOrEqual(1);
    expect(one?.name?.length ?? 0).toBeLessThanOrEqual(255);
    expect(one?.conditions?.length).toBeGreaterThan(0);
    expect(one?.group_by?.length).toBeGreaterThan(0);
    for (const { key } of [...(one?.conditions ?? []), ...(one?.group_by ?? [])])
      expect(key).toMatch(knownKey);
    expect(Date.parse(one?.last_updated_at ?? '')).toBeGreaterThanOrEqual(Date.parse(one?.created_at ?? ''));
  }
  expect(new Set(all.map((one) => `${one?.status} ${one?.type} ${one?.unit}`)).size).toBeGreaterThan(8);
});

describe('a policy written by hand', () => {
  const perUnit = { rpm: 'minute', rph: 'hour', rpd: 'day' } as const;
  const uuid = 'aaaaaaaa-0000-4000-8000-000000000001';
  const givens = fc.record(
    {
      type: fc.constantFrom('requests' as const, 'tokens' as const),
      unit: fc.constantFrom('rpm' as const, 'rph' as const, 'rpd' as const),
      workspace_id: fc.constant(uuid),
      created_at: fc.constant('2026-01-15T11:59:00.000Z'),
    },
    { requiredKeys: [] },
  );
  const create = (given: Partial<Policy>, seed: number) =>
    openGateway({ scenario: { seed } }).gateway.records.policies.create(given);

  test('has the name, the value, the condition and the times of what is given', async () => {
    await fc.assert(
      fc.asyncProperty(givens, fc.nat({ max: 1000 }), async (given, seed) => {
        const one = await create(given, seed);
        expect(one).toMatchObject(given);
        const { name, type, unit, value, conditions, workspace_id } = one;
        if (typeof name === 'string')
          expect(name).toMatch(new RegExp(`^${type} per ${perUnit[unit]}, by `, 'i'));
        expect(value >= 1000).toBe(type === 'tokens');
        expect(conditions).toContainEqual({ key: 'workspace_id', value: workspace_id });
        expect(one.last_updated_at >= one.created_at).toBe(true);
      }),
      tries(100),
    );
  });

  test('was not made after its last update', async () => {
    const last_updated_at = '2001-01-01T00:00:00Z';
    const { created_at } = await create({ last_updated_at }, 1);
    expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.parse(last_updated_at));
  });
});
