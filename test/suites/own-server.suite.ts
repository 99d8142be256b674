// Beside handlers of the suite's own, in its own MSW server, which refuses what it does not know.
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { handlers, test } from '../../src/vitest.ts';

const server = setupServer(
  ...handlers,
  http.get('https://weather.test/today', () => HttpResponse.json({ sun: 1 })),
);
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

test.for([1, 2])('both answer, in test %i', async (_, { gateway }) => {
  expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(200);
  expect(await (await fetch('https://weather.test/today')).json()).toEqual({ sun: 1 });
});

describe('an option that the own server decides about', () => {
  test.override({ gatewayOptions: { onUnhandledRequest: 'bypass' } });

  test('is refused', ({ gateway }) => {
    throw new Error(`The test ran, at ${gateway.baseUrl}.`);
  });
});
