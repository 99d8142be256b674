import { describe, expect, test } from 'vitest';
import { openGateway } from '../../test/support/open-gateway.ts';
import { readWorld } from '../../test/support/read-world.ts';
import type { Entry } from './entry.ts';
import { Journal, maxIds } from './journal.ts';

const scenario = { batches: 3, threads: { thread_a: { runs: 2 } } };

const open = (journal?: number) => openGateway({ scenario, journal });

const tags = async ({ gateway }: ReturnType<typeof open>, session?: string) => {
  const { requests } = session === undefined ? gateway : gateway.session(session);
  return (await requests.list()).map(({ query }) => query.tag);
};

const sendTags = ({ send }: ReturnType<typeof open>, from: number, to: number, session?: string) => {
  for (let tag = from; tag <= to; tag += 1) send({ path: `/batches?tag=${tag}`, session });
};

describe('the ring', () => {
  test('of three keeps the last three, oldest first', async () => {
    const worlds = open(3);
    for (const [from, to, kept] of [
      [1, 2, ['1', '2']],
      [3, 3, ['1', '2', '3']],
      [4, 4, ['2', '3', '4']],
      [5, 11, ['9', '10', '11']],
    ] as const) {
      sendTags(worlds, from, to);
      expect(await tags(worlds)).toEqual(kept);
    }
    expect(await worlds.gateway.requests.count()).toBe(3);
    await worlds.gateway.requests.clear();
    sendTags(worlds, 12, 15);
    expect(await tags(worlds)).toEqual(['13', '14', '15']);
  });

  test('of one keeps the last one', async () => {
    const worlds = open(1);
    sendTags(worlds, 1, 5);
    expect(await tags(worlds)).toEqual(['5']);
  });

  test('keeps a thousand where nothing is said', async () => {
    const worlds = open();
    sendTags(worlds, 1, 1003);
    const kept = await tags(worlds);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1000, '4', '1003']);
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1_000_001, '3', null])(
    'of %s is refused',
    (journal) => {
      expect(() => open(journal as number)).toThrow(
        `Failed to create the gateway: journal must be a whole number from 0 to 1000000, but found ${journal}.`,
      );
    },
  );
});

describe('a journal that is off', () => {
  test('says so to whoever asks, and every call is answered all the same', async () => {
    const worlds = open(0);
    const { requests } = worlds.gateway;
    expect(worlds.send({ path: '/batches' }).status).toBe(200);
    expect(worlds.send({ path: '/nothing' }).status).toBe(404);
    for (const ask of [
      requests.list,
      requests.count,
      requests.wait,
      () => requests.walk('listBatches'),
    ] as const)
      await expect(ask()).rejects.toThrow(/^Failed to .*: the journal is off \(journal: 0\)\.$/);
    await requests.clear();
  });

  test('answers the same bytes as one that is on', () => {
    const calls = ['/batches', '/nothing', '/threads/thread_a/runs?limit=x'].map((path) => ({ path }));
    expect(readWorld(open(0), calls)).toEqual(readWorld(open(10), calls));
  });
});

