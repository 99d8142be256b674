import { describe, expect, test } from 'vitest';
import type { RecordMethods } from '../../src/control/commands/records.ts';
import { findBatchMistakes } from '../../src/operations/list-batches/invariants.ts';
import { findRunMistakes } from '../../src/operations/list-runs/invariants.ts';
import { batchStates, type RunState, runStates } from '../../src/protocol/record-states.ts';
import { openGateway } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';

const start = Date.parse('2026-01-15T12:00:00Z') / 1000;
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

type AnyRecords = RecordMethods;

interface Sample {
  readonly name: string;
  readonly given: object;
  readonly patch: object;
}

const kinds: readonly Sample[] = Object.entries(samples).map(([name, sample]) => ({ name, ...sample }));

test('a new record is the first of its list, unless its status takes time to reach', async () => {
  const { runs } = open().gateway.records;
  const now = await runs.create({ thread_id: 'thread_a', status: 'queued' });
  expect(now.created_at).toBe(start);
  expect((await runs.list({ thread_id: 'thread_a' }))[0]?.id).toBe(now.id);
  const ended = await runs.create({ thread_id: 'thread_a', status: 'completed' });
  expect(ended.created_at).toBeLessThan(start);
  expect((await runs.list({ thread_id: 'thread_a' }))[0]?.id).toBe(now.id);
});

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

