// What the methods of the control do, in process. That they are the same over HTTP: test/transports/control-arguments.test.ts.
import { expect, test } from 'vitest';
import { openGateway } from '../support/open-gateway.ts';

/** The control of a gateway, and calls of it. */
const open = () => {
  const { gateway: control, send } = openGateway();
  const listRuns = (query = '') => send({ path: `/threads/thread_demo/runs${query}` });
  return { control, listRuns };
};

test('the list of scenarios says how many records each defines, seeded and written out', async () => {
  const { control } = open();
  const counts = new Map((await control.scenario.list()).map((scenario) => [scenario.name, scenario.counts]));
  expect(counts.get('in-flight')).toMatchObject({ runs: 152, batches: 42, checkpoints: 5, prompts: 0 });
  expect(counts.get('batch-failures')).toMatchObject({ batches: 47 });
});

test('shows the scenario, loads another one, by name or as an object, and lists them', async () => {
  const { control, listRuns } = open();
  expect(await control.scenario.current()).toMatchObject({ name: 'default', seed: 42 });
  expect(await control.scenario.load('empty')).toMatchObject({ name: 'empty' });
  expect(listRuns().status).toBe(404);
  expect(await control.scenario.load({ seed: 7, threads: { thread_demo: { runs: 1 } } })).toMatchObject({
    name: 'inline',
    seed: 7,
  });
  expect(listRuns().status).toBe(200);
  expect((await control.scenario.list()).map(({ name }) => name)).toContain('in-flight');
});

test('moves to the next change, which the timeline foretells', async () => {
  const { control } = open();
  await control.scenario.load('in-flight');
  const [first] = await control.clock.timeline({ limit: 1 });
  const { now } = await control.clock.now();
  const next = first?.states.find(({ at }) => at > Date.parse(now) / 1000);
  const upcoming = await control.clock.upcoming();
  expect(Date.parse((await control.clock.next()).now) / 1000).toBe(next?.at);
  expect(await control.clock.now()).toMatchObject({ now: upcoming });
  const changed = first?.kind === 'runs' ? control.records.runs : control.records.batches;
  expect(await changed.get(first?.id ?? '')).toMatchObject({ status: next?.status });
  await control.scenario.load('empty');
  expect(await control.clock.timeline()).toEqual([]);
  expect(await control.clock.upcoming()).toBeUndefined();
  await expect(control.clock.next()).rejects.toThrow('no more changes are scheduled');
  await expect(control.clock.timeline({ limit: -1 })).rejects.toThrow();
});

test('renders a prompt without a call', async () => {
  const { control } = open();
  const { messages, missing } = await control.records.prompts.render('prompt_welcome', {});
  expect(messages[0]).toMatchObject({ role: 'system' });
  expect(missing.length).toBeGreaterThan(0);
  const variables = Object.fromEntries(missing.map((name) => [name, 'here']));
  expect((await control.records.prompts.render('prompt_welcome', variables)).missing).toEqual([]);
  expect((await control.records.prompts.render('prompt_versions@1')).messages).not.toEqual(
    (await control.records.prompts.render('prompt_versions@2')).messages,
  );
  expect(await control.requests.count()).toBe(0);
  expect((await control.assumptions.list()).filter(({ used }) => used > 0)).toEqual([]);
  await expect(control.records.prompts.render('nobody')).rejects.toThrow('no such prompt');
});

test('gets one request, and lists the last ones without bodies', async () => {
  const { control, listRuns } = open();
  for (const limit of [1, 2, 3]) listRuns(`?limit=${limit}`);
  const all = await control.requests.list();
  const last = all[2];
  expect(await control.requests.get(last?.id ?? '')).toEqual(last);
  expect(await control.requests.get('req_nobody')).toBeUndefined();
  const light = await control.requests.list({ operation: 'listRuns' }, { limit: 2, bodies: false });
  expect(light.map(({ id }) => id)).toEqual(all.slice(1).map(({ id }) => id));
  expect(light.map(({ reply }) => reply?.body)).toEqual([null, null]);
  expect(last?.reply?.body).toContain('"object":"list"');
});

