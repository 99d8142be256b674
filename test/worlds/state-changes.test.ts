// `state.changes` lists every difference, and nothing else.
import { expect, test } from 'vitest';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import { createGateway } from '../../src/index.ts';

/** What changed in a world that started from a scenario. */
const changesOf = async (
  scenario: Scenario,
  change: (gateway: ReturnType<typeof createGateway>) => Promise<unknown>,
) => {
  const gateway = createGateway({ scenario });
  await change(gateway);
  return gateway.state.changes();
};

const pathsOf = async (...given: Parameters<typeof changesOf>): Promise<string[]> =>
  (await changesOf(...given)).map(({ path }) => path);

test('of records that the scenario gives in part, only the one that was written differs', async () => {
  const changes = await changesOf({ batches: { records: [{ id: 'a' }, { id: 'b' }] } }, (gateway) =>
    gateway.records.batches.update('a', { endpoint: '/v1/changed' }),
  );
  expect(changes).toEqual([
    { path: 'batches.records[a].endpoint', from: expect.any(String), to: '/v1/changed' },
  ]);
});

test.each<[string, Scenario]>([
  ['of batches', { batches: { seeded: 2, records: [{ id: 'a' }], deleted: [] } }],
  ['of a thread', { threads: { t: { runs: 2, records: [{ id: 'r' }] } } }],
  ['of a job', { jobs: { j: { checkpoints: 2, records: [{ id: 'c' }] } } }],
  ['in the short form', { batches: 3, threads: { t: { runs: 3 } } }],
])('records %s that were only looked at are no difference', async (_title, scenario) => {
  expect(
    await pathsOf(scenario, async ({ records }) => {
      for (const kind of [records.batches, records.runs, records.checkpoints, records.threads])
        await kind.list();
    }),
  ).toEqual([]);
});

test('a created record is reported alone, whatever form the scenario has', async () => {
  for (const batches of [130, { completed: 130 }, { seeded: 130 }]) {
    const gateway = createGateway({ scenario: { batches } });
    const { id } = await gateway.records.batches.create({});
    expect((await gateway.state.changes()).map(({ path }) => path)).toEqual([`batches.records[${id}]`]);
  }
});

test('a deleted thread with records of its own is reported as one change', async () => {
  const threads = { t: { runs: 1, records: [{ id: 'r' }] }, other: { runs: 1 } };
  expect(await pathsOf({ threads }, ({ records }) => records.threads.delete('t'))).toEqual(['threads.t']);
  const again = await pathsOf({ threads }, async ({ records }) => {
    await records.threads.delete('t');
    await records.threads.create({ id: 't' });
    expect(await records.runs.list({ thread_id: 't' })).toEqual([]);
  });
  expect(again.every((path) => path.startsWith('threads'))).toBe(true);
});

test('of the ids that the scenario leaves out, none differs where another record was written', async () => {
  const [first, second] = await createGateway({
    scenario: { threads: { t: { runs: 3 } } },
  }).records.runs.list();
  const deleted = [first?.id ?? '', second?.id ?? ''].sort().reverse();
  for (const ids of [deleted, ['unknown']]) {
    const scenario = { threads: { t: { runs: 3, deleted: ids } } };
    const write = (gateway: ReturnType<typeof createGateway>) =>
      gateway.records.runs.create({ thread_id: 't', id: 'q' });
    expect(await pathsOf(scenario, write)).toEqual(['threads.t.records[q]']);
  }
});
