import { expect, test } from 'vitest';
import { openGateway } from '../../../test/support/open-gateway.ts';
import type { RecordedWalk } from './walks.ts';

const open = (faults: string[] = []) => {
  const world = openGateway({ scenario: { batches: 6, threads: { thread_a: { runs: 4 } }, faults } });
  const ids = async () => (await world.gateway.records.batches.list()).map(({ id }) => id);
  const page = (after = '') => world.send({ path: `/batches?limit=2&after=${after}` });
  const walks = () => world.gateway.requests.walks();
  return { ...world, ids, page, walks };
};

/** A letter for each record: s, r or c. */
const strip = (walk: RecordedWalk | undefined) =>
  walk?.pages.map(({ status, records }) =>
    status === 200 ? records.map(({ state }) => state[0]).join('') : status,
  );

test('a walk has its pages, cursors and records, and says that it stopped', async () => {
  const { ids, page, walks } = open();
  const [, b, , d] = await ids();
  page();
  page(b);
  page(d);
  const [walk, ...others] = await walks();
  expect(others).toEqual([]);
  expect(strip(walk)).toEqual(['ss', 'ss', 'ss']);
  expect(walk).toMatchObject({ operation: 'listBatches', params: {}, client: '***', stopped: true });
  expect(walk?.pages.map(({ cursor, has_more, ordinal }) => [cursor, has_more, ordinal])).toEqual([
    [null, true, 1],
    [b, true, 2],
    [d, false, 3],
  ]);
  expect([walk?.missed, walk?.added]).toEqual([[], []]);
});

test('each client and each beginning is a walk of its own; a first page that failed is not', async () => {
  const { send, ids, page, walks } = open(['listBatches#1: 503']);
  page();
  page();
  page((await ids())[1]);
  send({ path: '/batches?limit=2', headers: { 'x-gateway-api-key': 'another-key-of-24-letters' } });
  page();
  expect((await walks()).map((walk) => [walk.client, strip(walk)])).toEqual([
    ['***', ['ss']],
    ['***ters', ['ss']],
    ['***', [503, 'ss', 'ss']],
  ]);
});

test('a poll is one entry with its number of times, and pushes no walk out of the list', async () => {
  const { send, ids, page, walks } = open();
  page();
  page((await ids())[1]);
  for (let time = 0; time < 25; time += 1) send({ path: '/threads/thread_a/runs?limit=2' });
  expect((await walks()).map(({ operation, pages, times }) => [operation, pages.length, times])).toEqual([
    ['listRuns', 1, 25],
    ['listBatches', 2, 1],
  ]);
});

test('of more polls than are listed, the latest are', async () => {
  const { send, walks } = open();
  for (let call = 0; call <= 21; call += 1)
    send({ path: '/batches', headers: { 'user-agent': `client-${call % 21}` } });
  const [latest, ...others] = await walks();
  expect([latest?.client, latest?.times, others.length]).toEqual(['*** client-0', 2, 19]);
});

test('records are repeated, missed, or came meanwhile', async () => {
  const { gateway, ids, page, walks } = open(['listBatches#2: reset']);
  const [a, b, c, d, e, f] = await ids();
  page();
  page(b); // reset
  page(a); // goes back by one
  await gateway.clock.advance('1h');
  const { id } = await gateway.records.batches.create({});
  page(d); // passes d by
  const [walk] = await walks();
  expect(strip(walk)).toEqual(['ss', null, 'rs', 'ss']);
  expect(walk?.pages[1]?.faults).toEqual(['listBatches#2: reset']);
  expect(walk?.pages.at(-1)?.records.map((record) => record.id)).toEqual([e, f]);
  expect([walk?.missed, walk?.added]).toEqual([[d], [id]]);
  expect(c).toBeDefined();
});

test.each(['desc', 'asc'])('a walk (%s) before its end has missed nothing behind it', async (order) => {
  const { send, walks } = open();
  send({ path: `/threads/thread_a/runs?limit=2&order=${order}` });
  expect((await walks())[0]).toMatchObject({ stopped: false, missed: [], added: [] });
});
