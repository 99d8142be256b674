// Tests that may not depend on assumptions. Those named "fails" do.
import { describe, expect } from 'vitest';
import { test } from '../../src/vitest.ts';

test('passes: any assumption will do by default', async ({ gateway }) => {
  expect((await fetch(`${gateway.baseUrl}/batches`)).status).toBe(401);
});

describe('strict', () => {
  test.override({ gatewayOptions: { strict: true } });

  test('passes: a page of the contract', async ({ gateway }) => {
    expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(200);
  });

  test('fails: an error, of which the contract says nothing', async ({ gateway }) => {
    for (const limit of [1, 2]) {
      const url = `${gateway.baseUrl}/batches?after=nobody&limit=${limit}`;
      expect((await fetch(url, { headers: gateway.headers })).status).toBe(404);
    }
  });
});

describe('with a list', () => {
  test.override({ gatewayOptions: { strict: ['unknown-cursor', 'error-body'] } });

  test('passes: what it allows', async ({ gateway }) => {
    await fetch(`${gateway.baseUrl}/batches?after=nobody`, { headers: gateway.headers });
  });

  test('fails: what it does not allow', async ({ gateway }) => {
    await fetch(`${gateway.baseUrl}/batches?limit=0`, { headers: gateway.headers });
  });
});

describe('with a list that names no assumption', () => {
  // @ts-expect-error It is unknown-cursor.
  test.override({ gatewayOptions: { strict: ['unknown-cursr'] } });

  test('fails: at once', ({ gateway: _ }) => {});
});

describe('printing', () => {
  test.override({ gatewayOptions: { strict: 'print' } });

  test('passes: it is told of', async ({ gateway }) => {
    await fetch(`${gateway.baseUrl}/batches?limit=0`, { headers: gateway.headers });
  });
});
