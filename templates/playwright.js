import { expect } from '@playwright/test';
import { test } from 'gateway-mock/playwright';

test.use({ gatewayOptions: { scenario: 'scenarios/first.yaml' } }); // for a page, add appBaseUrl

test('the failed batch of the scenario is listed', async ({ gateway }) => {
  const reply = await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers }); // your client, here
  expect(await reply.json()).toMatchObject({ data: [{ id: 'batch_first', status: 'failed' }] });
});
