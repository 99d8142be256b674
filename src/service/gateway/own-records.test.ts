import { expect, test } from 'vitest';
import * as z from 'zod';
import { loadScenario } from '../../core/scenario/load.ts';
import type { OwnRecord } from '../../core/world/own-section.ts';
import type { RecordMethods } from '../control/control-interface.ts';
import type { Gateway } from './build-gateway.ts';
import { createGateway } from './create-gateway.ts';
import { defineCall } from './own-calls.ts';
import { defineRecords } from './own-records.ts';

const files = defineRecords({
  name: 'files',
  idPrefix: 'file_',
  fields: z.object({ name: z.string(), size: z.int().default(0), until: z.coerce.date().optional() }),
});
const notes = defineRecords({
  name: 'notes',
  idPrefix: 'note_',
  owner: { kind: 'threads', field: 'thread_id' },
});
const parts = defineRecords({ name: 'parts', idPrefix: 'part_', owner: { kind: 'files', field: 'file_id' } });
const open = (scenario: object = {}, ...calls: never[]) =>
  createGateway({
    calls: [parts, files, notes, ...calls],
    scenario: { threads: { a: {}, b: {} }, ...scenario },
  });
const ownOf = (gateway: Pick<Gateway, 'records'>) =>
  gateway.records.own as Record<'files' | 'notes' | 'parts' | 'file', RecordMethods<OwnRecord>>;

test('a definition that lacks something, or has the name of another kind, is refused', () => {
  const define = (changes: object) => () => defineRecords({ name: 'files', idPrefix: 'file_', ...changes });
  for (const name of [
    'runs',
    'run',
    'policies',
    'batch',
    'a b',
    '__proto__',
    '',
    'constructor',
    'call',
    'then',
  ])
    expect(define({ name })).toThrow('Failed to define the records');
  expect(define({ name: 'runs' })).toThrow("the name of one of the mock's own kinds");
  expect(define({ idPrefix: '../' })).toThrow('"idPrefix" must be letters');
  expect(define({ fields: {} })).toThrow('"fields" must be a schema of zod');
  expect(define({ owner: { kind: 'threads', field: 'id' } })).toThrow('a field, such as thread_id');
  const add =
    (...calls: ReturnType<typeof defineRecords>[]) =>
    () =>
      createGateway({ calls });
  expect(add(files, files)).toThrow('Failed to add the records "files": others have this name.');
  expect(add(notes, { ...parts, owner: { kind: 'runs', field: 'run_id' } })).toThrow(
    'Failed to add the records "parts": "runs" cannot own records. Kinds that can: policies, ',
  );
  expect(add(parts)).toThrow('"files" cannot own records');
});

test('records are created, listed, changed and deleted, as those of the contract are', async () => {
  const own = ownOf(open());
  const first = await own.files.create({ name: 'a', until: '2026-01-01' });
  const second = await own.files.create({ name: 'b', id: 'mine' });
  expect(first).toEqual({
    id: expect.stringMatching(/^file_\w{24}$/),
    name: 'a',
    size: 0,
    until: '2026-01-01T00:00:00.000Z',
  });
  expect(await own.files.list()).toEqual([second, first]);
  expect(await own.files.count({ search: 'MIN' })).toBe(1);
  expect(await own.files.update('mine', { size: 2 })).toEqual({ id: 'mine', name: 'b', size: 2 });
  await expect(own.files.update('mine', { size: 'x' })).rejects.toThrow(
    'size: expected a number, but found "x"',
  );
  await expect(own.files.create({ name: 'b', id: 'mine' })).rejects.toThrow('a record with this id exists');
  await own.files.deleteMany(['mine']);
  await expect(own.files.delete('mine')).rejects.toThrow(
    'Failed to delete the files record "mine": no such record.',
  );
  expect(own.file).toBeUndefined();
});

test('records are deleted with their owner, and there is none without it', async () => {
  const gateway = open({
    own: {
      notes: [
        { id: 'n1', thread_id: 'a' },
        { id: 'n2', thread_id: 'b' },
      ],
    },
  });
  const own = ownOf(gateway);
  await own.notes.create({ id: 'n3', thread_id: 'a', ends: 'x', after: 'y', created_at: -1 });
  expect((await own.notes.list({ thread_id: 'a' } as object)).map(({ id }) => id)).toEqual(['n1', 'n3']);
  await gateway.records.threads.delete('a');
  await gateway.records.threads.create({ id: 'a' });
  expect(await own.notes.list()).toEqual([{ id: 'n2', thread_id: 'b' }]);
  expect((await gateway.state.export()).own).toEqual({ notes: [{ id: 'n2', thread_id: 'b' }] });
  await expect(own.notes.create({})).rejects.toThrow('thread_id is missing: set it to the id of the thread');
  await expect(own.notes.create({ thread_id: 'c' })).rejects.toThrow('no such thread: "c"');
  await expect(own.parts.create({ file_id: 'f' })).rejects.toThrow('no such files record: "f"');
});

