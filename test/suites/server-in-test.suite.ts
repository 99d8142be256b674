// An MSW server without the gateway's handlers that starts during a test: the requests of the test then go past the gateway.
import { setupServer } from 'msw/node';
import { onTestFinished } from 'vitest';
import { test } from '../../src/vitest.ts';

test('fails: during the test, another MSW server was started in this process', async ({ gateway }) => {
  const other = setupServer();
  other.listen({ onUnhandledRequest: 'bypass' });
  await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers }).catch(() => {});
  onTestFinished(() => other.close());
});
