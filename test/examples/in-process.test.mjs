// A vitest suite in process: each test has a gateway of its own. Run it with: npx vitest run in-process.test.mjs

import { test } from 'gateway-mock/vitest';
import { expect } from 'vitest';

/** The code under test: all ids of a list, page by page, with one more try where the gateway is busy. */
const listAll = async (url, headers) => {
  const ids = [];
  for (let after = ''; ; after = ids.at(-1)) {
    let reply = await fetch(`${url}?limit=50&after=${after}`, { headers });
    if (reply.status === 503) reply = await fetch(`${url}?limit=50&after=${after}`, { headers });
    const { data, has_more } = await reply.json();
    ids.push(...data.map(({ id }) => id));
    if (!has_more) return ids;
  }
};

test('reads every batch exactly once', async ({ gateway }) => {
  const seen = await listAll(`${gateway.baseUrl}/batches`, gateway.headers);
  expect(await gateway.requests.walk('listBatches', { seen })).toMatchObject({
    exactlyOnce: true,
    stopped: true,
  });
});

test('gets over a busy gateway', async ({ gateway }) => {
  await gateway.faults.add('listBatches#2: 503');
  expect(await listAll(`${gateway.baseUrl}/batches`, gateway.headers)).toHaveLength(130);
  expect(await gateway.requests.count({ status: 503 })).toBe(1);
});

test('sees a run end', async ({ gateway }) => {
  const { id } = await gateway.records.runs.create({ thread_id: 'thread_demo', status: 'in_progress' });
  await gateway.records.runs.update(id, { status: 'completed' });
  const page = await (
    await fetch(`${gateway.baseUrl}/threads/thread_demo/runs`, { headers: gateway.headers })
  ).json();
  expect(page.data.find((run) => run.id === id).status).toBe('completed');
});
