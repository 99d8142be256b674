// Runs twice in one process: what the first file leaves behind, the second one would find.
import { expect, test as plain } from 'vitest';
import { test } from '../../src/vitest.ts';

const shared = globalThis as { filesSoFar?: number; fetchBefore?: typeof fetch };
shared.filesSoFar = (shared.filesSoFar ?? 0) + 1;
shared.fetchBefore ??= fetch;

plain(`it is file ${shared.filesSoFar} of its process`, () => {});

plain('nothing intercepts before a test asks for the gateway', () => {
  expect(fetch).toBe(shared.fetchBefore);
});

test('the gateway answers', async ({ gateway }) => {
  expect(fetch).not.toBe(shared.fetchBefore);
  expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(200);
});