test('pages and counts the records that match', async () => {
  const { control } = open();
  await control.state.import({
    threads: {
      thread_a: { runs: 30, records: [{ id: 'run_Found', status: 'failed' }] },
      thread_b: { runs: 20 },
    },
    batches: 0,
  });
  const { runs, threads } = control.records;
  const all = await runs.list();
  expect(await runs.count()).toBe(51);
  expect(await runs.count({ thread_id: 'thread_b' })).toBe(20);
  expect(await runs.list({ offset: 10, limit: 5 })).toEqual(all.slice(10, 15));
  expect(await runs.list({ after: all[4]?.id, offset: 2, limit: 1 })).toEqual(all.slice(7, 8));
  expect(await runs.list({ offset: 51 })).toEqual([]);
  expect((await runs.list({ search: 'N_FOU' })).map(({ id }) => id)).toEqual(['run_Found']);
  const failed = all.filter(({ status }) => status === 'failed');
  expect(await runs.list({ status: 'failed' })).toEqual(failed);
  expect(await runs.count({ status: 'failed', search: 'run_' })).toBe(failed.length);
  await control.clock.advance('100d');
  expect(await runs.count({ status: 'queued' })).toBe(0); // by now
  await expect(runs.count({ thread_id: 'thread_c' })).rejects.toThrow(
    'Failed to count the runs: no such thread: "thread_c". Did you mean "thread_',
  );
  const query = { status: 'failed' };
  await expect(threads.list(query)).rejects.toThrow('status');
});

test('finds the status of any number of records that have ended, and makes no more than 10,000 others', async () => {
  const { control } = open();
  const ended = { completed: 10_001, failed: 3 };
  await control.state.import({ threads: { thread_a: { runs: { ...ended, queued: 2 } } } });
  const { runs } = control.records;
  const failed = await runs.list({ status: 'failed' });
  expect(failed.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
  expect(await runs.count({ status: 'completed' })).toBe(10_001);
  expect(await runs.count({ status: 'queued' })).toBe(2);
  await control.clock.set(failed[0]?.created_at ?? 0); // it was only created then
  expect(await runs.count({ status: 'failed', search: failed[0]?.id ?? '' })).toBe(0);
  await control.state.import({ threads: { thread_a: { runs: { queued: 10_001 } } } });
  await expect(runs.list()).rejects.toThrow('Failed to list the runs: there are 10001. Set limit to 10000');
  await expect(runs.list({ status: 'queued', limit: 1 })).rejects.toThrow(
    'Failed to list the runs by status: 10001 records would have to be made',
  );
});

test('changes a fault or switches it off in its place, also in a saved state', async () => {
  const { control, listRuns } = open();
  const { faults, state } = control;
  await faults.add('listBatches#2: 503', 'listBatches: 500', '*: delay 1ms');
  const [first, second, third] = await faults.list();
  expect(await faults.update(second?.id ?? '', { fault: 'listRuns: 429', off: true })).toMatchObject({
    id: second?.id,
    unused: 'it is switched off',
    off: true,
  });
  listRuns();
  expect(await faults.list()).toEqual([
    first,
    { id: second?.id, fault: 'listRuns: 429', calls: 0, hits: 0, unused: 'it is switched off', off: true },
    { ...third, calls: 1, hits: 1, unused: null },
  ]);
  await state.import(await state.export());
  expect((await faults.list()).map(({ off }) => off)).toEqual([undefined, true, undefined]);
  const [, again] = await faults.list();
  const fault = 'listRuns: 500';
  expect(await faults.update(again?.id ?? '', { fault })).toMatchObject({ fault, off: true });
  expect(await faults.update(again?.id ?? '', { off: false })).not.toHaveProperty('off');
  listRuns();
  expect((await faults.list())[1]).toMatchObject({ hits: 1 });
  await faults.update(again?.id ?? '', { fault: '*: reset' });
  await state.undo();
  expect((await faults.list())[1]).toMatchObject({ fault, hits: 1 });
  expect(await faults.list()).toHaveLength(3);
  await expect(faults.update('fault_0', {})).rejects.toThrow('no such fault');
  await expect(faults.update(again?.id ?? '', { fault: 'nonsense' })).rejects.toThrow('nonsense');
});

test('a fault whose time has ended cannot begin again', async () => {
  const { faults } = open().control;
  for (const until of ['2020-01-01T00:00:00Z', '2026-01-15T12:00:00Z']) {
    const [past] = await faults.add(`listRuns until=${until}: 500`);
    expect(past).toMatchObject({ spent: true });
    await expect(faults.update(past?.id ?? '', { restart: true })).rejects.toThrow('its time has ended');
  }
});

test.each([
  ['batch', 'batches'],
  ['policy', 'policies'],
  ['run', 'runs'],
])('records.%s in JavaScript says records.%s', (singular, plural) => {
  const { records } = openGateway().gateway;
  expect(() => Reflect.get(records, singular)).toThrow(
    `records.${singular} does not exist. Use records.${plural}.`,
  );
  expect(Object.keys(records)).not.toContain(singular);
});
