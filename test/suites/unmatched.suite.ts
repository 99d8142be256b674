// Requests that no operation serves. Those of the tests named "fails" are not allowed.
import { describe, expect } from 'vitest';
import { test } from '../../src/vitest.ts';

test('fails: a wrong path', async ({ gateway }) => {
  expect((await fetch(`${gateway.baseUrl}/batchez`, { headers: gateway.headers })).status).toBe(404);
  expect((await fetch(`${gateway.baseUrl}/batches`, { method: 'PUT' })).status).toBe(405);
});

test('fails: a base URL without /v1', async ({ gateway }) => {
  const reply = await fetch(`${gateway.baseUrl.replace('/v1', '')}/batches`);
  expect([reply.status, await reply.json()]).toMatchObject([404, { success: false }]);
});

test('fails: with an error of its own, too', async ({ gateway }) => {
  await fetch(`${gateway.baseUrl}/nowhere`);
  expect(await gateway.requests.count()).toBe(2);
});

test('fails: whatever becomes of the journal', async ({ gateway }) => {
  await fetch(`${gateway.baseUrl}/nowhere`, { headers: { 'x-mock-session': 'other' } });
  await gateway.requests.clear();
  await gateway.reset();
});

let tries = 0;
test('passes when tried again', { retry: 1 }, async ({ gateway }) => {
  tries += 1;
  await fetch(`${gateway.baseUrl}/${tries === 1 ? 'nowhere' : 'batches'}`, { headers: gateway.headers });
});

test('passes: what an operation refuses was meant for it', async ({ gateway }) => {
  expect((await fetch(`${gateway.baseUrl}/batches`)).status).toBe(401);
  expect((await fetch(`${gateway.baseUrl}/threads/none/runs`, { headers: gateway.headers })).status).toBe(
    404,
  );
});

describe('where it is allowed', () => {
  test.override({ gatewayOptions: { unmatched: 'allow' } });

  test('passes: a wrong path', async ({ gateway }) => {
    expect((await fetch(`${gateway.baseUrl}/nowhere`)).status).toBe(404);
    expect(await gateway.requests.count({ unmatched: true })).toBe(1);
  });
});

describe('where the journal is off', () => {
  test.override({ gatewayOptions: { journal: 0 } });

  test('passes: a wrong path, since nobody noted it', async ({ gateway }) => {
    expect((await fetch(`${gateway.baseUrl}/nowhere`)).status).toBe(404);
  });
});

let earlier = '';
test('passes: it remembers its base URL', ({ gateway }) => {
  earlier = gateway.baseUrl;
});
test('fails: an earlier test is over', async ({ gateway }) => {
  expect(earlier).not.toBe(gateway.baseUrl);
  const reply = await fetch(`${earlier}/batches`, { headers: gateway.headers });
  expect([reply.status, (await reply.json()).message]).toEqual([
    404,
    expect.stringContaining('has the test ended?'),
  ]);
});