test('they belong to the session: saved, reset, undone, exported, imported and forked', async () => {
  const gateway = open({ own: { files: [{ id: 'f', name: 'a', ends: 'kept?' }] } });
  const own = ownOf(gateway);
  const names = async (records = own) => (await records.files.list({ order: 'asc' })).map(({ name }) => name);
  const start = await gateway.state.fingerprint();
  await own.files.update('f', { name: 'b' });
  await own.files.create({ name: 'c' });
  await gateway.state.save();
  expect(await gateway.state.changes()).toContainEqual({ path: 'own.files[f].name', from: 'a', to: 'b' });
  await gateway.sessions.create('fork', { session: 'default' });
  const fork = gateway.session('fork');
  expect(await names(ownOf(fork))).toEqual(['b', 'c']);
  await ownOf(fork).files.deleteMany((await own.files.list()).map(({ id }) => id));
  expect(await names()).toEqual(['b', 'c']);
  await gateway.state.undo({ to: 1 });
  expect(await gateway.state.fingerprint()).toBe(start);
  await gateway.state.restore();
  const exported = await gateway.state.export();
  await gateway.reset();
  expect(await names()).toEqual(['a']);
  await gateway.state.import(exported);
  expect([await names(), await gateway.state.export()]).toEqual([['b', 'c'], exported]);
  expect(await names(ownOf(gateway.session('new')))).toEqual(['a']);
});

test('a scenario is checked by the kinds that a gateway has, and kept where it has none', async () => {
  const own = {
    files: [{ id: 'f', size: 'x' }],
    others: [{ id: 'o', any: [1] }],
    notes: [{ id: 'n', thread_id: 'z' }],
  };
  expect(() => open({ own })).toThrow(
    /own\.files\[0\]: name: missing.*own\.files\[0\]: size: expected.*own\.notes\[0\]\.thread_id: no such thread: "z"/s,
  );
  expect((await createGateway({ scenario: { own } }).state.export()).own).toEqual(own);
  for (const broken of [
    { runs: [] },
    { a: [{}] },
    { a: [{ id: 'x' }, { id: 'x' }] },
    { a: {} },
    [],
    { 'a b': [] },
  ])
    expect(() => loadScenario({ own: broken } as never)).toThrow(/own/);
});

test('a schema must accept what it returns, and may return an object only', async () => {
  for (const fields of [
    z.looseObject({}).transform(() => 'text'),
    z.object({ a: z.string().transform(Number) }),
    z.object({ a: z.string().transform((text) => `${text}!`) }),
    z.object({ a: z.string().transform((a) => new Map([[a, a]])) }),
  ]) {
    const kind = defineRecords({ name: 'odd', idPrefix: 'odd_', fields });
    const gateway = createGateway({ calls: [kind] });
    await expect(gateway.records.own.odd?.create({ a: '1' })).rejects.toThrow(
      'does not accept what it returns',
    );
  }
});

test('what a call writes is one change, unless another one comes between', async () => {
  let wait = Promise.resolve();
  const write = defineCall({
    id: 'write',
    method: 'POST',
    path: '/write',
    handle: async (_call, { records }) => {
      const run = records.own.files?.create({ name: 'a' });
      await wait;
      records.own.files?.update(run?.id ?? '', { name: 'b' });
      records.batches.create({});
      return run ?? {};
    },
  });
  const gateway = open({}, write as never);
  const send = () =>
    gateway.fetch('http://a/v1/write', { method: 'POST', headers: { 'x-gateway-api-key': 'k' } });
  const before = await gateway.state.fingerprint();
  await send();
  expect((await gateway.state.history()).changes).toHaveLength(1);
  await gateway.state.undo();
  expect(await gateway.state.fingerprint()).toBe(before);
  let go = () => {};
  wait = new Promise((resolve) => {
    go = resolve;
  });
  const arrived = gateway.requests.wait({ operation: 'write' }, { until: 'arrival', from: 'now' });
  const sent = send();
  await arrived;
  await gateway.clock.advance(1);
  go();
  await sent;
  expect((await gateway.state.history()).changes).toHaveLength(3);
  await gateway.state.undo();
  expect(await ownOf(gateway).files.list()).toMatchObject([{ name: 'a' }]);
});
