import { describe, expect, test } from 'vitest';
import { entryWith as entry } from '../../../test/support/journal-entry.ts';
import { openGateway } from '../../../test/support/open-gateway.ts';
import { policy, policyId, scenarioUnder } from '../../../test/support/quota-scenarios.ts';
import type { Control } from '../../service/control/control-interface.ts';
import { Journal } from './journal.ts';
import { JournalMemory } from './journal-memory.ts';

const scenario = { batches: 3, threads: { thread_a: { runs: 2 } } };

const open = (journal?: number) => openGateway({ scenario, journal });

const tags = async ({ gateway }: ReturnType<typeof open>, session?: string) => {
  const { requests } = session === undefined ? gateway : gateway.session(session);
  return (await requests.list({}, { kept: true })).map(({ query }) => query.tag);
};

const sendTags = ({ send }: ReturnType<typeof open>, from: number, to: number, session?: string) => {
  for (let tag = from; tag <= to; tag += 1) send({ path: `/batches?tag=${tag}`, session });
};

test('the ring of three keeps the last three, oldest first', async () => {
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
  await worlds.gateway.requests.clear();
  sendTags(worlds, 12, 15);
  expect(await tags(worlds)).toEqual(['13', '14', '15']);
});

test('the lists of own calls: of more than are kept, the one that was read longest ago goes', () => {
  const journal = new Journal(2);
  for (const list of ['a', 'b', 'a', 'a', 'c']) journal.noteList(list, {}, []);
  expect(['a', 'b', 'c'].filter((list) => journal.hasOwnList(list))).toEqual(['a', 'c']);
  journal.clear();
  expect(journal.hasOwnList('a')).toBe(false);
});

test('a journal that is off says so to whoever asks, and every call is answered all the same', async () => {
  const { gateway, statuses } = open(0);
  const { requests } = gateway;
  expect(statuses(1)).toEqual([200]);
  for (const ask of [requests.list, requests.count, requests.wait, () => requests.walk('listBatches')])
    await expect(ask()).rejects.toThrow(/^Failed to .*: the journal is off \(journal: 0\)\.$/);
  await requests.clear();
});

describe('what was kept goes', () => {
  test.each<[name: string, act: (control: Control) => Promise<unknown>]>([
    ['requests.clear', ({ requests }) => requests.clear()],
    ['reset', ({ reset }) => reset()],
    ['scenario.load', (control) => control.scenario.load('empty')],
    ['state.restore', ({ state }) => state.restore()],
    ['state.import', async ({ state }) => state.import(await state.export())],
  ])('by %s, in its own session alone', async (_name, act) => {
    const worlds = open();
    await worlds.gateway.state.save();
    sendTags(worlds, 1, 3);
    sendTags(worlds, 1, 2, 'other');
    await act(worlds.gateway);
    expect(await worlds.gateway.requests.list()).toEqual([]);
    expect(await tags(worlds, 'other')).toEqual(['1', '2']);
    sendTags(worlds, 4, 4);
    expect(await tags(worlds)).toEqual(['4']);
  });

  test('not by a fork: that begins with none, and the first one keeps its own', async () => {
    const worlds = open();
    sendTags(worlds, 1, 2, 'first');
    await worlds.gateway.sessions.create('fork', { session: 'first' });
    expect(await tags(worlds, 'fork')).toEqual([]);
    expect(await tags(worlds, 'first')).toEqual(['1', '2']);
  });
});

/** Why it refuses what needs all requests. */
const refusalOf = (journal: Journal): string => {
  try {
    journal.refuseIfDropped('check');
    return '';
  } catch (error) {
    return String(error);
  }
};

describe('the memory of all journals', () => {
  const long = 'x'.repeat(9000); // with its entry, less than 10,000 bytes

  const open = (megabytes: number, count: number) => {
    const memory = new JournalMemory(megabytes);
    return Array.from({ length: count }, () => new Journal(1000, memory));
  };

  test('is taken from the one that has most, the oldest first, and never from a smaller one', () => {
    const [small, large] = open(0.2, 2) as [Journal, Journal];
    small.add(entry(long));
    for (let at = 0; at < 50; at += 1) large.add(entry(`${at}=${long}`));
    expect([small.list().length, refusalOf(small)]).toEqual([1, '']);
    const kept = large.list().map(({ query }) => Number(Object.keys(query)[0]));
    expect(kept.length).toBeGreaterThan(5);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 50 - kept.length + at));
    expect(large.list()[0]?.ordinal).toBe(51 - kept.length);
    expect(refusalOf(large)).toContain(`the oldest ${50 - kept.length} requests, since all journals share`);
  });

  test('is free again once a journal was cleared', () => {
    const [first, second] = open(0.2, 2) as [Journal, Journal];
    for (let at = 0; at < 9; at += 1) first.add(entry(long));
    first.clear();
    for (let at = 0; at < 9; at += 1) second.add(entry(long));
    expect([second.list().length, refusalOf(second)]).toEqual([9, '']);
    second.clear();
    expect(second.memory.used).toBe(0);
  });

  test('drops a request that is larger than all of it, and no smaller one of another session', () => {
    const [small, large] = open(0.2, 2) as [Journal, Journal];
    small.add(entry(long));
    large.add(entry('x'.repeat(200_000)));
    expect([small.length, large.length]).toEqual([1, 0]);
    expect(refusalOf(large)).toContain('the oldest 1 request,');
  });
});

