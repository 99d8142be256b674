// Many tests at a time, each of which changes its world and finds its own changes alone.
import { getResponse } from 'msw';
import { describe, expect } from 'vitest';
import { test } from '../../src/vitest.ts';

const names = Array.from({ length: 12 }, (_, index) => index + 1);

describe.concurrent('each has a world of its own', () => {
  test.for(names)('test %i', async (count, { gateway }) => {
    const list = async (): Promise<number> => {
      const url = `${gateway.baseUrl}/threads/thread_empty/runs?limit=50`;
      const page = await (await fetch(url, { headers: gateway.headers })).json();
      return page.data.length;
    };
    expect(await gateway.requests.count()).toBe(0);
    expect((await gateway.clock.now()).now).toBe('2026-01-15T12:00:00.000Z');
    await gateway.clock.advance(count);
    for (let made = 0; made < count; made += 1) {
      await gateway.records.runs.create({ thread_id: 'thread_empty' });
      expect(await list()).toBe(made + 1);
      await new Promise((resolve) => setTimeout(resolve, (count * 7) % 10));
    }
    expect(await gateway.requests.count({ operation: 'listRuns', status: 200 })).toBe(count);
    expect((await gateway.clock.now()).now).toBe(`2026-01-15T12:00:${String(count).padStart(2, '0')}.000Z`);
    expect(await gateway.sessions.list()).toEqual(['default']);
  });
});

/** All but the identity of the world. */
const headersOf = (response: Response) =>
  [...response.headers].filter(([name]) => !/^x-mock-world/.test(name));

test('the bytes do not tell which test they are for', async ({ gateway }) => {
  const { createGateway } = await import('../../src/index.ts');
  const { baseUrl, headers } = gateway;
  const reply = await fetch(`${baseUrl}/batches?limit=2`, { headers });
  const request = new Request(`${baseUrl}/batches?limit=2`, { headers });
  const other = await getResponse([...createGateway().handlers], request);
  expect(headersOf(reply)).toEqual(headersOf(other ?? new Response()));
  expect(await reply.text()).toBe(await other?.text());
});
