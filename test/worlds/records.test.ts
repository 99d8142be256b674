import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchStates, runStates } from '../../src/core/assumptions/record-states.ts';
import { lastTimestamp } from '../../src/core/world/clock-limits.ts';
import { findBadTimestamps } from '../../src/core/world/record-schema.ts';
import type { RecordMethods } from '../../src/service/control/control-interface.ts';
import { openGateway } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';
import { tries } from '../support/settings.ts';

const open = () => openGateway({ scenario: smallScenario });

const message = { role: 'user', content: 'Hi {{name}}' };

/** For each kind: what makes a record, and what changes it. */
const samples = {
  threads: { given: {}, patch: {} },
  runs: { given: { thread_id: 'thread_a' }, patch: { instructions: 'Other ones.' } },
  batches: { given: {}, patch: { endpoint: '/v1/embeddings' } },
  jobs: { given: {}, patch: {} },
  checkpoints: { given: { fine_tuning_job_id: 'job_a' }, patch: { step_number: 7 } },
  policies: { given: {}, patch: { value: 12 } },
  prompts: { given: { messages: [message] }, patch: { messages: [message, message] } },
};

const kinds = Object.entries(samples).map(([name, sample]) => ({ name, ...sample }));

test('what need not apply within an object that is given is null where it is not given', async () => {
  const errors = { object: 'list', data: [{ code: 'invalid', message: 'No.' }] };
  const run = { thread_id: 'thread_a', truncation_strategy: { type: 'auto' } };
  const { gateway } = open();
  const batch = await gateway.records.batches.create({ status: 'failed', errors });
  expect(batch.errors?.data).toEqual([{ code: 'invalid', message: 'No.', param: null, line: null }]);
  expect((await gateway.records.runs.create(run)).truncation_strategy).toEqual({
    type: 'auto',
    last_messages: null,
  });
  const scenario = { batches: { records: [{ id: 'batch_a', status: 'failed', errors }] } };
  expect((await openGateway({ scenario }).gateway.records.batches.get('batch_a'))?.errors).toEqual(
    batch.errors,
  );
});

test.each(['job_a', 'job_b'])(
  'a new checkpoint of %s has a step between those of its neighbours in time',
  async (job) => {
    const { gateway } = open();
    const inJob = { fine_tuning_job_id: job, order: 'asc' } as const;
    const stepsOf = async () =>
      (await gateway.records.checkpoints.list(inJob)).map(({ step_number }) => step_number);
    const seeded = await stepsOf();
    const [oldest] = await gateway.records.checkpoints.list(inJob);
    await gateway.records.checkpoints.create({
      fine_tuning_job_id: job,
      created_at: oldest?.created_at ?? 0,
    });
    for (let count = 0; count < 2; count += 1)
      await gateway.records.checkpoints.create({ fine_tuning_job_id: job });
    const steps = await stepsOf();
    expect(steps).toHaveLength(seeded.length + 3);
    await gateway.clock.advance('30d');
    const later = await stepsOf();
    expect(later).toEqual([...new Set([...steps, ...later])].sort((a, b) => a - b));
  },
);

describe.each(kinds)('$name', ({ name, given, patch }) => {
  const openKind = () => {
    const { gateway } = open();
    // One suite for all kinds: each is given values of its own.
    return { gateway, kind: gateway.records[name as keyof typeof samples] as RecordMethods };
  };

  test('are made, changed, found, listed and taken out', async () => {
    const { kind } = openKind();
    const before = await kind.list();
    const made = await kind.create(given);
    expect(made).toMatchObject(given);
    expect(await kind.get(made.id)).toEqual(made);
    expect((await kind.list()).filter(({ id }) => id === made.id)).toEqual([made]);
    const changed = await kind.update(made.id, patch);
    expect(JSON.parse(JSON.stringify(changed))).toEqual({ ...made, ...patch });
    expect(await kind.get(made.id)).toEqual(changed);
    await kind.delete(made.id);
    expect(await kind.get(made.id)).toBeUndefined();
    expect(await kind.list()).toEqual(before);
  });

  test('are refused where the id is taken, unknown or changed', async () => {
    const { kind } = openKind();
    const { id } = await kind.create(given);
    await expect(kind.create({ ...given, id })).rejects.toThrow(`"${id}": a record with this id exists`);
    await expect(kind.update('nobody', patch)).rejects.toThrow('"nobody": no such record');
    await expect(kind.delete('nobody')).rejects.toThrow('"nobody": no such record');
    await expect(kind.update(id, { id: 'other' })).rejects.toThrow('id cannot be changed');
    expect(await kind.get('nobody')).toBeUndefined();
    expect(await kind.update(id, { id, ...patch })).toMatchObject({ id });
  });

  test('are copies: to change what was given or got changes no record', async () => {
    const { kind } = openKind();
    const values = structuredClone(given);
    const made = await kind.create(values);
    const before = structuredClone(made);
    for (const record of [made, ...(await kind.list()), await kind.get(made.id), values])
      Object.assign(record ?? {}, { id: 'other', created_at: 1, messages: [] });
    expect(await kind.get(before.id)).toEqual(before);
  });

  test('that were refused leave the world as it was, and use up no id', async () => {
    const [{ gateway, kind }, other] = [openKind(), openKind()];
    const { id } = await kind.create(given);
    expect((await other.kind.create(given)).id).toBe(id);
    const before = await gateway.state.export();
    const wrong = { created_at: 'now', object: 5, messages: 'x', nope: 1 };
    await expect(kind.update(id, { ...patch, ...wrong } as object)).rejects.toThrow('Failed to update');
    await expect(kind.create({ ...given, ...wrong } as object)).rejects.toThrow('Failed to create');
    expect(await gateway.state.export()).toEqual(before);
    expect(await kind.create(given)).toEqual(await other.kind.create(given));
  });
});