describe.each(kinds)('$name', ({ name, given, patch }) => {
  const openKind = () => {
    const { gateway } = open();
    // One suite for all kinds: each is given values of its own.
    return { gateway, kind: gateway.records[name as keyof typeof samples] as AnyRecords };
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

  test('of the scenario are found, changed and taken out', async () => {
    const { kind } = openKind();
    const [first] = await kind.list();
    const id = first?.id ?? '';
    expect(await kind.update(id, patch)).toMatchObject({ id, ...patch });
    expect(await kind.get(id)).toMatchObject({ id, ...patch });
    await kind.delete(id);
    expect(await kind.get(id)).toBeUndefined();
    expect((await kind.list()).map((record) => record.id)).not.toContain(id);
  });

  test('are listed oldest first or newest first, and no more than asked for', async () => {
    const { kind } = openKind();
    for (let made = 0; made < 3; made += 1) await kind.create(given);
    const newestFirst = await kind.list();
    expect(await kind.list({ order: 'asc' })).toEqual(newestFirst.toReversed());
    expect(await kind.list({ limit: 2 })).toEqual(newestFirst.slice(0, 2));
    expect(await kind.list({ limit: 0 })).toEqual([]);
  });

  test('have ids that follow from the seed alone, and a refused one uses none up', async () => {
    const [one, other] = [openKind().kind, openKind().kind];
    await expect(other.create({ ...given, nope: 1 } as object)).rejects.toThrow('nope');
    for (let made = 0; made < 3; made += 1)
      expect(await other.create(given)).toEqual(await one.create(given));
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

  test('that were refused leave the world as it was', async () => {
    const { gateway, kind } = openKind();
    const { id } = await kind.create(given);
    const before = await gateway.state.export();
    for (const wrong of [{ nope: 1 }, { created_at: 'now', object: 5, messages: 'x', nope: 1 }]) {
      await expect(kind.update(id, { ...patch, ...wrong } as object)).rejects.toThrow('Failed to update');
      await expect(kind.create({ ...given, ...wrong } as object)).rejects.toThrow('Failed to create');
    }
    expect(await gateway.state.export()).toEqual(before);
  });
});

describe('values that are not given', () => {
  const ages = [0, 1, 5, 59, 300, 599];

  test.each(runStates)('agree with a run that is %s, now and with a time of its own', async (status) => {
    const { records } = open().gateway;
    for (let made = 0; made < 40; made += 1) {
      const run = await records.runs.create({ thread_id: 'thread_a', status });
      expect([run.status, ...findRunMistakes(run, start)]).toEqual([status]);
    }
    for (const age of ages.map((seconds) => (status === 'expired' ? seconds + 600 : seconds))) {
      const created_at = start - age;
      const run = await records.runs.create({ thread_id: 'thread_a', status, created_at });
      expect([run.created_at, ...findRunMistakes(run, start)]).toEqual([created_at]);
    }
  });

  test.each(batchStates)('agree with a batch that is %s, now and with a time of its own', async (status) => {
    const { records } = open().gateway;
    for (let made = 0; made < 40; made += 1) {
      const batch = await records.batches.create({ status });
      expect([batch.status, ...findBatchMistakes(batch, start)]).toEqual([status]);
    }
    for (const age of [...ages, 40_000, 86_399]) {
      const created_at = start - age - (status === 'expired' ? 86_400 : 0);
      const batch = await records.batches.create({ status, created_at });
      expect([batch.created_at, ...findBatchMistakes(batch, start)]).toEqual([created_at]);
    }
  });

  test.each([
    { status: 'in_progress', started_at: start - 20 },
    { status: 'completed', completed_at: start - 5000 },
    { status: 'completed', started_at: start - 70, completed_at: start - 60 },
    { status: 'completed', created_at: start - 500, completed_at: start - 499 },
    { status: 'completed', started_at: start - 1 },
    { status: 'failed', failed_at: start - 9 },
    { status: 'failed', last_error: { code: 'server_error', message: 'Sorry.' } },
    { status: 'cancelled', cancelled_at: start },
    { status: 'incomplete', incomplete_details: { reason: 'max_prompt_tokens' } },
    { status: 'queued', expires_at: start + 100 },
    { status: 'completed', created_at: start - 86_400 },
  ] as const)('agree with a run of %j', async (given) => {
    const run = await open().gateway.records.runs.create({ thread_id: 'thread_a', ...given });
    expect(run).toMatchObject(given);
    expect([...findRunMistakes(run, start)]).toEqual([]);
  });

  test.each([
    { status: 'in_progress', in_progress_at: start - 100 },
    { status: 'completed', completed_at: start - 100_000 },
    { status: 'completed', finalizing_at: start - 1 },
    { status: 'completed', request_counts: { total: 5, completed: 5, failed: 0 } },
    { status: 'completed', request_counts: { total: 5, completed: 0, failed: 5 } },
    { status: 'expired', request_counts: { total: 5, completed: 1, failed: 1 } },
    { status: 'expired', expired_at: start - 50 },
    { status: 'failed', failed_at: start - 50 },
    { status: 'cancelling', cancelling_at: start - 50 },
    { status: 'cancelled', cancelled_at: start - 50 },
    { status: 'completed', output_file_id: 'file-mine', error_file_id: null },
    { status: 'completed', created_at: start - 90_000 },
  ] as const)('agree with a batch of %j', async (given) => {
    const batch = await open().gateway.records.batches.create(given);
    expect(batch).toMatchObject(given);
    expect([...findBatchMistakes(batch, start)]).toEqual([]);
  });

  test('start in the initial state where no status is given, whatever else is', async () => {
    const { runs, batches } = open().gateway.records;
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    expect(await runs.create({ thread_id: 'thread_a', usage })).toMatchObject({ status: 'queued', usage });
    expect(await runs.create({ thread_id: 'thread_a', completed_at: start - 9 })).toMatchObject({
      status: 'queued',
    });
    expect(await batches.create({ output_file_id: 'file-mine' })).toMatchObject({ status: 'validating' });
  });

  test('may be undefined', async () => {
    const { records } = open().gateway;
    const values = { thread_id: 'thread_a', metadata: undefined, id: undefined } as unknown as {
      thread_id: string;
    };
    const run = await records.runs.create(values);
    expect(run).toMatchObject({
      thread_id: 'thread_a',
      metadata: expect.any(Object),
      id: expect.any(String),
    });
    expect(await records.runs.update(run.id, { model: undefined } as unknown as object)).toEqual(run);
  });

  test('may be undefined in a scenario, too', async () => {
    const written = { id: 'run_a', model: undefined as unknown as string, instructions: 'Mine.' };
    const { getJson } = openGateway({ scenario: { threads: { thread_a: { records: [written] } } } });
    const [run] = getJson('/threads/thread_a/runs').data;
    expect(run).toMatchObject({ model: expect.any(String), instructions: 'Mine.' });
  });

  test('are those of the start of the scenario, whenever one first asks for them', async () => {
    const [queued] = await openGateway({ scenario: smallScenario }).gateway.records.runs.list({
      thread_id: 'thread_b',
    });
    const written = { id: queued?.id ?? '', metadata: { pinned: 'yes' } };
    const threads = { thread_b: { ...smallScenario.threads.thread_b, records: [written] } };
    const late = openGateway({ scenario: { ...smallScenario, threads } });
    await late.gateway.clock.advance('1h');
    expect(await late.gateway.records.runs.get(written.id)).toEqual({ ...queued, ...written });
  });
});

test('two threads may have a run of the same id, each its own, in whatever order one asks', async () => {
  const { gateway } = openGateway({
    scenario: { threads: { thread_a: { runs: 3 }, thread_b: { runs: 2 } } },
  });
  const [moved] = await gateway.records.runs.list({ thread_id: 'thread_a' });
  if (moved === undefined) throw new Error('The thread has no runs.');
  await gateway.records.runs.delete(moved.id);
  const status = moved.status as RunState; // no scenario has given it another
  await gateway.records.runs.create({ ...moved, status, thread_id: 'thread_b' });
  const list = async () => ({
    b: await gateway.records.runs.list({ thread_id: 'thread_b' }),
    a: await gateway.records.runs.list({ thread_id: 'thread_a' }),
  });
  const before = await list();
  expect([before.a.length, before.b.length]).toEqual([2, 3]);
  await gateway.state.save();
  await gateway.state.restore();
  expect(await list()).toEqual(before);
});

test('an id that is taken is passed over', async () => {
  const first = openGateway({ scenario: { threads: { thread_a: {} } } }).gateway;
  const { id } = await first.records.runs.create({ thread_id: 'thread_a' });
  const { gateway } = openGateway({ scenario: { threads: { thread_a: { records: [{ id }] } } } });
  const made = await gateway.records.runs.create({ thread_id: 'thread_a' });
  expect(made.id).not.toBe(id);
});
