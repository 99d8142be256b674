// Beside handlers of the suite's own, in its own MSW server, which refuses what it does not know.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { handlers, test } from '../../src/vitest.ts';

const server = setupServer(
  ...handlers,
  http.get('https://weather.test/today', () => HttpResponse.json({ sun: 1 })),
);
const unhandled = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const; // of MSW 2, and of MSW 3
beforeAll(() => server.listen(unhandled));
afterAll(() => server.close());

test.for([1, 2])('both answer, in test %i', async (_, { gateway }) => {
  expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(200);
  expect(await (await fetch('https://weather.test/today')).json()).toEqual({ sun: 1 });
});

test('a request that neither knows does not go out', async ({ gateway }) => {
  let asked = 0;
  const other = createServer((_request, response) => {
    asked += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo; // it listens on a port
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  other.close();
  expect([asked, await gateway.requests.count()]).toEqual([0, 0]);
});

describe('an option that the own server decides about', () => {
  test.override({ gatewayOptions: { onUnhandledRequest: 'bypass' } });

  test('fails: Pass the option to its listen()', ({ gateway }) => {
    throw new Error(`The test ran, at ${gateway.baseUrl}.`);
  });
});
