/** @jest-environment node */
import { useGateway } from 'gateway-mock/jest';

const gateway = useGateway({ scenario: 'scenarios/first.yaml' });

test('the failed batch of the scenario is listed', async () => {
  const reply = await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers }); // your client, here
  expect(await reply.json()).toMatchObject({ data: [{ id: 'batch_first', status: 'failed' }] });
});
