// Own calls whose handlers fail.
import { describe, expect } from 'vitest';
import { defineCall } from '../../src/calls.ts';
import { type TestGateway, test } from '../../src/vitest.ts';

const route = { id: 'listTags', method: 'GET', path: '/tags' } as const;
const fail = (): never => {
  throw new Error('no tags yet');
};
const getTags = async ({ baseUrl, headers }: TestGateway) =>
  (await fetch(`${baseUrl}/tags`, { headers })).status;

describe('a handler that throws', () => {
  test.override({ gatewayOptions: { calls: [defineCall({ ...route, handle: fail })] } });

  test('it fails: The handlers of 1 own call of this test failed: … The call "listTags" threw an error: no tags yet … refuse(500', async ({
    gateway,
  }) => {
    expect(await getTags(gateway)).toBe(500);
  });
});

describe('an asynchronous handler that throws', () => {
  test.override({ gatewayOptions: { calls: [defineCall({ ...route, handle: async () => fail() })] } });

  test('it fails: The call "listTags" threw an error: no tags yet', async ({ gateway }) => {
    expect(await getTags(gateway)).toBe(500);
  });
});

describe('a handler that refuses', () => {
  const call = defineCall({ ...route, handle: (_, { refuse }) => refuse(500, 'no tags yet') });
  test.override({ gatewayOptions: { calls: [call] } });

  test('it passes', async ({ gateway }) => {
    expect(await getTags(gateway)).toBe(500);
  });
});
