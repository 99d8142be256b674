// Requests that no operation serves.
import { describe, expect } from 'vitest';
import { test } from '../../src/vitest.ts';

let earlier = '';

test("a wrong path fails: 2 requests of this test matched no operation … GET /v1/batchez: … listBatches … PUT /v1/batches: … GET … test.override({ gatewayOptions: { unmatched: 'allow' } })", async ({
  gateway,
}) => {
  earlier = gateway.baseUrl;
  expect((await fetch(`${gateway.baseUrl}/batchez`, { headers: gateway.headers })).status).toBe(404);
  expect((await fetch(`${gateway.baseUrl}/batches`, { method: 'PUT' })).status).toBe(405);
});

test('a base URL without /v1 fails: GET /batches: … base URL, http://test- … .gateway.test/v1', async ({
  gateway,
}) => {
  const reply = await fetch(`${gateway.baseUrl.replace('/v1', '')}/batches`);
  expect([reply.status, await reply.json()]).toMatchObject([404, { success: false }]);
});

test('with an error of its own, both fail: expected 1 to be 2 + 1 request of this test matched no operation', async ({
  gateway,
}) => {
  await fetch(`${gateway.baseUrl}/nowhere`);
  expect(await gateway.requests.count()).toBe(2);
});

test('whatever becomes of the journal, it fails: /nowhere', async ({ gateway }) => {
  await fetch(`${gateway.baseUrl}/nowhere`, { headers: { 'x-mock-session': 'other' } });
  await gateway.requests.clear();
  await gateway.reset();
});

test('the host of an earlier test fails: GET http://test- … /v1/batches: The test … has ended', async ({
  gateway,
}) => {
  expect(earlier).not.toBe(gateway.baseUrl);
  const reply = await fetch(`${earlier}/batches`, { headers: gateway.headers });
  expect([reply.status, await reply.text()]).toEqual([
    404,
    expect.stringContaining('whose base URL it is, has ended.'),
  ]);
});

let tries = 0;
test('a test that is tried again may pass', { retry: 1 }, async ({ gateway }) => {
  tries += 1;
  await fetch(`${gateway.baseUrl}/${tries === 1 ? 'nowhere' : 'batches'}`, { headers: gateway.headers });
});

test('what an operation refuses was meant for it', async ({ gateway: { baseUrl, headers } }) => {
  expect((await fetch(`${baseUrl}/batches`)).status).toBe(401);
  expect((await fetch(`${baseUrl}/threads/none/runs`, { headers })).status).toBe(404);
});

describe.for([[{ unmatched: 'allow' }], [{ journal: 0 }]] as const)('with %o', ([gatewayOptions]) => {
  test.override({ gatewayOptions });

  test('a wrong path passes', async ({ gateway }) => {
    expect((await fetch(`${gateway.baseUrl}/nowhere`)).status).toBe(404);
  });
});
