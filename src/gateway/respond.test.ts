// Operations that define no kind of record: they list or return records that another operation defines.
import { expect, test } from 'vitest';
import { createState } from '../control/world-state.ts';
import { getRateLimitsPolicy } from '../operations/get-rate-limits-policy/handler.ts';
import { listBatches } from '../operations/list-batches/handler.ts';
import type { RawCall } from '../protocol/call.ts';
import { loadScenario } from '../scenario/load.ts';
import type { Scenario } from '../scenario/types.ts';
import type { AnyOperation } from '../world/operation.ts';
import { respond } from './respond.ts';

const policyId = '22222222-2222-4222-8222-222222222222';

const oneCallAMinute: Scenario = {
  quotas: true,
  batches: 1,
  policies: {
    records: [{ id: policyId, type: 'requests', unit: 'rpm', value: 1, status: 'active', conditions: [] }],
  },
};

/** A function that calls an operation in a new world. */
const open = (operation: AnyOperation, scenario: Scenario) => {
  const state = createState(loadScenario(scenario));
  const headers: Readonly<Record<string, string>> = {
    'x-gateway-api-key': 'a-key',
    'x-gateway-virtual-key': 'a-virtual-key',
  };
  const call: RawCall = {
    method: 'GET',
    path: '/v1/batches',
    query: '',
    header: (name) => headers[name],
    headers: () => headers,
    body: new Uint8Array(),
  };
  const params = { rateLimitsPolicyId: policyId };
  return () => {
    const hit = state.faults.hit(operation, call);
    return respond({ operation, params }, call, state, hit, state.world.assumptions.forAnswer());
  };
};

const secondList: AnyOperation = { ...listBatches, id: 'listOldBatches', kinds: [] };
const secondPolicyCall: AnyOperation = { ...getRateLimitsPolicy, id: 'getAnyPolicy', kinds: [] };

test('page faults act on a second list of a kind', () => {
  const call = open(secondList, { batches: 3, faults: ['* : clamp-limit 1'] });
  expect(call().page?.ids).toHaveLength(1);
});

test('quotas exempt a second operation that returns a policy, and limit a second list', () => {
  const policyCall = open(secondPolicyCall, oneCallAMinute);
  expect([policyCall().status, policyCall().status]).toEqual([200, 200]);

  const listCall = open(secondList, oneCallAMinute);
  listCall();
  expect(listCall).toThrow('Rate limit reached');
});