describe('what was kept goes', () => {
  test.each([
    ['requests.clear', (worlds: ReturnType<typeof open>) => worlds.gateway.requests.clear()],
    ['reset', (worlds: ReturnType<typeof open>) => worlds.gateway.reset()],
    ['scenario.load', (worlds: ReturnType<typeof open>) => worlds.gateway.scenario.load('empty')],
    ['state.restore', (worlds: ReturnType<typeof open>) => worlds.gateway.state.restore()],
    [
      'state.import',
      async (worlds: ReturnType<typeof open>) =>
        worlds.gateway.state.import(await worlds.gateway.state.export()),
    ],
  ] as const)('by %s, in its own session alone', async (_name, act) => {
    const worlds = open();
    await worlds.gateway.state.save();
    sendTags(worlds, 1, 3);
    sendTags(worlds, 1, 2, 'other');
    await act(worlds);
    expect(await worlds.gateway.requests.list()).toEqual([]);
    expect(await tags(worlds, 'other')).toEqual(['1', '2']);
    sendTags(worlds, 4, 4);
    expect(await tags(worlds)).toEqual(['4']);
  });

  test.each([
    ['a scenario that has a mistake', { batches: -1 }],
    ['a scenario that nobody knows', 'defualt'],
  ])('not by %s', async (_what, mistaken) => {
    const worlds = open();
    sendTags(worlds, 1, 2);
    await expect(worlds.gateway.scenario.load(mistaken)).rejects.toThrow();
    await expect(worlds.gateway.state.restore('nobody')).rejects.toThrow();
    expect(await tags(worlds)).toEqual(['1', '2']);
  });

  test('not by a fork: that begins with none, and the first one keeps its own', async () => {
    const worlds = open();
    sendTags(worlds, 1, 2, 'first');
    await worlds.gateway.sessions.create('fork', { session: 'first' });
    expect(await tags(worlds, 'fork')).toEqual([]);
    expect(await tags(worlds, 'first')).toEqual(['1', '2']);
  });
});

test('each session has a journal of its own', async () => {
  const worlds = open(2);
  sendTags(worlds, 1, 3);
  sendTags(worlds, 4, 6, 'a');
  sendTags(worlds, 7, 7, 'b');
  expect([await tags(worlds), await tags(worlds, 'a'), await tags(worlds, 'b')]).toEqual([
    ['2', '3'],
    ['5', '6'],
    ['7'],
  ]);
});

describe('the room of a journal', () => {
  const entry = (body: number, ids: number): Entry => ({
    time: 0,
    call: { method: 'GET', path: '/v1/batches', query: '' },
    headers: {},
    body: body === 0 ? null : new Uint8Array(body),
    trace: { operation: 'listBatches', page: { ids: Array(ids).fill('batch_1'), has_more: false } },
    status: 200,
    replyHeaders: {},
    replyBody: 'x'.repeat(body),
    assumptions: [],
    duration: 0,
  });
  const add = (journal: Journal, count: number, body: number, ids: number): void => {
    for (let added = 0; added < count; added += 1) journal.add(entry(body, ids));
  };

  test.each([1, 2, 7, 100])(
    'is a million for bodies, of which the last ones stay, in a ring of %i',
    (size) => {
      const journal = new Journal(size);
      add(journal, 250, 100_000, 1);
      const kept = journal.list().map(({ body, replyBody }) => body !== null && replyBody !== null);
      expect(kept).toHaveLength(size);
      expect(kept.filter(Boolean)).toHaveLength(Math.min(size, 5)); // of 200,000 each
      expect(kept.slice(-5)).not.toContain(false);
      add(journal, size, 0, 1); // those that had none leave room for later ones
      add(journal, size, 100_000, 1);
      expect(journal.list().at(-1)?.body).not.toBeNull();
    },
  );

  test('holds no body that is larger than all of it', () => {
    const journal = new Journal(10);
    add(journal, 3, 10, 0);
    add(journal, 1, 1_000_000, 0);
    expect(journal.list().map(({ replyBody }) => replyBody)).toEqual([null, null, null, null]);
    add(journal, 1, 10, 0);
    expect(journal.list().at(-1)?.replyBody).toBe('xxxxxxxxxx');
  });

  test('is bounded for the ids of pages, and a page that it let go of is known as such', () => {
    const journal = new Journal(10);
    add(journal, 5, 0, maxIds / 4);
    expect(journal.list().map(({ isPageLost }) => isPageLost ?? false)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    add(journal, 10, 0, 1);
    expect(journal.list().map(({ isPageLost }) => isPageLost ?? false)).not.toContain(true);
    journal.clear();
    add(journal, 4, 0, maxIds / 4);
    expect(journal.list().every(({ trace }) => trace.page?.ids.length === maxIds / 4)).toBe(true);
  });
});
