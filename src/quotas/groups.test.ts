// Which groups of callers are remembered, and in which order.

import { expect, test } from 'vitest';
import { policy, policyId, scenarioUnder } from '../../test/support/quota-scenarios.ts';
import { createState } from '../control/world-state.ts';
import { loadScenario } from '../scenario/load.ts';
import { limits } from '../util/limits.ts';
import type { QuotaUse } from './schema.ts';

const noon = Date.parse('2026-01-15T12:00:00Z') / 1000;
const byKey = policy(1, { value: 5, group_by: [{ key: 'api_key' }] });

/** Quotas of a world, and a call by one key that they count. */
const open = (used: readonly QuotaUse[] = []) => {
  const scenario = {
    ...scenarioUnder(byKey),
    quotas: { enforced: true, used: [...used] },
  };
  const { quotas } = createState(loadScenario(scenario));
  const spend = (key: string) =>
    quotas.check({ header: () => key }, (() => undefined) as Parameters<typeof quotas.check>[1]).count(); // none of its values is of use here
  return { quotas, spend };
};

const use = (group: readonly string[], used = 1): QuotaUse => ({
  policy: policyId(1),
  group: [...group],
  window: noon,
  used,
});
/** Of how one group is named, only that it differs from others matters. */
const groupOf = (key: string): readonly string[] => {
  const { quotas, spend } = open();
  spend(key);
  return quotas.list()[0]?.group ?? [];
};

test('the group that was counted last is the last of the list', () => {
  const { quotas, spend } = open();
  for (const key of ['one', 'two', 'one', 'three']) spend(key);
  expect(quotas.list()).toEqual([use(groupOf('two')), use(groupOf('one'), 2), use(groupOf('three'))]);
});

test('beyond the most that are counted, the group that was used the longest ago is forgotten', () => {
  const numbered = Array.from({ length: limits.quotaGroups }, (_, at) => use([`#${at}`]));
  const { quotas, spend } = open([use(groupOf('one')), ...numbered.slice(1)]);
  expect(quotas.list()).toHaveLength(limits.quotaGroups);
  spend('one'); // no new one: all stay
  expect(quotas.list()).toHaveLength(limits.quotaGroups);
  spend('two');
  const groups = quotas.list().map(({ group }) => group);
  expect(groups).toHaveLength(limits.quotaGroups);
  expect(groups[0]).toEqual(['#2']);
  expect(groups.slice(-2)).toEqual([groupOf('one'), groupOf('two')]);
});
