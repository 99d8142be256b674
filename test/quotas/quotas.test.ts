// What a policy says is what then happens: for each type, unit, group and condition.

import { describe, expect, test } from 'vitest';
import { openGateway, type SentCall } from '../support/open-gateway.ts';
import { limitsIn, policy, policyId, render, scenarioUnder } from '../support/quota-scenarios.ts';

const calls: Readonly<Record<string, SentCall>> = {
  listRuns: { path: '/threads/thread_a/runs' },
  listBatches: { path: '/batches' },
  listCheckpoints: { path: '/fine_tuning/jobs/job_a/checkpoints' },
  renderPrompt: render('words'),
};

test('a policy without conditions and groups limits all callers together', async () => {
  const { gateway: whole } = openGateway({ scenario: scenarioUnder(policy(1)) });
  const { conditions: _, group_by: __, ...plain } = (await whole.records.policies.list())[0] ?? policy(1);
  const { send, gateway } = openGateway({ scenario: scenarioUnder(plain) });
  expect(await gateway.records.policies.list()).toEqual([plain]);
  const callers = ['a', 'b', 'c', 'd'].map((key) => ({ headers: { 'x-gateway-api-key': key } }));
  expect(callers.map((call) => send(call).status)).toEqual([200, 200, 200, 429]);
  expect(await gateway.quotas.list()).toMatchObject([
    { policy: policyId(1), matched: 4, groups: [{ group: {}, used: 3, remaining: 0 }], never: null },
  ]);
});

test('all operations that are limited share what a policy leaves', () => {
  const { send } = openGateway({ scenario: scenarioUnder(policy(1, { value: 4 })) });
  for (const call of Object.values(calls)) expect(send(call).status).toBe(200);
  for (const call of Object.values(calls)) expect(send(call).status).toBe(429);
});

test.each([
  ['where nothing is said', undefined],
  ['where it is switched off', false],
])('nothing is limited, and no header is about limits, %s', (_when, quotas) => {
  const { quotas: _, ...others } = scenarioUnder(policy(1, { value: 1 }));
  const { send, statuses } = openGateway({ scenario: quotas === undefined ? others : { ...others, quotas } });
  expect(statuses(5)).toEqual([200, 200, 200, 200, 200]);
  expect(limitsIn(send())).toEqual({});
});

describe('a call that is not answered by 200 costs nothing', () => {
  test.each<[string, SentCall, number]>([
    ['without a key', { headers: { 'x-gateway-api-key': undefined } }, 401],
    ['with an invalid limit', { path: '/batches?limit=0' }, 400],
    ['that no operation has', { path: '/nothing' }, 404],
  ])('one %s', (_what, call, status) => {
    const { send, statuses } = openGateway({ scenario: scenarioUnder(policy(1)) });
    expect(statuses(5, call)).toEqual(Array(5).fill(status));
    expect(limitsIn(send(call))).toEqual({});
    expect(statuses(4)).toEqual([200, 200, 200, 429]);
  });

  test('that a fault answers', async () => {
    const { gateway, statuses } = openGateway({ scenario: scenarioUnder(policy(1)) });
    await gateway.faults.add('listBatches times=2: 503');
    expect(statuses(6)).toEqual([503, 503, 200, 200, 200, 429]);
  });
});

test('a policy that is created, raised, lowered, archived, activated or deleted counts at once', async () => {
  const { gateway, statuses, send } = openGateway({ scenario: scenarioUnder() });
  const { policies } = gateway.records;
  expect(statuses(9)).toEqual(Array(9).fill(200));
  expect(await policies.create(policy(1) as Parameters<typeof policies.create>[0])).toMatchObject({
    value: 3,
  });
  expect(statuses(4)).toEqual([200, 200, 200, 429]);
  await policies.update(policyId(1), { value: 5 });
  expect(statuses(3)).toEqual([200, 200, 429]);
  await policies.update(policyId(1), { value: 2 });
  expect(limitsIn(send())).toMatchObject({ 'limit-requests': '2', 'remaining-requests': '0' });
  await policies.update(policyId(1), { status: 'archived' });
  expect(statuses(5)).toEqual(Array(5).fill(200));
  await policies.update(policyId(1), { status: 'active', value: 6 });
  expect(statuses(2)).toEqual([200, 429]); // what was used stays used
  await policies.delete(policyId(1));
  expect(statuses(5)).toEqual(Array(5).fill(200));
});
