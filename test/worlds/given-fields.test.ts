// Fields that only some states have choose how a record that is written without a status ends, and when.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchStates, runStates } from '../../src/core/assumptions/record-states.ts';
import { batchLifecycle } from '../../src/core/operations/list-batches/lifecycle.ts';
import { writeBatch } from '../../src/core/operations/list-batches/seed.ts';
import type { Batch } from '../../src/core/operations/list-batches/types.ts';
import { runLifecycle } from '../../src/core/operations/list-runs/lifecycle.ts';
import { writeRun } from '../../src/core/operations/list-runs/seed.ts';
import type { Run } from '../../src/core/operations/list-runs/types.ts';
import { whyFieldsFail } from '../../src/core/world/state-fields.ts';
import { recordAt, type Timeline } from '../../src/core/world/timeline.ts';
import type { Scenario } from '../../src/index.ts';
import { findBatchContradictions } from '../../src/tools/conformance/contradictions/batches.ts';
import { findRunContradictions } from '../../src/tools/conformance/contradictions/runs.ts';
import { openGateway } from '../support/open-gateway.ts';
import { tries } from '../support/settings.ts';

const now = 1_768_478_400;
const open = (scenario: Scenario = {}) =>
  openGateway({ scenario: { threads: { t: {} }, ...scenario } }).gateway;

const usage = { completion_tokens: 1, prompt_tokens: 2, total_tokens: 3 };
const last_error = { code: 'server_error', message: 'Mine.' } as const;
const incomplete_details = { reason: 'max_prompt_tokens' } as const;
const required_action: Run['required_action'] = {
  type: 'submit_tool_outputs',
  submit_tool_outputs: { tool_calls: [] },
};
const errors = { object: 'list', data: [] };
const counts = (total: number, completed: number, failed: number) => ({ total, completed, failed });

/** The status and the age of a record when its timeline ends. */
const endOf = ({ record, transitions }: Timeline<Run> | Timeline<Batch>): string => {
  const end = transitions.at(-1);
  return `${recordAt({ record, transitions } as Timeline<Run>, Number.POSITIVE_INFINITY).status} ${(end?.at ?? record.created_at) - record.created_at}`;
};

describe('a field that only some states have', () => {
  test.each<[Partial<Run>, string]>([
    [{ last_error }, 'failed 30'],
    [{ failed_at: now - 100 }, 'failed 30'],
    [{ failed_at: now + 5, created_at: now }, 'failed 5'],
    [{ last_error, started_at: now - 50 }, 'failed 30'],
    [{ completed_at: now }, 'completed 30'],
    [{ usage }, 'completed 30'],
    [{ incomplete_details }, 'incomplete 30'],
    [{ cancelled_at: now }, 'cancelled 35'],
    [{ required_action }, 'requires_action 30'],
    [{ started_at: now - 300, completed_at: now }, 'completed 302'],
    [{ expires_at: now + 300 }, 'completed 30'],
    [{ expires_at: now, usage }, 'expired 600'],
    [{ last_error: null, usage: null }, 'completed 30'],
  ])('chooses how a run ends: %j', (fields, end) => {
    const timeline = writeRun({ id: 'run_a', ...fields }, { seed: 1, owner: 't', now });
    expect(endOf(timeline)).toBe(end);
    const ended = recordAt(timeline, now + 1000);
    for (const [field, value] of Object.entries(fields))
      if (value !== null && (field !== 'expires_at' || ended.status === 'expired'))
        expect(Reflect.get(ended, field)).toEqual(value);
  });

  test.each<[Partial<Batch>, string]>([
    [{ errors }, 'failed 5'],
    [{ in_progress_at: now - 50 }, 'completed 602'],
    [{ finalizing_at: now }, 'completed 602'],
    [{ expired_at: now }, 'expired 87001'],
    [{ cancelling_at: now - 700 }, 'cancelled 1200'],
    [{ cancelling_at: now - 700, cancelled_at: now }, 'cancelled 1300'],
    [{ request_counts: counts(10, 4, 1) }, 'in_progress 5'],
    [{ request_counts: counts(10, 9, 1) }, 'completed 602'],
    [{ request_counts: counts(0, 0, 0) }, 'completed 602'],
    [{ output_file_id: 'file-a', error_file_id: 'file-b' }, 'completed 602'],
    [{ error_file_id: 'file-b', request_counts: counts(10, 4, 1) }, 'cancelled 1200'],
  ])('chooses how a batch ends: %j', (fields, end) => {
    const timeline = writeBatch({ id: 'batch_a', ...fields }, { seed: 1, now });
    expect(endOf(timeline)).toBe(end);
    const { request_counts, ...others } = fields;
    expect(recordAt(timeline, now + 100_000)).toMatchObject(request_counts?.total ? fields : others);
  });

  test('holds from the state on that has it, in a scenario and after `create`', async () => {
    const records = [{ id: 'run_a', last_error }];
    const gateway = open({ threads: { t: { records } } });
    const { runs } = gateway.records;
    await runs.create({ id: 'run_b', thread_id: 't', last_error, failed_at: now + 30 });
    for (const id of ['run_a', 'run_b'])
      expect(await runs.get(id)).toMatchObject({ status: 'queued', last_error: null, failed_at: null });
    await gateway.clock.advance('30s');
    for (const id of ['run_a', 'run_b'])
      expect(await runs.get(id)).toMatchObject({ status: 'failed', last_error, failed_at: now + 30 });
  });
});

