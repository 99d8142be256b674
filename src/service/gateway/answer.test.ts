// Operations that define no kind of record: they list or return records that another operation defines.
import { expect, test } from 'vitest';
import { getRateLimitsPolicy } from '../../core/operations/get-rate-limits-policy/handler.ts';
import { listBatches } from '../../core/operations/list-batches/handler.ts';
import type { AnyOperation } from '../../core/operations/operation.ts';
import type { Call, Reply } from '../../core/protocol/call.ts';
import { loadScenario } from '../../core/scenario/load.ts';
import type { Scenario } from '../../core/scenario/scenario-types.ts';
import { createIsCredential } from '../../core/util/mask.ts';
import { Sessions } from '../control/sessions.ts';
import { answer } from './answer.ts';

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
  const source = {
    operations: [operation],
    sessions: new Sessions(loadScenario(scenario), { maxSessions: 2, journal: 0 }),
    requireSession: false,
    isCredential: createIsCredential(),
  };
  const headers: Readonly<Record<string, string>> = {
    'x-gateway-api-key': 'a-key',
    'x-gateway-virtual-key': 'a-virtual-key',
  };
  const call: Call = {
    method: 'GET',
    path: `/v1${operation.path.replace(/\{\w+\}/, policyId)}`,
    query: '',
    header: (name) => headers[name],
    headers: () => headers,
    body: new Uint8Array(),
  };
  return () => answer(source, call) as Reply; // no call here is late
};

const secondList: AnyOperation = { ...listBatches, id: 'listOldBatches', kinds: [] };
const secondPolicyCall: AnyOperation = { ...getRateLimitsPolicy, id: 'getAnyPolicy', kinds: [] };

test('page faults act on a second list of a kind', () => {
  const call = open(secondList, { batches: 3, faults: ['* : clamp-limit 1'] });
  expect(JSON.parse(call().body ?? '').data).toHaveLength(1);
});

test.each([
  ['all', 'getAnyPolicy', 429],
  ['lists', 'getAnyPolicy', 200],
  ['all', 'listOldBatches', 429],
  ['lists', 'listOldBatches', 429],
] as const)('with the quota scope %s, a second call of %s gets %i', (scope, id, status) => {
  const operation = id === secondList.id ? secondList : secondPolicyCall;
  const call = open(operation, { ...oneCallAMinute, assumptions: { 'quota-scope': scope } });
  expect(call().status).toBe(200);
  expect(call().status).toBe(status);
});
