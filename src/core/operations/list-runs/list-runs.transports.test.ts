import { expect, test } from 'vitest';
import { describeTransports } from '../../../../test/support/transports.ts';

describeTransports(
  'runs',
  { scenario: { threads: { thread_a: { runs: 45 }, thread_none: {} } } },
  ({ getJson, call }) => {
    test('are listed newest first, twenty a page', async () => {
      const page = await getJson('/threads/thread_a/runs');
      expect(page).toMatchObject({ object: 'list', has_more: true });
      expect(page.data).toHaveLength(20);
      expect(page.first_id).toBe(page.data[0].id);
      expect(page.last_id).toBe(page.data[19].id);
      expect(page.data.every((one: { thread_id: string }) => one.thread_id === 'thread_a')).toBe(true);
    });

    test('of a thread without any have the empty text at both ends, and the reply says so', async () => {
      const reply = await call('/threads/thread_none/runs');
      expect(await reply.json()).toEqual({
        object: 'list',
        data: [],
        first_id: '',
        last_id: '',
        has_more: false,
      });
      expect(reply.headers.get('x-mock-assumptions')).toBe('empty-run-ends');
    });

    test('before a cursor are those next to it, and the reply says so', async () => {
      const all = await getJson('/threads/thread_a/runs?limit=100');
      const reply = await call(`/threads/thread_a/runs?limit=5&before=${all.data[10].id}`);
      expect((await reply.json()).data).toEqual(all.data.slice(5, 10));
      expect(reply.headers.get('x-mock-assumptions')).toBe('before-page');
    });
  },
);
