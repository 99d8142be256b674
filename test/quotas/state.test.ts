// What was used of a quota is part of a world's state: it is exported, saved, forked and reset with the rest.

import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { policy, policyId, render, scenarioUnder } from '../support/quota-scenarios.ts';
import { withoutWorld } from '../support/without-world.ts';

const groups = [{ key: 'api_key' }, { key: 'virtual_key' }];
const secret = 'sk-live-0123456789-abcdef';
const both = { headers: { 'x-gateway-api-key': secret, 'x-gateway-virtual-key': `virtual-${secret}` } };

const scenario = scenarioUnder(
  policy(1, { unit: 'rph', value: 5, group_by: groups }),
  policy(2, { type: 'tokens', unit: 'rpd', value: 10 }),
);

/** A world of which a bit was used. */
const openUsed = () => {
  const world = openGateway({ scenario });
  expect(world.statuses(3, both)).toEqual([200, 200, 200]);
  expect(world.statuses(2, render('x'.repeat(16)))).toEqual([200, 200]);
  return world;
};

/** The next answers, past the end of each limit; without their ids, which depend on the number of requests before. */
const nextAnswers = ({ send }: OpenGateway) =>
  [both, both, both, render('four'), render('four'), render('four'), {}].map((call) => {
    const { status, headers, body } = send(call);
    const { 'x-request-id': _, 'x-gateway-trace-id': __, ...others } = withoutWorld(Object.entries(headers));
    return { status, headers: others, body };
  });

test('what was used is exported and restored, without a credential', async () => {
  const used = openUsed();
  const { state, quotas } = used.gateway;
  await state.save();
  const exported = await state.export();
  const reported = JSON.stringify([exported, await quotas.list()]);
  expect(reported).not.toMatch(/sk-live|abcdef"|test-key/);
  expect(reported).toMatch(/key_[0-9a-f]{16}/);
  const expected = nextAnswers(used);
  expect(expected.map(({ status }) => status)).toEqual([200, 200, 429, 200, 200, 429, 200]);
  expect(nextAnswers(openGateway({ scenario: exported }))).toEqual(expected);
  await state.restore();
  expect(nextAnswers(used)).toEqual(expected);
});

test('what was used is forked, and each goes its own way', async () => {
  const worlds = openGateway({ scenario: scenarioUnder(policy(1)) });
  const statuses = (count: number, session?: string) =>
    Array.from({ length: count }, () => worlds.send({ path: '/batches', session }).status);
  expect(statuses(2, 'first')).toEqual([200, 200]);
  await worlds.gateway.sessions.create('fork', { session: 'first' });
  expect(statuses(2, 'fork')).toEqual([200, 429]);
  expect(statuses(2, 'first')).toEqual([200, 429]);
  expect(statuses(4, 'third')).toEqual([200, 200, 200, 429]);
  expect(statuses(4)).toEqual([200, 200, 200, 429]);
  await worlds.gateway.session('fork').reset(); // to the state that it was forked in
  expect(statuses(2, 'fork')).toEqual([200, 429]);
});

describe('the control of quotas', () => {
  test('lists each active policy, and what is used in its current window, by group', async () => {
    const { gateway } = openUsed();
    const fingerprint = expect.stringMatching(/^\*{3}\S* key_[0-9a-f]{16}$/);
    const hour = {
      policy: policyId(1),
      name: expect.any(String),
      type: 'requests',
      unit: 'rph',
      limit: 5,
      matched: 5,
      never: null,
    };
    const day = {
      policy: policyId(2),
      name: expect.any(String),
      type: 'tokens',
      unit: 'rpd',
      limit: 10,
      matched: 5,
      groups: [{ group: {}, used: 8, remaining: 2, resets_at: '2026-01-16T00:00:00.000Z' }],
      never: null,
    };
    const group = { api_key: fingerprint, virtual_key: fingerprint };
    const list = await gateway.quotas.list();
    const resets_at = '2026-01-15T13:00:00.000Z';
    const groups = [
      { group, used: 3, remaining: 2, resets_at },
      { group, used: 2, remaining: 3, resets_at },
    ];
    expect(list).toEqual([day, { ...hour, groups }]);
    await gateway.clock.advance('1h');
    expect(await gateway.quotas.list()).toEqual([day, { ...hour, groups: [] }]);
    await gateway.clock.advance('-1h');
    expect(await gateway.quotas.list()).toEqual(list);
    await gateway.clock.advance('-1d'); // to windows that were over before the first call
    expect((await gateway.quotas.list()).map(({ groups }) => groups)).toEqual([[], []]);
  });

  test('lists nothing of a policy that is no longer there, and no groups of one that is another by now', async () => {
    const { gateway } = openUsed();
    const { policies } = gateway.records;
    await policies.update(policyId(2), { status: 'archived' });
    expect((await gateway.quotas.list()).map(({ policy: id }) => id)).toEqual([policyId(1)]);
    await policies.update(policyId(1), { group_by: [] });
    expect(await gateway.quotas.list()).toMatchObject([{ groups: [] }]);
    await policies.update(policyId(1), { group_by: groups, value: 2 });
    expect(await gateway.quotas.list()).toMatchObject([
      {
        groups: [
          { used: 3, remaining: 0 },
          { used: 2, remaining: 0 },
        ],
      },
    ]);
    await policies.delete(policyId(1));
    expect(await gateway.quotas.list()).toEqual([]);
  });

  test('enforces and lifts; what is not enforced is not counted, and what was used stays', async () => {
    const { gateway, statuses } = openGateway({ scenario: { ...scenarioUnder(policy(1)), quotas: false } });
    const { quotas } = gateway;
    expect([await quotas.isEnforced(), statuses(5)]).toEqual([false, [200, 200, 200, 200, 200]]);
    await quotas.enforce();
    expect([await quotas.isEnforced(), statuses(2)]).toEqual([true, [200, 200]]);
    await quotas.lift();
    expect([await quotas.isEnforced(), statuses(5)]).toEqual([false, [200, 200, 200, 200, 200]]);
    await quotas.enforce();
    expect(statuses(2)).toEqual([200, 429]);
  });

  test('is of one session', async () => {
    const { gateway, send } = openGateway({ scenario: scenarioUnder(policy(1)) });
    const [mine, other] = [gateway.session('mine'), gateway.session('other')];
    send({ path: '/batches', session: 'mine' });
    send({ path: '/batches', session: 'other' });
    await mine.quotas.lift();
    await other.quotas.refill();
    expect([await mine.quotas.isEnforced(), await other.quotas.isEnforced()]).toEqual([false, true]);
    expect(await mine.quotas.list()).toMatchObject([{ matched: 1, groups: [{ used: 1 }] }]);
    expect(await other.quotas.list()).toMatchObject([{ matched: 1, groups: [] }]);
    expect(await gateway.quotas.isEnforced()).toBe(true);
  });
});

test.each<[string, unknown]>([
  ['quotas.used[0].used', { enforced: true, used: [{ policy: 'a', group: [], window: 0, used: -1 }] }],
  ['quotas.used[0].group', { enforced: true, used: [{ policy: 'a', group: 'b', window: 0, used: 1 }] }],
  ['quotas.use', { enforced: true, use: [] }],
])('a scenario that says something else at %s is refused', (place, quotas) => {
  expect(() => openGateway({ scenario: { ...scenario, quotas } as Scenario })).toThrow(place);
});
