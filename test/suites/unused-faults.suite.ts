// Faults that never come into play. Those of the tests named "fails" are errors.
import { afterAll, describe, expect, vi } from 'vitest';
import { test } from '../../src/vitest.ts';

test('fails: a fault that no call reached', async ({ gateway }) => {
  await gateway.faults.add('listBatches#3: 503', 'listRuns: reset');
  expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(200);
});

test('fails: a fault that could not act', async ({ gateway }) => {
  await gateway.faults.add('listBatches: cursor-loop');
  await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });
});

test('fails: by its own assertion, and by nothing else', async ({ gateway }) => {
  await gateway.faults.add('listBatches: 503');
  expect(1).toBe(2);
});

test('passes: faults that hit, that chance spared, and that were taken out', async ({ gateway }) => {
  await gateway.faults.add('listBatches share=0.0001%: reset', 'listBatches: 503', 'listRuns: reset');
  expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(503);
  await gateway.faults.remove('listRuns: reset');
});

describe('in other sessions, and in situations that have ended', () => {
  const load = async (url: string, headers: Readonly<Record<string, string>>) =>
    (await fetch(`${url}/batches`, { headers })).status;

  test('fails: a fault of another session', async ({ gateway }) => {
    await gateway.session('other').faults.add('listBatches#5: 503');
    await gateway.faults.add('listBatches: 503');
    expect(await load(gateway.baseUrl, gateway.headers)).toBe(503);
  });

  test('fails: faults that were dropped', async ({ gateway }) => {
    await gateway.state.save();
    await gateway.faults.add('listBatches: 500');
    await gateway.reset();
    await gateway.faults.add('listBatches: 501');
    await gateway.scenario.load('in-flight');
    await gateway.faults.add('listBatches: 502');
    await gateway.state.restore();
    await gateway.faults.add('listBatches: 503');
    await gateway.state.import({ batches: 3 });
    await gateway.session('other').faults.add('listBatches: 504');
    await gateway.sessions.delete('other');
    expect(await load(gateway.baseUrl, gateway.headers)).toBe(200);
  });

  test('passes: faults that acted before they were dropped, and that were taken out', async ({ gateway }) => {
    await gateway.faults.add('listBatches#1: 503', 'listRuns: 503');
    expect(await load(gateway.baseUrl, gateway.headers)).toBe(503);
    await gateway.faults.remove('listRuns: 503');
    await gateway.reset();
    await gateway.faults.add('listBatches#1: 503', 'listRuns: 503');
    await gateway.faults.clear();
  });

  describe('with a fault of the options', () => {
    test.override({ gatewayOptions: { faults: ['listBatches#1: 503'] } });

    test('passes: it acts in any of the worlds that begin with it', async ({ gateway }) => {
      await gateway.reset();
      const url = gateway.baseUrl.replace('/v1', '/sessions/other/v1');
      expect(await load(url, gateway.headers)).toBe(503);
      await gateway.session('other').reset();
    });
  });
});

describe('where it is allowed', () => {
  test.override({ gatewayOptions: { unusedFaults: 'allow', faults: ['listBatches: 503'] } });

  test('passes: a fault of the options', async ({ gateway }) => {
    expect(await gateway.faults.list({ unused: true })).toHaveLength(1);
  });
});

describe('of the options', () => {
  test.override({ gatewayOptions: { faults: ['listBatches: 503'] } });

  test('fails: a fault that the test does not use', ({ gateway: _ }) => {});
});

describe('where it is warned of', () => {
  test.override({ gatewayOptions: { unusedFaults: 'warn' } });

  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  afterAll(() => {
    expect(warn.mock.calls).toEqual([[expect.stringContaining('listRuns: reset (no call matched)')]]);
    warn.mockRestore();
  });

  test('passes: with a warning', async ({ gateway }) => {
    await gateway.faults.add('listRuns: reset');
  });
});
