import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { startServer } from 'gateway-mock/server';

const gateway = await startServer({ scenario: 'scenarios/first.yaml' });
after(() => gateway.close());
// Not in afterEach: Deno ignores what that throws.
beforeEach((context) =>
  context.after(async () => {
    const unmatched = await gateway.requests.list({ unmatched: true }); // requests that matched no operation
    const unused = await gateway.faults.list({ unused: true }); // faults that did nothing
    await gateway.reset();
    assert.deepEqual({ unmatched, unused }, { unmatched: [], unused: [] });
  }),
);

test('the failed batch of the scenario is listed', async () => {
  const headers = { 'x-gateway-api-key': 'any', 'x-gateway-virtual-key': 'any' };
  const reply = await fetch(`${gateway.baseUrl}/batches`, { headers }); // your client, here
  const { data } = await reply.json();
  assert.deepEqual(
    data.map((batch) => [batch.id, batch.status]),
    [['batch_first', 'failed']],
  );
});
