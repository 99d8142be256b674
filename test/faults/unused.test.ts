// Faults that match a call and can do nothing to it, and those that never come into play.

import { expect, test } from 'vitest';
import type { FaultInfo } from '../../src/core/faults/fault.ts';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import { openGateway } from '../support/open-gateway.ts';
import { policy, scenarioUnder } from '../support/quota-scenarios.ts';

/** The faults that never came into play, one line each, with the reason. */
const describeUnused = (faults: readonly FaultInfo[]): string[] =>
  faults.flatMap(({ fault, unused }) => (unused === null ? [] : [`${fault} (${unused})`]));

const scenario: Scenario = { batches: 30, threads: { thread_a: { runs: 12 } } };

const start = async (...faults: string[]) => {
  const { gateway: control, send } = openGateway({ scenario: { ...scenario, faults } });
  const ids = (await control.records.batches.list()).map(({ id }) => id);
  return { control, ids, call: (path: string, headers = {}) => send({ path, headers }) };
};

test.each(['cursor-loop', 'empty-page', 'vanish-record', 'insert-records', 'clamp-limit 2', '503'])(
  'the fault %s counts calls with a cursor and without',
  async (kind) => {
    const { control, call, ids } = await start(`listBatches#2: ${kind}`);
    for (const query of ['limit=5', `limit=5&after=${ids[4]}`, `limit=5&after=${ids[9]}`])
      call(`/batches?${query}`);
    expect(await control.faults.list()).toMatchObject([{ calls: 3, hits: 1, unused: null }]);
    const [hit] = await control.requests.list({ faulted: true });
    expect(hit?.query.after).toBe(ids[4]);
  },
);

test('a page fault does nothing to a call that a quota refuses, and a call that it refuses is not counted', async () => {
  const { gateway, statuses } = openGateway({
    scenario: scenarioUnder(policy(1, { value: 2 })),
    faults: ['listBatches#1: expire-cursor', 'listBatches#3: insert-records 3'],
  });
  const path = `/batches?after=${(await gateway.records.batches.list())[0]?.id}`;
  expect(statuses(1, { path })).toEqual([400]);
  expect(statuses(3, { path })).toEqual([200, 200, 429]);
  await gateway.faults.add('listBatches#1: insert-records');
  expect(statuses(1, { path })).toEqual([429]);
  expect((await gateway.faults.list()).at(-1)).toMatchObject({
    hits: 0,
    unused: '1 call matched, but the fault could not act: the call was refused',
  });
  expect(await gateway.records.batches.count()).toBe(6);
});

test('a page fault whose call has no cursor waits for the next call that has one', async () => {
  const { control, call, ids } = await start('listBatches times=1: cursor-loop');
  for (const query of ['', '?after=', `?after=${ids[3]}`, `?after=${ids[3]}`]) call(`/batches${query}`);
  expect(await control.faults.list()).toMatchObject([{ calls: 4, hits: 1 }]);
  const idle = { fault: 'listBatches times=1: cursor-loop', reason: 'the call has no cursor' };
  expect((await control.requests.list()).map(({ faults, idleFaults }) => [faults, idleFaults])).toEqual([
    [[], [idle]],
    [[], [idle]],
    [['listBatches times=1: cursor-loop'], []],
    [[], []],
  ]);
});

