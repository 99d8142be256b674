// `records.*.revert`: back to what the scenario makes of a record.
import { expect, test } from 'vitest';
import { createGateway } from '../../src/index.ts';

const scenario = {
  batches: { seeded: 3, records: [{ id: 'batch_given', endpoint: '/v1/given' }] },
  threads: { t: { runs: { queued: 1, completed: 2 } }, other: { runs: 1 } },
  prompts: { p: { messages: [{ role: 'user', content: 'Hello' }] } },
};

const open = () => createGateway({ scenario });

test('a changed record is as before, and moves with the clock again', async () => {
  const [{ records, clock, state }, untouched] = [open(), open()];
  const [run] = await records.runs.list({ thread_id: 't', limit: 1 });
  const id = run?.id ?? '';
  expect(run?.status).toBe('queued');
  await records.runs.update(id, { metadata: { ...run?.metadata, mine: 'yes' } });
  expect(await state.changes()).toEqual([{ path: `threads.t.records[${id}].metadata.mine`, to: 'yes' }]);
  for (const one of [clock, untouched.clock]) await one.advance('1h');
  expect(await records.runs.get(id)).toMatchObject({ status: 'queued' });
  const reverted = await records.runs.revert(id);
  expect(reverted).toEqual(await untouched.records.runs.get(id));
  expect(reverted?.status).not.toBe('queued');
  expect(await records.runs.list()).toEqual(await untouched.records.runs.list());
  expect((await state.changes()).map(({ path }) => path)).toEqual(['clock.now']);
  expect((await state.export()).threads).toEqual((await untouched.state.export()).threads);
});

test.each(['batch_given', undefined])('a deleted record is back in its place: %s', async (given) => {
  const { records, state } = open();
  const before = await records.batches.list();
  const id = given ?? before[1]?.id ?? '';
  await records.batches.delete(id);
  expect(await state.changes()).toEqual([
    { path: `batches.records[${id}]`, from: before.find((batch) => batch.id === id) },
  ]);
  await records.batches.revert(id);
  expect(await records.batches.list()).toEqual(before);
  expect(await state.changes()).toEqual([]);
});

test('a deleted thread is back with its runs', async () => {
  const { records, state } = open();
  const before = await records.runs.list();
  const [first] = await records.runs.list({ thread_id: 't' });
  await records.runs.update(first?.id ?? '', { metadata: { a: 'b' } });
  await records.threads.delete('t');
  await records.threads.revert('t');
  expect(await records.runs.list()).toEqual(before);
  expect((await records.threads.list()).map(({ id }) => id).sort()).toEqual(['other', 't']);
  expect(await state.changes()).toEqual([]);
});

test('a thread that is there keeps the changes of its runs', async () => {
  const { records } = open();
  const { id } = await records.runs.create({ thread_id: 't' });
  await records.threads.revert('t');
  expect(await records.runs.get(id)).toBeDefined();
});

test('a prompt is as before', async () => {
  const { records, state } = open();
  await records.prompts.update('p', { messages: [{ role: 'user', content: 'Bye' }] });
  await records.prompts.revert('p');
  expect(await state.changes()).toEqual([]);
});

test('what was saved and restored since the start can be reverted, too', async () => {
  const { records, state } = open();
  const before = await records.batches.list();
  await records.batches.update('batch_given', { endpoint: '/v1/changed' });
  await records.batches.delete(before[2]?.id ?? '');
  await state.save();
  await state.restore();
  expect(await state.changes()).toHaveLength(2);
  await records.batches.revert('batch_given');
  await records.batches.revert(before[2]?.id ?? '');
  expect(await records.batches.list()).toEqual(before);
  expect(await state.changes()).toEqual([]);
});

test('one that was created since, or never was, cannot be reverted', async () => {
  const { records } = open();
  const { id } = await records.batches.create({});
  for (const wrong of [id, 'batch_nobody'])
    await expect(records.batches.revert(wrong)).rejects.toThrow(
      `Failed to revert the batch "${wrong}": its scenario has no such record.`,
    );
  expect(await records.batches.get(id)).toBeDefined();
});
