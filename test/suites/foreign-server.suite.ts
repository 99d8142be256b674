// An MSW server that was not given the gateway's handlers.
import { setupServer } from 'msw/node';
import { afterAll, beforeAll } from 'vitest';
import { test } from '../../src/vitest.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
afterAll(() => server.close());

test('is refused', ({ gateway }) => {
  throw new Error(`The test ran, at ${gateway.baseUrl}.`);
});
