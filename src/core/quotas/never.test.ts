import { describe, expect, test, vi } from 'vitest';
import { openGateway } from '../../../test/support/open-gateway.ts';
import { policy, render, scenarioUnder } from '../../../test/support/quota-scenarios.ts';
import type { Policy } from '../operations/get-rate-limits-policy/types.ts';

type Conditions = NonNullable<Policy['conditions']>;

const keys = { valid: ['key-1', 'key-2'], expired: ['key-2'], limited: { 'key-3': ['listRuns'] } };
const workspace_id = 'aaaaaaaa-0000-4000-8000-000000000009';

const neverOf = async (conditions: Conditions): Promise<string | null | undefined> => {
  const scenario = { ...scenarioUnder(policy(1, { conditions, workspace_id })), keys, quotas: false };
  return (await openGateway({ scenario }).gateway.quotas.list())[0]?.never;
};

describe('a policy', () => {
  test.each<[Conditions, RegExp]>([
    [
      [{ key: 'endpoint_type', value: 'chat' }],
      /^No call has a value for the key "endpoint_type" .* api_key, /,
    ],
    [
      [{ key: 'prompt', value: 'nobody' }],
      /^No call meets the condition on "prompt": there is no prompt "nobody"\.$/,
    ],
    [[{ key: 'workspace_id', value: 'w' }], /^No call meets .* own workspace_id, which is aaaa.*9\.$/],
    [
      [{ key: 'api_key', value: 'nobody' }],
      /"api_key": calls with this key are refused \(Invalid API Key\)\.$/,
    ],
    [[{ key: 'api_key', value: 'key-2' }], /calls with this key are refused \(Expired API Key\)\.$/],
    [
      ['a', 'b'].map((value) => ({ key: 'provider', value })),
      /^Two conditions on "provider" have different values/,
    ],
  ])('with the conditions %j says why no call can match it', async (conditions, reason) => {
    expect(await neverOf(conditions)).toMatch(reason);
  });

  test('with a group by a key that no call has says that no call can match it', async () => {
    const scenario = { ...scenarioUnder(policy(1, { group_by: [{ key: 'tenant' }] })), quotas: false };
    const [quota] = await openGateway({ scenario }).gateway.quotas.list();
    expect(quota?.never).toMatch(/key "tenant" of a condition or group/);
  });

  test.each<[Conditions]>([
    [[]],
    [[{ key: 'api_key', value: 'key-1' }]],
    [[{ key: 'api_key', value: 'key-3' }]],
    [[{ key: 'prompt', value: 'echo@2' }]],
    [[{ key: 'metadata.team', value: 'a' }]],
    [['prompt', 'api_key', 'workspace_id'].map((key) => ({ key, value: '*' }))],
    [[{ key: 'workspace_id', value: workspace_id }]],
  ])('with the conditions %j may be matched', async (conditions) => {
    expect(await neverOf(conditions)).toBeNull();
  });

  test('counts the calls that it applied to, also after export and import', async () => {
    const conditions = [{ key: 'prompt', value: 'echo' }];
    const { gateway, send, statuses } = openGateway({
      scenario: scenarioUnder(policy(1, { conditions, value: 1 })),
    });
    expect(statuses(2)).toEqual([200, 200]);
    expect(await gateway.quotas.list()).toMatchObject([{ matched: 0 }]);
    expect([send(render('x')).status, send(render('x')).status]).toEqual([200, 429]);
    expect(await gateway.quotas.list()).toMatchObject([{ matched: 2, groups: [{ used: 1 }] }]);
    const exported = await gateway.state.export();
    await gateway.reset();
    expect(await gateway.quotas.list()).toMatchObject([{ matched: 0 }]);
    await gateway.state.import(exported);
    expect(await gateway.quotas.list()).toMatchObject([{ matched: 2, groups: [{ used: 1 }] }]);
  });
});

describe('quotas that limit no call', () => {
  const impossible = policy(1, { name: 'mine', conditions: [{ key: 'prompt', value: 'nobody' }] });
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const printed = (): unknown[] => warnings.mock.calls.splice(0).flat();

  test.each([
    ['there is no active policy', [policy(1, { status: 'archived' })], /there is no active policy/],
    ['none can match', [impossible], /no call can match an active policy.* mine: .* no prompt "nobody"\.$/],
  ])('are warned of at the start and by enforce() if %s', async (_when, policies, message) => {
    const { gateway } = openGateway({ scenario: scenarioUnder(...policies) });
    expect(printed()).toEqual([expect.stringMatching(message)]);
    expect(await gateway.quotas.enforce()).toMatch(message);
    expect(printed()).toEqual([expect.stringMatching(/^gateway-mock: Quotas are enforced, but/)]);
    await gateway.quotas.lift();
    await gateway.scenario.load(scenarioUnder(...policies));
    expect(printed()).toHaveLength(1);
  });

  test('are not warned of if one policy can match, or if they are not enforced', async () => {
    const { gateway } = openGateway({ scenario: scenarioUnder(impossible, policy(2)) });
    expect(await gateway.quotas.enforce()).toBeUndefined();
    openGateway({ scenario: { ...scenarioUnder(impossible), quotas: false } });
    expect(printed()).toEqual([]);
  });
});
