// Undo and the history of a session.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import { limits } from '../../src/core/util/limits.ts';
import type { NamedCommand } from '../../src/service/control/command.ts';
import { allCommands } from '../../src/service/control/control.ts';
import type { Control } from '../../src/service/control/control-interface.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';
import { tries } from '../support/settings.ts';
import { anyChanges, change } from '../support/worlds-changes.ts';

// Real time stands still, so that a running clock shows the same time twice.
beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** Commands that write something, but are not changes to undo. */
const notUndone: Readonly<Record<string, string>> = {
  'requests.clear': 'it changes only the journal',
  'state.save': 'it changes only the saved states',
  'state.delete': 'it changes only the saved states',
  'state.undo': 'it is undo itself',
  'sessions.create': 'it changes other sessions, or begins this one again',
  'sessions.delete': 'it changes other sessions, or ends this one',
};

const undoable = allCommands.filter(({ name, isChange }) => isChange && !Object.hasOwn(notUndone, name));

/** The id of a policy is a uuid, which the examples do not have. */
const policyId = '11111111-1111-4111-8111-111111111111'; // that of the commands' examples

/** Calls a command with the input of its example. */
const run = ({ name, args, example: given }: NamedCommand, control: Control): Promise<unknown> => {
  const example: Readonly<Record<string, unknown>> = {
    ...given,
    ...(given.id === 'policy_1' && { id: policyId }),
    ...(String(given.ids) === 'policy_1' && { ids: [policyId] }),
    ...(name === 'records.prompts.create' && { fields: { messages: [{ role: 'user', content: 'Hi' }] } }), // a prompt is never seeded
  };
  const named = args.flatMap((arg) => (arg.startsWith('...') ? example[arg.slice(3)] : [example[arg]]));
  const method: unknown = name
    .split('.')
    .reduce((part: unknown, key) => Reflect.get(Object(part), key), control);
  return Reflect.apply(method as () => Promise<unknown>, control, named); // a command has a method of its name
};

/** It has the records that the examples name. */
const scenario: Scenario = {
  threads: { thread_demo: { runs: { queued: 2, completed: 1 }, records: [{ id: 'run_1' }] } },
  batches: { seeded: 4, records: [{ id: 'batch_1' }] },
  jobs: { ftjob_demo: { checkpoints: 2, records: [{ id: 'checkpoint_1' }] } },
  policies: { records: [{ id: policyId }] },
  prompts: { prompt_welcome: { messages: [{ role: 'user', content: 'Hi' }] } },
};

/** A gateway of which much has changed since its start. */
const openFull = async (): Promise<OpenGateway> => {
  const opened = openGateway({ scenario });
  const { records, state, faults, clock, quotas, assumptions } = opened.gateway;
  await records.batches.update('batch_1', { endpoint: '/v1/mine' });
  await records.runs.create({ thread_id: 'thread_demo' });
  await faults.add('listBatches#9000: reset', '*#9: 503');
  await quotas.enforce();
  await assumptions.set('unknown-cursor', 'empty-page');
  await clock.advance('1m');
  await clock.run(60);
  opened.statuses(3);
  await state.save();
  return opened;
};

const pages = [
  '/batches',
  '/threads/thread_demo/runs?limit=3',
  '/fine_tuning/jobs/ftjob_demo/checkpoints',
  `/policies/rate-limits/${policyId}`,
];
const readPages = ({ send }: OpenGateway) =>
  pages.map((path) => {
    const { headers, ...reply } = send({ path });
    return { ...reply, headers: { ...headers, 'x-mock-world': undefined } }; // each gateway has its own
  });
const readState = async ({ gateway: { state, faults, quotas, scenario } }: OpenGateway) => ({
  whole: JSON.stringify(await state.export()),
  faults: await faults.list(),
  quotas: await quotas.list(),
  scenario: await scenario.current(),
  changes: await state.changes(),
});

test('only what is listed here with its reason is not undone', () => {
  const named = allCommands.filter((command) => command.undoable === false).map(({ name }) => name);
  expect(named.sort()).toEqual(Object.keys(notUndone).sort());
});

/** The pages of a gateway of which nothing was undone: always the same ones. */
let untouched: ReturnType<typeof readPages> | undefined;

test.each(undoable.map((command) => [command.name, command] as const))(
  '%s is undone to the same bytes',
  async (name, command) => {
    const opened = await openFull();
    const { state } = opened.gateway;
    const before = await readState(opened);
    await run(command, opened.gateway);
    expect((await state.history()).changes.at(-1)?.what).toBe(name);
    await state.undo();
    expect(await readState(opened)).toEqual(before);
    untouched ??= readPages(await openFull());
    expect(readPages(opened)).toEqual(untouched);
  },
);

