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
  await gateway.faults.add('listBatches: 503', 'listBatches share=0%: reset', 'listRuns: reset');
  expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(503);
  await gateway.faults.remove('listRuns: reset');
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
