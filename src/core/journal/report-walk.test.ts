import { describe, expect, test } from 'vitest';
import { openGateway } from '../../../test/support/open-gateway.ts';

const complete = { stopped: true, exactlyOnce: true, missed: [], repeated: [], faults: [] };

describe('requests.walk', () => {
  const open = () =>
    openGateway({
      scenario: { batches: 5, threads: { thread_a: { runs: 3 }, thread_b: { runs: 2 }, none: {} } },
    });

  test('compares with the records that the list has now, of the requested owner', async () => {
    const { gateway, getJson } = open();
    const { data, last_id } = getJson('/threads/thread_a/runs?limit=2');
    getJson(`/threads/thread_a/runs?limit=2&after=${last_id}`);
    expect(await gateway.requests.walk('listRuns')).toEqual({ ...complete, calls: 2, records: 3 });
    await gateway.records.runs.create({ thread_id: 'thread_b' });
    expect(await gateway.requests.walk('listRuns')).toMatchObject({ exactlyOnce: true });
    const { id } = await gateway.records.runs.create({ thread_id: 'thread_a' });
    expect(await gateway.requests.walk('listRuns')).toMatchObject({ exactlyOnce: false, missed: [id] });
    await gateway.records.runs.delete(id);
    await gateway.records.runs.delete(data[0].id); // the client saw it while it was there
    expect(await gateway.requests.walk('listRuns')).toMatchObject({ exactlyOnce: true, records: 3 });
  });

  test('needs the owner if several lists were called', async () => {
    const { gateway, getJson } = open();
    getJson('/threads/thread_a/runs');
    getJson('/threads/thread_b/runs');
    await expect(gateway.requests.walk('listRuns')).rejects.toThrow(
      'several lists were called: {"thread_id":"thread_a"}, {"thread_id":"thread_b"}. Choose one',
    );
    const params = { thread_id: 'thread_b' };
    expect(await gateway.requests.walk('listRuns', { params })).toMatchObject({
      exactlyOnce: true,
      records: 2,
    });
  });

  test('of an empty list, of one that is not there, and of one that nobody walked', async () => {
    const { gateway, getJson } = open();
    getJson('/threads/none/runs');
    getJson('/threads/nobody/runs');
    const of = (thread_id: string) => gateway.requests.walk('listRuns', { params: { thread_id } });
    expect(await of('none')).toEqual({ ...complete, calls: 1, records: 0 });
    expect(await of('nobody')).toMatchObject({ calls: 1, stopped: false, records: 0 });
    await expect(of('thread_a')).rejects.toThrow('it was not called');
    await expect(gateway.requests.walk('listBatches')).rejects.toThrow(
      'it was not called. requests.list() shows the calls of this session.',
    );
  });
});

test('a refused call and a HEAD between two pages are no pages of the walk', async () => {
  const { gateway, send, getJson } = openGateway({ scenario: { batches: 4 } });
  const { last_id } = getJson('/batches?limit=2');
  send({ path: '/batches?limit=2', method: 'HEAD' });
  send({ path: '/batches?limit=2', headers: { 'x-gateway-virtual-key': undefined } });
  send({ path: '/batches?limit=2', method: 'OPTIONS' });
  getJson(`/batches?limit=2&after=${last_id}`);
  expect(await gateway.requests.walk('listBatches')).toEqual({ ...complete, calls: 3, records: 4 });
  const walks = await gateway.requests.walks();
  expect(walks.map(({ stopped, missed, pages }) => [stopped, missed, pages.length])).toEqual([[true, [], 2]]);
});