describe('values that are not given', () => {
  test('lie from 1970 to 9999, whenever it was created', async () => {
    const time = fc.oneof(fc.constantFrom(0, 5, lastTimestamp), fc.integer({ min: 0, max: lastTimestamp }));
    const states = fc.record({
      run: fc.constantFrom(undefined, ...runStates),
      batch: fc.constantFrom(...batchStates),
    });
    await fc.assert(
      fc.asyncProperty(time, states, async (created_at, { run, batch }) => {
        const { runs, batches } = open().gateway.records;
        const given = { thread_id: 'thread_a', created_at, ...(run && { status: run }) };
        expect(findBadTimestamps(await runs.create(given))).toEqual([]);
        expect(findBadTimestamps(await batches.create({ created_at, status: batch }))).toEqual([]);
      }),
      tries(100),
    );
  });

  test('change with the clock as those of a seeded record', async () => {
    const [queued] = await openGateway({ scenario: smallScenario }).gateway.records.runs.list({
      thread_id: 'thread_b',
    });
    const written = { id: queued?.id ?? '', metadata: { pinned: 'yes' } };
    const threads = { thread_b: { ...smallScenario.threads.thread_b, records: [written] } };
    const late = openGateway({ scenario: { ...smallScenario, threads } });
    const seeded = openGateway({ scenario: smallScenario });
    for (const { gateway } of [late, seeded]) await gateway.clock.advance('1h');
    const run = await seeded.gateway.records.runs.get(written.id);
    expect(await late.gateway.records.runs.get(written.id)).toEqual({ ...run, ...written });
  });
});

test('an id that is taken is passed over', async () => {
  const first = openGateway({ scenario: { threads: { thread_a: {} } } }).gateway;
  const { id } = await first.records.runs.create({ thread_id: 'thread_a' });
  const { gateway } = openGateway({ scenario: { threads: { thread_a: { records: [{ id }] } } } });
  const made = await gateway.records.runs.create({ thread_id: 'thread_a' });
  expect(made.id).not.toBe(id);
});

test('a record with an id of its own leaves the ids of later records as they are', async () => {
  const [one, other] = [openGateway().gateway, openGateway().gateway];
  await one.records.batches.create({ id: 'batch_own' });
  const next = await one.records.batches.create({});
  expect(next.id).toBe((await other.records.batches.create({})).id);
});

test('an expired batch of the first day of 1970 was not created before it', async () => {
  const { records } = openGateway({ scenario: { clock: { start: '1970-01-01T12:00:00Z' } } }).gateway;
  expect(await records.batches.create({ status: 'expired' })).toMatchObject({ created_at: 0 });
});

test('several records are changed or deleted together, or none of them', async () => {
  const { records, state } = open().gateway;
  const ids = (await records.runs.list({ thread_id: 'thread_a' })).map(({ id }) => id);
  const before = await state.export();
  expect(ids.length).toBeGreaterThan(1);
  await expect(records.runs.updateMany([...ids, 'run_none'], { status: 'failed' })).rejects.toThrow(
    'Failed to update the run "run_none": no such record.',
  );
  await expect(records.runs.deleteMany([...ids, 'run_none'])).rejects.toThrow(
    'Failed to delete the run "run_none": no such record.',
  );
  await expect(records.runs.setStatusMany([...ids, 'run_none'], 'failed')).rejects.toThrow(
    'Failed to set the status of the run "run_none": no such record.',
  );
  expect(await state.export()).toEqual(before);

  const changed = await records.runs.updateMany(ids, { instructions: 'Mine.' });
  expect(changed.map(({ id, instructions }) => [id, instructions])).toEqual(ids.map((id) => [id, 'Mine.']));
  expect(await Promise.all(ids.map((id) => records.runs.get(id)))).toEqual(changed);
  const failed = await records.runs.setStatusMany(ids, 'failed');
  expect(failed.every(({ status, failed_at }) => status === 'failed' && failed_at !== null)).toBe(true);
  await records.runs.deleteMany(ids);
  expect(await records.runs.count({ thread_id: 'thread_a' })).toBe(0);
  for (let change = 1; change <= 3; change += 1) await state.undo();
  expect(await state.export()).toEqual(before);
  expect(await records.batches.updateMany([], {})).toEqual([]);
});
