import { expect, test } from 'vitest';
import { describeTransports } from '../../../test/support/transports.ts';
import { defineCall } from './own-calls.ts';

const items = Array.from({ length: 45 }, (_, index) => ({
  id: `item_${45 - index}`,
  created_at: 45 - index,
}));
const ids = items.map(({ id }) => id);

const calls = [
  defineCall({
    id: 'listItems',
    method: 'GET',
    path: '/items',
    handle: ({ query }, { page }) => page(items, query),
  }),
  defineCall({
    id: 'listOf',
    method: 'GET',
    path: '/of/{kind}',
    handle: async ({ query, params: { kind } }, { page }) =>
      page(kind === 'none' ? [] : ([{}] as never), { ...query }),
  }),
];

describeTransports("pages of a list of a user's own", { calls }, ({ call, getJson, control }) => {
  const idsOf = async (query: string): Promise<string[]> =>
    (await getJson(`/items${query}`)).data.map(({ id }: { readonly id: string }) => id);

  test("have the cursors, orders and ends of the contract's lists", async () => {
    await control().reset();
    expect(await getJson('/items')).toEqual({
      object: 'list',
      data: items.slice(0, 20),
      first_id: 'item_45',
      last_id: 'item_26',
      has_more: true,
    });
    expect(await idsOf('?after=item_26&limit=100')).toEqual(ids.slice(20));
    expect((await getJson('/items?after=item_26&limit=25')).has_more).toBe(false);
    expect(await idsOf('?before=item_40&limit=2')).toEqual(['item_42', 'item_41']);
    expect(await idsOf('?order=asc&limit=2&after=item_1&purpose=mine')).toEqual(['item_2', 'item_3']);
    expect(await getJson('/of/none')).toEqual({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
  });

  test.each([
    ['?limit=0', 'limit', 400],
    ['?limit=1&limit=2', 'limit', 400],
    ['?after=item_none', 'after', 404],
    ['?before=item_none', 'before', 404],
  ])("%s is refused as in the contract's lists, with the param %s", async (query, param, status) => {
    const reply = await call(`/items${query}`);
    expect([reply.status, (await reply.json()).error.param]).toEqual([status, param]);
  });

  test('are walked to the end, and walks see what a page fault does', async () => {
    const walk = async () => {
      const seen: string[] = [];
      let cursor = '';
      for (let pages = 0; pages < 9; pages += 1) {
        const { data, has_more } = await getJson(`/items?limit=20${cursor}`);
        seen.push(...data.map(({ id }: { readonly id: string }) => id));
        if (!has_more || data.length === 0) break;
        cursor = `&after=${data.at(-1).id}`;
      }
      return seen;
    };
    await control().reset();
    await expect(control().requests.walk('listItems')).rejects.toThrow('is not a list');
    expect(await walk()).toEqual(ids);
    expect(await control().requests.walk('listItems')).toMatchObject({
      calls: 3,
      stopped: true,
      exactlyOnce: true,
    });
    expect(await control().requests.walks()).toMatchObject([
      { operation: 'listItems', stopped: true, missed: [] },
    ]);

    await control().requests.clear();
    await control().faults.add('listItems#2: repeat-record');
    expect(await walk()).toHaveLength(46);
    expect(await control().requests.walk('listItems')).toMatchObject({ repeated: ['item_26'] });
    expect(await control().faults.list()).toMatchObject([{ calls: 3, hits: 1 }]);
  });

  test('page faults that name the call act on its pages, and say why they cannot', async () => {
    const under = async (fault: string, query = '') => {
      await control().reset();
      await control().faults.add(`listItems: ${fault}`);
      const reply = await call(`/items${query}`);
      const [request] = await control().requests.list({}, { limit: 1 });
      return { ...(await reply.json()), status: reply.status, idle: request?.idleFaults[0]?.reason };
    };
    expect(await under('empty-page')).toMatchObject({ data: [], first_id: null, has_more: true });
    expect((await under('clamp-limit 3')).data).toHaveLength(3);
    expect((await under('cursor-loop', '?after=item_1')).data).toHaveLength(20);
    expect(await under('expire-cursor', '?after=item_9')).toMatchObject({
      status: 400,
      error: { code: 'cursor_expired' },
    });
    expect(await under('vanish-record', '?after=item_9')).toMatchObject({
      status: 404,
      error: { param: 'after' },
    });
    expect(await under('insert-records')).toMatchObject({
      idle: 'the records of a list of your own come from its call',
    });
    expect(await under('repeat-record')).toMatchObject({ idle: 'the call has no cursor' });
    expect(await control().faults.list()).toMatchObject([{ hits: 0 }]);
    await under('expire-cursor', '?after=item_9');
    expect(await control().faults.list()).toMatchObject([{ hits: 1 }]);
    await control().reset();
    await control().faults.add('listOf: empty-page', '*: empty-page');
    expect((await call('/of/broken')).status).toBe(500);
    expect(await control().faults.list()).toMatchObject([{ hits: 0, calls: 1 }, { calls: 0 }]);
  });
});
