import { expect, test } from 'vitest';
import { fillPath } from './paths.ts';

test('a parameter is percent-encoded into the path', () => {
  expect(fillPath('/threads/{thread_id}/runs', { thread_id: 'a/b $& c' })).toBe(
    '/threads/a%2Fb%20%24%26%20c/runs',
  );
});
