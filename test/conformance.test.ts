import { expect, test } from 'vitest';
import { describeFaces } from './faces.ts';

describeFaces('the default scenario', {}, ({ getJson }) => {
  test('lists the runs of a thread', async () => {
    const page = await getJson('/threads/thread_demo/runs');
    expect(page.data).toHaveLength(20);
    expect(page.has_more).toBe(true);
  });
});
