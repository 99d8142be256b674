// In an environment that stands in for a browser: it has a `fetch` of its own, or another `window`.
import { expect } from 'vitest';
import { test } from '../../src/vitest.ts';

test('the gateway answers', async ({ gateway }) => {
  expect(typeof document).toBe('object');
  expect((await fetch(`${gateway.baseUrl}/batches`, { headers: gateway.headers })).status).toBe(200);
});
