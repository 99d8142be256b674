// Which groups of callers are remembered, and in which order.

import { expect, test } from 'vitest';
import { policy, policyId, scenarioUnder } from '../../../test/support/quota-scenarios.ts';
import { setLimit } from '../../../test/support/set-limit.ts';
import { createState } from '../../service/control/world-state.ts';
import { loadScenario } from '../scenario/load.ts';
import type { QuotaUse } from './quotas-schema.ts';

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
    quotas.charge({ header: () => key }, (() => undefined) as Parameters<typeof quotas.charge>[1]); // none of its values is of use here
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

test('a call is taken back where it was counted, also after an undo of a refill', () => {
  const { quotas, spend } = open();
  spend('one');
  const before = quotas.snapshot();
  quotas.refill();
  const { refund } = spend('one');
  quotas.restore(before);
  expect(quotas.list()).toMatchObject([{ used: 2 }]);
  refund();
  expect(quotas.list()).toMatchObject([{ used: 1 }]);
});

test('an undo of a refill keeps to the limit of groups', () => {
  setLimit('quotaGroups', 2);
  const { quotas, spend } = open();
  const before = quotas.snapshot();
  for (const key of ['one', 'two']) spend(key);
  quotas.refill();
  for (const key of ['three', 'four']) spend(key);
  quotas.restore(before);
  expect(quotas.list()).toHaveLength(2);
});

test('the group that was counted last is the last of the list', () => {
  const { quotas, spend } = open();
  for (const key of ['one', 'two', 'one', 'three']) spend(key);
  expect(quotas.list()).toEqual([use(groupOf('two')), use(groupOf('one'), 2), use(groupOf('three'))]);
});

test('beyond the most that are counted, the group that was used the longest ago is forgotten', () => {
  setLimit('quotaGroups', 3);
  const { quotas, spend } = open([use(groupOf('one')), use(['#1']), use(['#2'])]);
  spend('one'); // no new one: all stay
  expect(quotas.list()).toHaveLength(3);
  spend('two');
  expect(quotas.list().map(({ group }) => group)).toEqual([['#2'], groupOf('one'), groupOf('two')]);
});
