import { expect, test, vi } from 'vitest';
import { openGateway } from '../../src/node-test.ts';

test('all gateways of a test are closed by one hook, which reports the problems of each', async () => {
  const hooks: (() => Promise<void>)[] = [];
  const ending = new AbortController();
  const context = {
    after: (hook: () => Promise<void>) => void hooks.push(hook),
    signal: ending.signal,
  };
  const gateways = [await openGateway(context), await openGateway(context)];
  for (const [at, { baseUrl }] of gateways.entries()) await fetch(`${baseUrl}/nothing-${at}`);
  await gateways[1]?.faults.add('listRuns: 503'); // never used: before Node says whether the test passed, it may have
  expect(hooks).toHaveLength(1);
  await expect(hooks[0]?.()).rejects.toThrow(/\/nothing-0: .*\/nothing-1: .*listRuns: 503/s);
  for (const { requests } of gateways) expect(await requests.count()).toBe(1); // as later hooks may ask
  ending.abort();
  for (const { baseUrl } of gateways)
    await vi.waitFor(() => expect(fetch(baseUrl)).rejects.toThrow('fetch failed'), 10_000);
});
