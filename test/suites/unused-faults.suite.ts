// Faults that never come into play.
import { afterAll, describe, expect, vi } from 'vitest';
import { test } from '../../src/vitest.ts';

test("faults that no call reached fail: 2 faults of this test were never used: … listBatches#3: 503 (1 call matched, but the fault starts at call 3) … listRuns: reset (no call matched) … unusedFaults: 'allow'", async ({
  gateway,
}) => {
  await gateway.faults.add('listBatches#3: 503', 'listRuns: reset');
  expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(200);
});

test('one that could not act fails: listBatches: cursor-loop (1 call matched, but the fault could not act: … cursor', async ({
  gateway,
}) => {
  await gateway.faults.add('listBatches: cursor-loop');
  await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });
});

test('with an assertion that failed, it fails: expected 1 to be 2', async ({ gateway }) => {
  await gateway.faults.add('listBatches: 503');
  expect(1).toBe(2);
});

test('those that hit, that chance spared, and that were taken out pass', async ({ gateway }) => {
  await gateway.faults.add('listBatches share=0.0001%: reset', 'listBatches: 503', 'listRuns: reset');
  expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(503);
  await gateway.faults.remove('listRuns: reset');
});

test('one of another session fails: listBatches#5: 503 (session "other": no call matched)', async ({
  gateway,
}) => {
  await gateway.session('other').faults.add('listBatches#5: 503');
});

test('what was removed fails: listBatches: 500 (no call matched, removed by reset) … listBatches: 504 (session "other": no call matched, removed by sessions.delete)', async ({
  gateway,
}) => {
  await gateway.faults.add('listBatches: 500');
  await gateway.reset();
  await gateway.session('other').faults.add('listBatches: 504');
  await gateway.sessions.delete('other');
});

test('what acted before it was removed passes', async ({ gateway }) => {
  await gateway.faults.add('listBatches#1: 503');
  expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(503);
  await gateway.reset();
});

describe('where it is allowed', () => {
  test.override({ gatewayOptions: { unusedFaults: 'allow', faults: ['listBatches: 503'] } });

  test('a fault of the options passes', async ({ gateway }) => {
    expect(await gateway.faults.list({ unused: true })).toHaveLength(1);
  });
});

describe('of the options', () => {
  test.override({ gatewayOptions: { faults: ['listBatches#1: 503'] } });

  test('a fault that the test does not use fails: 1 fault of this test was never', ({ gateway: _ }) => {});

  test('one that acts in any of the worlds that begin with it passes', async ({ gateway }) => {
    await gateway.reset();
    const url = gateway.baseUrl.replace('/v1', '/sessions/other/v1');
    expect((await fetch(`${url}/batches`, { headers: gateway.headers })).status).toBe(503);
  });
});

describe('where it is warned of', () => {
  test.override({ gatewayOptions: { unusedFaults: 'warn' } });

  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  afterAll(() => {
    expect(warn.mock.calls).toEqual([[expect.stringContaining('listRuns: reset (no call matched)')]]);
    warn.mockRestore();
  });

  test('it passes, with a warning', async ({ gateway }) => {
    await gateway.faults.add('listRuns: reset');
  });
});
