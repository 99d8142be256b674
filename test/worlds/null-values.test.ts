// What need not apply may be null by hand wherever `absent-values` has it: in the control and in scenarios.

import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { batchSchema } from '../../src/core/operations/list-batches/contract.ts';
import { runSchema } from '../../src/core/operations/list-runs/contract.ts';
import type { Scenario } from '../../src/core/scenario/scenario-types.ts';
import type { GatewayOptions } from '../../src/service/gateway/gateway-options.ts';
import { openGateway } from '../support/open-gateway.ts';

const takesNull = (schema: unknown): boolean => schema instanceof z.ZodType && schema.safeParse(null).success;

const nullsOf = (table: z.ZodObject): Record<string, null> =>
  Object.fromEntries(
    Object.entries(table.shape).flatMap(([name, field]) => (takesNull(field) ? [[name, null]] : [])),
  );

/** A run and a batch each with one null, at any depth. */
const runNulls = [
  ...Object.entries(nullsOf(runSchema)).map(([name, value]) => ({ [name]: value })),
  { truncation_strategy: { type: 'auto', last_messages: null } },
];
const batchNulls = [
  ...Object.entries(nullsOf(batchSchema)).map(([name, value]) => ({ [name]: value })),
  {
    status: 'failed' as const,
    errors: { object: 'list', data: [{ code: 'a', message: 'b', param: null, line: null }] },
  },
];

describe('a record that is written', () => {
  test('keeps each null of a run and of a batch', async () => {
    const { records } = openGateway({ scenario: { threads: { thread_a: {} } } }).gateway;
    for (const given of runNulls) {
      const { id } = await records.runs.create({ thread_id: 'thread_a', ...given });
      expect(await records.runs.get(id)).toMatchObject(given);
      expect(await records.runs.update(id, { ...given, status: 'queued' })).toMatchObject(given);
    }
    for (const given of batchNulls) {
      const { id } = await records.batches.create(given);
      expect(await records.batches.get(id)).toMatchObject(given);
      expect(await records.batches.update(id, given)).toMatchObject(given);
    }
  });

  test('has no metric of a checkpoint that is not given, and none that is null', async () => {
    const { records } = openGateway({ scenario: {} }).gateway;
    await records.jobs.create({ id: 'job_a' });
    const given = {
      fine_tuning_job_id: 'job_a',
      metrics: { train_loss: 1.5, train_mean_token_accuracy: 0.5 },
    };
    const { metrics } = await records.checkpoints.create(given);
    expect(metrics).toEqual(given.metrics);
    const withNull = { fine_tuning_job_id: 'job_a', metrics: { valid_loss: null } };
    await expect(records.checkpoints.create(withNull as never)).rejects.toThrow('metrics.valid_loss');
  });
});

/** A scenario that has each null by hand. */
const nullScenario: Scenario = {
  threads: {
    thread_a: {
      records: runNulls.map((given, n) => ({ id: `run_${n}`, created_at: 1_760_000_000 + n, ...given })),
    },
  },
  batches: {
    records: batchNulls.map((given, n) => ({ id: `batch_${n}`, created_at: 1_760_000_000 + n, ...given })),
  },
  jobs: {
    job_a: {
      records: [
        { id: 'ckpt_a', created_at: 1_760_000_000, step_number: 5, metrics: { step: 5, train_loss: 1.5 } },
      ],
    },
  },
};

/** The pages of all lists. */
const read = (options: GatewayOptions): string[] => {
  const { send } = openGateway(options);
  const paths = [
    '/threads/thread_a/runs?limit=100',
    '/batches?limit=100',
    '/fine_tuning/jobs/job_a/checkpoints',
  ];
  return paths.map((path) => send({ path }).body ?? '');
};

/** The records of a page by their ids. */
const byId = (page = ''): Record<string, object> =>
  Object.fromEntries(JSON.parse(page).data.map((record: { id: string }) => [record.id, record]));

test('a scenario keeps each null in the replies', () => {
  const [runs, batches, checkpoints] = read({ scenario: nullScenario });
  for (const [n, given] of runNulls.entries()) expect(byId(runs)[`run_${n}`]).toMatchObject(given);
  for (const [n, given] of batchNulls.entries()) expect(byId(batches)[`batch_${n}`]).toMatchObject(given);
  expect(byId(checkpoints).ckpt_a).toMatchObject({ metrics: { step: 5, train_loss: 1.5 } });
});

test('where what does not apply is omitted, no null of them is left', () => {
  const [runs, batches] = read({ scenario: nullScenario, assume: { 'absent-values': 'omitted' } });
  for (const page of [runs, batches]) expect(page).not.toMatch(/:null/);
  expect(byId(runs).run_0).toBeDefined();
});
