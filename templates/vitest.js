import { readScenario } from 'gateway-mock/node';
import { test } from 'gateway-mock/vitest';
import { expect } from 'vitest';

test('the failed batch of the scenario is listed', async ({ gateway }) => {
  await gateway.scenario.load(await readScenario('scenarios/first.yaml'));
  const reply = await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers }); // your client, here
  expect(await reply.json()).toMatchObject({ data: [{ id: 'batch_first', status: 'failed' }] });
});