test('a journal continues from what was stored, with the same numbers', () => {
  const first = new Journal(3);
  for (let at = 1; at <= 5; at += 1) first.add(entry(`n=${at}`));
  const second = new Journal(3);
  second.resume(JSON.parse(JSON.stringify(first.toStored(String))));
  expect(second.list()).toEqual(first.list().map((request) => ({ ...request })));
  for (const journal of [first, second]) journal.add(entry('n=6'));
  const numbers = (journal: Journal) => journal.list().map(({ ordinal, query }) => [ordinal, query.n]);
  expect(numbers(second)).toEqual([
    [4, '4'],
    [5, '5'],
    [6, '6'],
  ]);
  expect([numbers(first), refusalOf(first)]).toEqual([numbers(second), refusalOf(second)]);
});

test('a reply that is pending is stored as lost', () => {
  const journal = new Journal(3);
  const pending = entry('n=1');
  pending.settlement = undefined;
  journal.add(pending);
  expect(journal.toStored(String).requests.map(({ outcome }) => outcome)).toEqual(['lost']);
});

test('what needs a request that was dropped says so instead of answering without it', async () => {
  const worlds = open(3);
  sendTags(worlds, 1, 2);
  const { requests } = worlds.gateway;
  const [first] = await requests.list();
  sendTags(worlds, 3, 5);
  const message = expect.stringContaining(
    'the journal has dropped the oldest 2 requests, since it keeps the last 3 (journal,',
  );
  for (const ask of [
    () => requests.count(),
    () => requests.list({}, { limit: 4 }),
    () => requests.list({}, { limit: 2, offset: 2 }),
    () => requests.list({ status: 500 }, { limit: 1 }),
    () => requests.get(first?.id ?? ''),
    () => requests.walk('listBatches'),
    () => requests.wait({ status: 500 }, { timeout: 0 }),
  ])
    await expect(ask()).rejects.toMatchObject({ status: 410, message });
  const kept = await requests.list({}, { kept: true });
  expect(kept.map(({ query }) => query.tag)).toEqual(['3', '4', '5']);
  expect(await requests.list({}, { limit: 3 })).toEqual(kept);
  expect(await requests.count({}, { kept: true })).toBe(3);
  expect(await requests.list({}, { limit: 2, offset: 1 })).toEqual(kept.slice(0, 2));
  expect(await requests.list({}, { limit: 2, offset: 2, kept: true })).toEqual(kept.slice(0, 1));
  expect(await requests.list({}, { offset: 3, kept: true })).toEqual([]);
  expect(await requests.get(kept[2]?.id ?? '')).toEqual(kept[2]);
  expect(await requests.wait({}, { count: 3 })).toHaveLength(3);
});

test.each([
  ['journal', -1],
  ['journal', 1.5],
  ['journalMemory', 0],
  ['journalMemory', Number.NaN],
])('the option %s may not be %d', (name, value) => {
  expect(() => openGateway({ [name]: value })).toThrow(`The option "${name}" must be a `);
});

test('a request says by which machine time it came, and by which policy it was refused', async () => {
  const { gateway, send } = openGateway({
    scenario: scenarioUnder(policy(1, { name: 'Two a minute', value: 2 })),
  });
  const before = Date.now();
  for (let at = 0; at < 3; at += 1) send({ path: '/batches' });
  const [first, , refused] = await gateway.requests.list();
  expect(Date.parse(first?.receivedAt ?? '')).toBeGreaterThanOrEqual(before);
  expect(first?.refusal).toBeNull();
  expect(refused?.refusal).toEqual({
    assumption: 'quota-exceeded',
    quota: {
      policy: policyId(1),
      name: 'Two a minute',
      type: 'requests',
      limit: 2,
      used: 2,
      cost: 1,
      resets_at: '2026-01-15T12:01:00.000Z',
    },
  });
  await gateway.quotas.lift();
  send({ path: '/threads/nobody/runs' });
  expect((await gateway.requests.list()).at(-1)?.refusal).toEqual({
    assumption: 'unknown-thread',
    quota: null,
  });
});