test.each([
  [
    { last_error, completed_at: now },
    {},
    /last_error and completed_at exclude each other: last_error is for failed; completed_at for completed\. Leave one out/,
  ],
  [{ required_action, usage }, {}, /required_action and usage exclude each other/],
  [
    { failed_at: now },
    { ends: 'completed' },
    /failed_at and ends exclude each other: failed_at is for failed; ends for completed/,
  ],
  [{ failed_at: now }, { after: '1m' }, /after: leave it out, since failed_at says when the record ends/],
] as const)('a run with %j and %j is refused', async (fields, ending, message) => {
  await expect(open().records.runs.create({ thread_id: 't', ...fields }, ending)).rejects.toThrow(message);
  expect(() => open({ threads: { t: { records: [{ id: 'run_a', ...fields, ...ending }] } } })).toThrow(
    message,
  );
});

test.each([
  [{ errors, in_progress_at: now }, {}, /errors and in_progress_at exclude each other/],
  [
    { failed_at: now, request_counts: counts(2, 1, 1) },
    {},
    /failed_at and request_counts exclude each other/,
  ],
  [{ output_file_id: 'file-a' }, { ends: 'failed' }, /output_file_id and ends exclude each other/],
] as const)('a batch with %j and %j is refused', async (fields, ending, message) => {
  await expect(open().records.batches.create(fields, ending)).rejects.toThrow(message);
  expect(() => open({ batches: { records: [{ id: 'batch_a', ...fields, ...ending }] } })).toThrow(message);
});

test('with a status, fields may contradict each other', async () => {
  const { runs } = open().records;
  const fields = { status: 'completed', failed_at: now, last_error, completed_at: null } as const;
  expect(await runs.create({ thread_id: 't', ...fields })).toMatchObject(fields);
});

/** Some of the fields of a record: those that have a value. */
const someOf = <Value extends object>(record: Value, fields: readonly string[]): Partial<Value> =>
  Object.fromEntries(
    Object.entries(record).filter(([field, value]) => value !== null && fields.includes(field)),
  ) as Partial<Value>;

/** The contradictions of a record at all times from now on, except that one may stay in a state that is not final. */
const contradictionsOf = <Value extends object>(
  timeline: Timeline<Value>,
  find: (record: Value, time: number) => Iterable<string>,
) =>
  [now, ...timeline.transitions.map(({ at }) => at), now + 200_000]
    .filter((time) => time >= now)
    .flatMap((time) => [...find(recordAt(timeline, time), time)])
    .filter((message) => !message.endsWith('after its expiry'));

const fieldsOf = (lifecycle: { readonly timestamps: object; readonly setIn: object }, others: string[]) =>
  fc.subarray([
    ...new Set([...Object.keys(lifecycle.timestamps), ...Object.keys(lifecycle.setIn), ...others]),
  ]);
const ages = fc.nat({ max: 500 });

describe('some fields of a record without contradictions, written without a status, add none', () => {
  test('runs', () => {
    const some = fieldsOf(runLifecycle, ['parallel_tool_calls', 'tools', 'max_completion_tokens']);
    fc.assert(
      fc.property(fc.constantFrom(...runStates), ages, some, fc.nat(), (status, age, fields, seed) => {
        const created_at = now - age - (status === 'expired' ? 600 : 0);
        const record = writeRun({ id: 'run_a', status, created_at }, { seed, owner: 't', now }).record;
        const written = someOf(record, fields);
        expect(whyFieldsFail(runLifecycle, written, {})).toBeUndefined();
        const timeline = writeRun({ id: 'run_b', ...written }, { seed: seed + 1, owner: 't', now });
        expect(contradictionsOf(timeline, findRunContradictions)).toEqual([]);
      }),
      tries(1000),
    );
  });

  test('batches', () => {
    const some = fieldsOf(batchLifecycle, [
      'request_counts',
      'output_file_id',
      'error_file_id',
      'expires_at',
    ]);
    fc.assert(
      fc.property(fc.constantFrom(...batchStates), ages, some, fc.nat(), (status, age, fields, seed) => {
        const created_at = now - age - (status === 'expired' ? 87_011 : 0);
        const record = writeBatch({ id: 'batch_a', status, created_at }, { seed, now }).record;
        const written = someOf(record, fields);
        expect(whyFieldsFail(batchLifecycle, written, {})).toBeUndefined();
        const timeline = writeBatch({ id: 'batch_b', ...written }, { seed: seed + 1, now });
        expect(contradictionsOf(timeline, findBatchContradictions)).toEqual([]);
      }),
      tries(1000),
    );
  });

  test.each<Partial<Batch>>([
    { output_file_id: 'file-a' },
    { error_file_id: 'file-b' },
    { output_file_id: 'file-a', error_file_id: 'file-b' },
    { output_file_id: 'file-a', error_file_id: null },
    { output_file_id: null, error_file_id: 'file-b' },
  ])('batches with %j, whether none or all of their requests are drawn as failed', (files) => {
    for (let seed = 0; seed < 100; seed += 1) {
      const timeline = writeBatch({ id: 'batch_b', ...files }, { seed, now });
      expect(contradictionsOf(timeline, findBatchContradictions)).toEqual([]);
      expect(recordAt(timeline, now + 200_000)).toMatchObject(files);
    }
  });
});
