// What clients write into worlds has one bound for all sessions together.
import { expect, test } from 'vitest';
import type { Control } from '../../src/control/control.ts';
import { openServer } from '../support/open-gateway.ts';
import { keys } from '../support/transports.ts';

const text = 'x'.repeat(90_000);
const prompt = (id: string, content = text) => ({
  id,
  versions: [{ version: 1, messages: [{ role: 'user', content }] }],
});
const open = () => openServer({ journalMemory: 2 }); // half of it is for worlds

test.each<[string, (control: Control, at: number) => Promise<unknown>]>([
  ['faults', ({ faults }, at) => faults.add(`listRuns header.x=${at}${text}: 500`)],
  ['records', ({ records }, at) => records.prompts.create(prompt(`p${at}`))],
  ['scenarios', ({ sessions }, at) => sessions.create(`s${at}`, { scenario: { description: text } })],
  [
    'many small values',
    ({ sessions }, at) =>
      sessions.create(`s${at}`, {
        scenario: { keys: { valid: Array.from({ length: 1000 }, (_, key) => `${key}`) } },
      }),
  ],
  ['seeded records', ({ sessions }, at) => sessions.create(`s${at}`, { scenario: { batches: 230 } })],
  [
    'imports',
    ({ sessions }, at) => sessions.create(`s${at}`, { scenario: { threads: { t: { runs: 230 } } } }),
  ],
])('is bounded for all sessions together: %s', async (_name, write) => {
  const { session } = await open();
  let written = 0;
  const fill = async () => {
    for (; written < 50; written += 1) await write(session(`w${written}`), written);
  };
  await expect(fill()).rejects.toThrow(/takes [\d.]+ MB, but .* of at most 1\.0 MB\. Delete sessions/);
  expect(written).toBeGreaterThan(5);
  await expect(session('other').records.batches.create({})).resolves.toBeDefined(); // it is small
});

test('is refused over HTTP with 429, and what exists stays', async () => {
  const { adminUrl, session } = await open();
  const { scenario, faults } = session('a');
  await scenario.load({ description: 'x'.repeat(950_000) });
  const reply = await fetch(`${adminUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-mock-session': 'a' },
    body: JSON.stringify({ faults: ['listRuns: 500', `listRuns header.x=${text}: 500`] }),
  });
  expect(reply.status).toBe(429);
  expect((await reply.json()).error.message).toContain('Failed to call faults.add: it takes 0.1 MB');
  expect(await faults.list()).toEqual([]);
  await faults.add('listRuns: 500');
  await session('a').reset();
});

test.each<[string, (control: Control) => Promise<unknown>]>([
  ['a deleted session', ({ sessions }) => sessions.delete('a')],
  ['a session that is created again', ({ sessions }) => sessions.create('a')],
  ['another scenario', ({ scenario }) => scenario.load('default')],
  ['a reset', ({ reset }) => reset()],
  [
    'deleted records',
    async ({ records }) => {
      for (const id of ['p0', 'p1', 'p2']) await records.prompts.delete(id);
    },
  ],
])('gives its room back: %s', async (_name, free) => {
  const { session } = await open();
  const { records } = session('a');
  for (let at = 0; at < 9; at += 1) await records.prompts.create(prompt(`p${at}`));
  const more = () => session('b').records.prompts.create(prompt('more', text.repeat(3)));
  await expect(more()).rejects.toThrow('Failed to call records.prompts.create: it takes 0.3 MB');
  await free(session('a'));
  await expect(more()).resolves.toBeDefined();
});

test('counts once what is written over and over', async () => {
  const { records, faults } = await open();
  await records.prompts.create(prompt('p'));
  for (let at = 0; at < 30; at += 1) {
    await records.prompts.update('p', Object.assign({}, prompt('p'))); // the same
    await faults.add(`listRuns header.x=${text}: 500`);
    await faults.clear();
  }
});

test.each<[string, number, (control: Control, at: number) => Promise<unknown>]>([
  [
    "copies of a session with a client's scenario",
    20_000,
    async ({ scenario, sessions }, at) => {
      await scenario.load({ batches: 200 });
      await sessions.create(`c${at}`, { session: `w${at}` });
    },
  ],
  [
    'copies of a session with a changed list',
    10_000,
    async ({ records, sessions }, at) => {
      await records.batches.create({});
      await sessions.create(`c${at}`, { session: `w${at}` });
    },
  ],
  ['changes of long lists', 20_000, ({ records }) => records.batches.create({})],
  [
    'deletions from long lists',
    20_000,
    async ({ records }) => {
      const [last] = await records.batches.list({ limit: 1 });
      await records.batches.delete(last?.id ?? '');
    },
  ],
])('counts the records that are no longer shared: %s', async (_name, batches, write) => {
  const { session } = await openServer({ journalMemory: 2, scenario: { batches } });
  let written = 0;
  const fill = async () => {
    for (; written < 50; written += 1) await write(session(`w${written}`), written);
  };
  await expect(fill()).rejects.toThrow(/takes [\d.]+ MB, but .* of at most 1\.0 MB\. Delete sessions/);
  expect(written).toBeGreaterThan(3);
});

test.each<[string, (control: Control, at: number) => Promise<unknown>]>([
  ['copies of sessions', ({ sessions }, at) => sessions.create(`c${at}`, { session: `c${at - 1}` })],
  [
    'restored states',
    async ({ state }) => {
      await state.save();
      await state.restore();
    },
  ],
])("does not count the server's records that they share: %s", async (_name, write) => {
  const { session, sessions, baseUrl } = await openServer({
    journalMemory: 2,
    scenario: { threads: { t: { runs: 50_000 } } },
  });
  await sessions.create('c-1', { session: 'default' });
  for (let at = 0; at < 50; at += 1) await write(session(`w${at}`), at);
  const read = async (name: string) =>
    (await fetch(`${baseUrl}/threads/t/runs`, { headers: { ...keys, 'x-mock-session': name } })).text();
  expect(await read('c49')).toBe(await read('default'));
});

test('counts once what is saved and restored over and over', async () => {
  const { records, state } = await open();
  await records.prompts.create(prompt('p'));
  for (let at = 0; at < 30; at += 1) {
    await state.save();
    await state.restore();
  }
});
