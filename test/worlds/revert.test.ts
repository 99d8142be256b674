// `records.*.revert`: back to what the scenario makes of a record.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGateway } from '../../src/index.ts';
import type { Control } from '../../src/service/control/control-interface.ts';
import { openGateway } from '../support/open-gateway.ts';
import { callsOf, readWorld, smallScenario } from '../support/read-world.ts';
import { volume } from '../support/settings.ts';
import { anyChanges, change } from '../support/worlds-changes.ts';

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

/** Ways to a world of the same state, whose own scenario does not have what was deleted. */
const detours: readonly ((control: Control) => Promise<unknown>)[] = [
  ({ state }) => state.save().then(() => state.restore()),
  ({ clock, state }) => clock.advance(1).then(() => state.undo()),
];

test('in any state, a record is reverted as it is where the state was reached', async () => {
  const kinds = ['threads', 'runs', 'batches', 'jobs', 'checkpoints', 'policies', 'prompts'] as const;
  const start = openGateway({ scenario: smallScenario }).gateway.records;
  const ids = await Promise.all(
    kinds.map(async (kind) => (await start[kind].list()).map(({ id }) => ({ kind, id }))),
  );
  await fc.assert(
    fc.asyncProperty(
      anyChanges,
      fc.array(fc.constantFrom(...ids.flat()), { minLength: 1, maxLength: 8 }),
      async (steps, reverted) => {
        const read = async (further: (control: Control) => Promise<unknown> = async () => {}) => {
          const opened = openGateway({ scenario: smallScenario });
          await change(opened.gateway, steps);
          for (const { kind, id } of reverted) {
            await further(opened.gateway);
            await opened.gateway.records[kind].revert(id).catch(String);
          }
          await further(opened.gateway);
          return [readWorld(opened, await callsOf(opened.gateway)), await opened.gateway.state.export()];
        };
        const expected = await read();
        for (const detour of detours) expect(await read(detour)).toEqual(expected);
      },
    ),
    { numRuns: volume(40, 2) },
  );
});

test('a run of a thread that was deleted and created again is back', async () => {
  const { records, state } = open();
  const [run] = await records.runs.list({ thread_id: 't' });
  const { id = '' } = run ?? {};
  await records.threads.delete('t');
  await records.threads.create({ id: 't' });
  await records.threads.revert('t'); // it is there, so it keeps its runs: none
  expect(await records.runs.count({ thread_id: 't' })).toBe(0);
  expect(await records.runs.revert(id)).toEqual(run);
  await state.save();
  await state.restore();
  expect(await records.runs.list({ thread_id: 't' })).toEqual([run]);
});

test('a run whose id another thread uses now cannot be reverted', async () => {
  const { records } = open();
  const [run] = await records.runs.list({ thread_id: 't' });
  const { id = '' } = run ?? {};
  await records.runs.delete(id);
  await records.runs.create({ id, thread_id: 'other' });
  await expect(records.runs.revert(id)).rejects.toThrow('a run of another thread has this id');
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
