import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeFaces } from '../../../test/support/faces.ts';
import { type Checkpoint, checkpoint } from './contract.ts';
import { checkpoints } from './record.ts';

const start = 1_768_478_400;

const seedAll = (size: number, seed: number): Checkpoint[] => {
  const source = checkpoints.source({ ftjob_a: { checkpoints: size, records: [], deleted: [] } }, 'ftjob_a', {
    seed,
    start,
  });
  return Array.from({ length: size }, (_, rank) => source?.make(rank).resource).filter(
    (one) => one !== undefined,
  );
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test('checkpoints keep to the contract; times and steps fall along the list, and metrics.step is the step', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 60 }), (seed, size) => {
      const all = seedAll(size, seed);
      for (const [rank, one] of all.entries()) {
        expect(checkpoint.parse(one)).toEqual(one);
        expect(one.metrics.step).toBe(one.step_number);
        const older = all[rank + 1];
        if (older !== undefined) {
          expect(older.created_at).toBeLessThan(one.created_at);
          expect(older.step_number).toBeLessThan(one.step_number);
        }
      }
      expect(all[0]?.created_at).toBeLessThanOrEqual(start);
    }),
  );
});

test('only the last checkpoint has the plain name of the model; the others end in their step', () => {
  const [last, ...earlier] = seedAll(12, 42);
  expect(last?.fine_tuned_model_checkpoint).not.toContain('ckpt');
  for (const { fine_tuned_model_checkpoint, step_number } of earlier)
    expect(fine_tuned_model_checkpoint).toBe(`${last?.fine_tuned_model_checkpoint}:ckpt-step-${step_number}`);
});

test('losses fall and accuracies rise over a training', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const rising = seedAll(40, seed).reverse();
      const part = (from: number, metric: 'train_loss' | 'train_mean_token_accuracy') =>
        mean(rising.slice(from, from + 10).map(({ metrics }) => metrics[metric] ?? Number.NaN));
      expect(part(0, 'train_loss')).toBeGreaterThan(part(10, 'train_loss'));
      expect(part(10, 'train_loss')).toBeGreaterThan(part(30, 'train_loss'));
      expect(part(0, 'train_mean_token_accuracy')).toBeLessThan(part(30, 'train_mean_token_accuracy'));
    }),
  );
});

const scenario = { jobs: { ftjob_a: { checkpoints: 130 }, ftjob_none: {} } };

describeFaces('checkpoints', { scenario }, ({ getJson, call }) => {
  test('are listed newest first, ten a page', async () => {
    const page = await getJson('/fine_tuning/jobs/ftjob_a/checkpoints');
    expect(page.data).toHaveLength(10);
    expect(page).toMatchObject({ has_more: true, first_id: page.data[0].id, last_id: page.data[9].id });
    const next = await getJson(`/fine_tuning/jobs/ftjob_a/checkpoints?after=${page.last_id}&limit=1`);
    expect(next.data[0].step_number).toBeLessThan(page.data[9].step_number);
  });

  test('of a job without any have null at both ends', async () => {
    const reply = await call('/fine_tuning/jobs/ftjob_none/checkpoints');
    expect(await reply.json()).toEqual({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
    expect(reply.headers.get('x-mock-assumptions')).toBeNull();
  });

  test('may be asked for by more than a hundred, and the reply says on what that rests', async () => {
    const reply = await call('/fine_tuning/jobs/ftjob_a/checkpoints?limit=500');
    expect((await reply.json()).data).toHaveLength(130);
    expect(reply.headers.get('x-mock-assumptions')).toBe('checkpoint-limit-bounds');
  });

  test('may not be asked for by none', async () => {
    const reply = await call('/fine_tuning/jobs/ftjob_a/checkpoints?limit=0');
    expect(reply.status).toBe(400);
    expect((await reply.json()).error).toMatchObject({ param: 'limit', code: 'integer_below_min_value' });
  });
});

describeFaces(
  'checkpoints bounded to a hundred',
  { scenario, assumptions: { 'checkpoint-limit-bounds': '1-to-100' } },
  ({ call }) => {
    test('are refused beyond that', async () => {
      const reply = await call('/fine_tuning/jobs/ftjob_a/checkpoints?limit=101');
      expect(reply.status).toBe(400);
      expect((await reply.json()).error.code).toBe('integer_above_max_value');
    });
  },
);