test.each([
  ['cursor-loop', '/batches', 'the call has no cursor'],
  ['cursor-loop', '/threads/none/runs?after=run_x', 'the thread "none" does not exist'],
  ['insert-records', '/threads/none/runs', 'the thread "none" does not exist'],
  ['repeat-record', '/batches?after=none', 'after is not the id of a record of this list'],
  ['empty-page', '/threads/thread_a/runs?before=none', 'before is not the id of a record of this list'],
  ['repeat-record', '/threads/thread_a/runs?before=LAST', 'the cursor is the last record of its list'],
  ['clamp-limit', '/batches?limit=5', 'the page has no more than 5 records'],
  ['clamp-limit 20', '/threads/thread_a/runs?limit=100', 'the page has no more than 20 records'],
  ['empty-page', '/batches?limit=0', 'the call was refused'],
  ['insert-records', '/batches?x-keys=none', 'the call was refused'],
])('%s does nothing to %s, and says why', async (kind, path, reason) => {
  const fault = `*: ${kind}`;
  const { control, call } = await start(fault);
  const last = (await control.records.runs.list({ order: 'asc', limit: 1 }))[0]?.id ?? '';
  const headers = path.includes('x-keys=none') ? { 'x-gateway-api-key': undefined } : {};
  const target = path.replace('LAST', last);
  const before = await control.state.export();
  const reply = call(target, headers);
  expect(reply.headers).not.toHaveProperty('x-mock-fault');
  expect(reply.faultKind).toBeUndefined();
  const [request] = await control.requests.list();
  expect([request?.faults, request?.idleFaults]).toEqual([[], [{ fault, reason }]]);
  const unused = `1 call matched, but the fault could not act: ${reason}`;
  expect(await control.faults.list({ unused: true })).toMatchObject([{ calls: 1, hits: 0, unused }]);
  expect((await control.state.export()).batches).toEqual(before.batches);
  await control.faults.clear();
  expect(call(target, headers).body).toBe(reply.body);
});

test('a fault behind the one that decides stands in the journal, and has no hit', async () => {
  const { control, call } = await start('listBatches: 429', 'listBatches: 503', 'listBatches: delay 1ms');
  call('/batches');
  const [request] = await control.requests.list();
  const reason = 'the fault "listBatches: 429" came first';
  expect(request).toMatchObject({
    faults: ['listBatches: 429'],
    idleFaults: [
      { fault: 'listBatches: 503', reason },
      { fault: 'listBatches: delay 1ms', reason },
    ],
  });
  expect((await control.faults.list({ unused: true })).map(({ fault }) => fault)).toEqual([
    'listBatches: 503',
    'listBatches: delay 1ms',
  ]);
});

test('the faults that never came into play are listed, each with the reason', async () => {
  const { control, call } = await start(
    'listBatches#2: 503', // hits
    'listBatches#5-: 503',
    'listBatches#1: cursor-loop',
    'listBatches share=0.0001%: 503', // chance decided
    'listRuns: reset',
    'listBatches#2- until=2026-01-15T11:00:00Z: 503', // reached its first call, after its time
    '* query.limit=7: delay 1ms',
  );
  call('/batches');
  call('/batches');
  const unused = await control.faults.list({ unused: true });
  expect(describeUnused(unused)).toEqual([
    'listBatches#5-: 503 (2 calls matched, but the fault starts at call 5)',
    'listBatches#1: cursor-loop (2 calls matched, but the fault could not act: the call has no cursor)',
    'listRuns: reset (no call matched)',
    'listBatches#2- until=2026-01-15T11:00:00.000Z: 503 (2 calls matched, but its time had ended)',
    '* query.limit=7: delay 1ms (no call matched)',
  ]);
  expect(describeUnused(await control.faults.list())).toEqual(describeUnused(unused));
  expect(await control.faults.list({ unused: false })).toHaveLength(7);
});

test('a fault with a share is used once chance alone spared a call, and by no other call', async () => {
  const { control, call } = await start(
    'listBatches#5 share=50%: 503',
    'listBatches share=99%: cursor-loop',
    'listBatches share=0.0001%: 503', // chance decided
    'listBatches: 503',
    'listBatches share=0.0001%: 429',
  );
  call('/batches');
  expect(describeUnused(await control.faults.list({ unused: true }))).toEqual([
    'listBatches#5 share=50%: 503 (1 call matched, but the fault starts at call 5)',
    'listBatches share=99%: cursor-loop (1 call matched, but the fault could not act: the call has no cursor)',
    'listBatches share=0.0001%: 429 (1 call matched, but the fault could not act: the fault "listBatches: 503" came first)',
  ]);
});
