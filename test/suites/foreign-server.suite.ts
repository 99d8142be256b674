// MSW servers without the gateway's handlers: only the last MSW server of a process intercepts requests.
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe } from 'vitest';
import { test } from '../../src/vitest.ts';

const weather = http.get('https://weather.test/today', () => HttpResponse.json({ sun: 1 }));

const earlier = setupServer(weather);
beforeAll(() => earlier.listen()); // it warns of requests that it does not know
afterAll(() => earlier.close());

test('a test without the gateway is not concerned', async () => {
  await fetch('https://weather.test/today');
});

test('its mock is not there beside the gateway, which fails: 1 request of this test … import { handlers } from', async ({
  gateway,
}) => {
  await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers });
  await fetch('https://weather.test/today').catch(() => {});
});

describe('a server that is started later', () => {
  const later = setupServer(weather);
  beforeAll(() => later.listen({ onUnhandledRequest: 'bypass' }));
  afterAll(() => later.close());

  test('fails: import { handlers } from', ({ gateway }) => {
    throw new Error(`The test ran, at ${gateway.baseUrl}.`);
  });
});