test('undo of any changes, with calls in between, returns to the former state, and no request id is used twice', () =>
  fc.assert(
    fc.asyncProperty(anyChanges, fc.array(fc.nat({ max: 3 })), async (steps, calls) => {
      const { gateway, statuses } = openGateway({ scenario: smallScenario });
      const exportState = async () => ({ ...(await gateway.state.export()), requests: 0 });
      const lastId = async () => (await gateway.state.history()).changes.at(-1)?.id ?? 0;
      const states: { readonly state: object; readonly change: number }[] = [];
      for (const [index, step] of steps.entries()) {
        states.push({ state: await exportState(), change: (await lastId()) + 1 });
        await change(gateway, [step]);
        statuses(calls[index] ?? 0);
      }
      for (const { state, change } of states.reverse()) {
        const { changes } = await gateway.state.history();
        if (change < (changes[0]?.id ?? Number.POSITIVE_INFINITY)) break; // it was dropped
        if (change <= (await lastId())) await gateway.state.undo({ to: change });
        expect(JSON.stringify(await exportState())).toBe(JSON.stringify(state));
        statuses(1);
      }
      const ids = (await gateway.requests.list()).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    tries(60),
  ));

test('undo keeps what calls did to faults and quotas', async () => {
  const { gateway, statuses } = openGateway({
    scenario: { policies: { records: [{ id: policyId, status: 'active' }] }, quotas: true },
  });
  await gateway.faults.add('listRuns: 503', 'listBatches#9: 503');
  statuses(2);
  await gateway.faults.update('fault_2', { off: true });
  await gateway.quotas.refill();
  statuses(3);
  await gateway.state.undo();
  await gateway.state.undo();
  expect(await gateway.faults.list()).toMatchObject([{ calls: 0 }, { id: 'fault_2', calls: 2 }]);
  expect((await gateway.faults.list())[1]).not.toHaveProperty('off');
  expect((await gateway.state.export()).quotas).toMatchObject({ used: [{ policy: policyId, used: 5 }] });
  await gateway.clock.advance('1m'); // to another window
  await gateway.quotas.refill();
  statuses(1);
  await gateway.state.undo();
  expect((await gateway.state.export()).quotas).toMatchObject({ used: [{ used: 1 }] });
});

test.each([
  ['insert-records 2', 6],
  ['vanish-record', 3],
])('undo keeps what a call with the fault %s did to records', async (kind, count) => {
  const { gateway, getPage } = openGateway({ scenario: { batches: { seeded: 4 } } });
  const { records, faults, state } = gateway;
  const [first] = await records.batches.list();
  await records.batches.update(first?.id ?? '', { endpoint: '/v1/mine' });
  await faults.add(`listBatches times=1: ${kind}`);
  getPage(`/batches?after=${getPage('/batches').data[1]?.id}`); // the fault acts on one of the two calls
  const ids = async () => (await records.batches.list()).map(({ id }) => id);
  const after = await ids();
  expect(after).toHaveLength(count);
  await state.undo();
  await state.undo();
  expect([await ids(), await records.batches.get(first?.id ?? '')]).toEqual([after, first]);
});

test('the history names each change, and what it is not', async () => {
  const { state, clock, faults, requests, records } = openGateway().gateway;
  expect(await state.history()).toEqual({ changes: [], dropped: 0 });
  await clock.advance('10m');
  await faults.add('*: 503');
  await expect(faults.add('nonsense')).rejects.toThrow();
  await state.save();
  await requests.clear();
  await records.batches.create({ metadata: { long: 'x'.repeat(300) } });
  const { changes } = await state.history();
  expect(changes.slice(0, 2)).toEqual([
    { id: 1, what: 'clock.advance', input: '{"by":"10m"}', at: '2026-01-15T12:00:00.000Z' },
    { id: 2, what: 'faults.add', input: '{"faults":["*: 503"]}', at: '2026-01-15T12:10:00.000Z' },
  ]);
  expect(changes[2]?.input).toHaveLength(201);
  expect(changes).toHaveLength(3);
});

test('undo leaves the journal, saved states and waits as they are', async () => {
  const { gateway, statuses } = openGateway();
  const { state, faults, requests } = gateway;
  await faults.add('*: 503');
  statuses(1);
  await state.save();
  await faults.clear();
  const wait = requests.wait({ operation: 'listBatches', count: 3 } as object);
  statuses(1);
  await state.undo();
  expect(await faults.list()).toMatchObject([{ fault: '*: 503', calls: 1 }]);
  expect(statuses(1)).toEqual([503]);
  expect(await wait).toHaveLength(3);
  const [, second, third] = await requests.list();
  expect(third?.id).not.toBe(second?.id); // calls are not undone
  expect((await requests.get(third?.id ?? ''))?.status).toBe(503);
  expect(await state.list()).toHaveLength(1);
  await gateway.reset();
  statuses(4);
  await state.undo();
  statuses(1);
  expect(new Set((await requests.list()).map(({ id }) => id)).size).toBe(5);
});

test('20 changes are undone, and the history says how many more there were', async () => {
  const { state, clock } = openGateway().gateway;
  const { now } = await clock.now();
  for (let count = 0; count < limits.changes + 3; count += 1) await clock.advance(1);
  const { changes, dropped } = await state.history();
  expect([changes.length, changes[0]?.id, dropped]).toEqual([limits.changes, 4, 3]);
  await expect(state.undo({ to: 3 })).rejects.toThrow('Older changes that were dropped: 3.');
  await state.undo({ to: 4 });
  expect(Date.parse((await clock.now()).now) - Date.parse(now)).toBe(3000);
  await expect(state.undo()).rejects.toThrow(
    'Failed to undo: no such change. Changes that can be undone: none.',
  );
});
