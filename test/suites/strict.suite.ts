// Tests that may not depend on assumptions.
import { describe, expect } from 'vitest';
import { defineCall } from '../../src/calls.ts';
import { test } from '../../src/vitest.ts';

test('any assumption will do by default', async ({ gateway }) => {
  expect((await fetch(`${gateway.baseUrl}/batches`)).status).toBe(401);
});

test("a credential in the query fails: 1 request of this test had a credential in the query … GET /v1/batches: api_key … strict: ['unknown-parameter']", async ({
  gateway,
}) => {
  await fetch(`${gateway.baseUrl}/batches?api_key=secret&team=a`, { headers: gateway.headers });
});

describe('where parameters that the contract lacks are allowed', () => {
  test.override({ gatewayOptions: { strict: ['unknown-parameter'] } });

  test('a credential in the query passes', async ({ gateway }) => {
    await fetch(`${gateway.baseUrl}/batches?api_key=secret`, { headers: gateway.headers });
  });
});

describe('strict', () => {
  test.override({ gatewayOptions: { strict: true } });

  test('a page of the contract passes', async ({ gateway }) => {
    expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(200);
  });

  test('a parameter that the contract lacks fails: unknown-parameter (1 reply) … First: request 1, GET /v1/batches?order=asc.', async ({
    gateway,
  }) => {
    await fetch(`${gateway.baseUrl}/batches?order=asc`, { headers: gateway.headers });
  });

  test('a list of runs without the beta header fails: beta-header (1 reply): The header OpenAI-Beta', async ({
    gateway,
  }) => {
    const { baseUrl, headers } = gateway;
    for (const beta of [{}, { 'openai-beta': 'assistants=v2' }, { 'vendor-beta': 'assistants=v2' }])
      await fetch(`${baseUrl}/threads/thread_demo/runs`, { headers: { ...headers, ...beta } });
  });

  test('what the contract does not say fails: depend on assumptions … error-body … unknown-cursor (2 replies) … First: request 1', async ({
    gateway,
  }) => {
    for (const limit of [1, 2])
      await fetch(`${gateway.baseUrl}/batches?after=nobody&limit=${limit}`, { headers: gateway.headers });
  });
});

describe('strict, with a call of the user', () => {
  const listTags = defineCall({
    id: 'listTags',
    method: 'GET',
    path: '/tags',
    handle: () => ({ status: 200, body: {} }),
  });
  test.override({ gatewayOptions: { strict: ['own-call'], calls: [listTags] } });

  test('its query parameters are its own', async ({ gateway }) => {
    const { baseUrl, headers } = gateway;
    expect((await fetch(`${baseUrl}/tags?color=red`, { headers })).status).toBe(200);
  });
});

describe('with a list', () => {
  test.override({ gatewayOptions: { strict: ['unknown-cursor', 'error-body'] } });

  test('what it allows passes', async ({ gateway }) => {
    await fetch(`${gateway.baseUrl}/batches?after=nobody`, { headers: gateway.headers });
  });

  test('what it does not allow fails: strict: ["unknown-cursor","error-body","limit-too-small"]', async ({
    gateway,
  }) => {
    await fetch(`${gateway.baseUrl}/batches?limit=0`, { headers: gateway.headers });
  });
});

describe('with a list that names no assumption', () => {
  // @ts-expect-error It is unknown-cursor.
  test.override({ gatewayOptions: { strict: ['unknown-cursr'] } });

  test('it fails: Did you mean "unknown-cursor"?', ({ gateway: _ }) => {});
});

describe('printing', () => {
  test.override({ gatewayOptions: { strict: 'print' } });

  test('what depends on an assumption is told of', async ({ gateway }) => {
    await fetch(`${gateway.baseUrl}/batches?limit=0`, { headers: gateway.headers });
  });
});
