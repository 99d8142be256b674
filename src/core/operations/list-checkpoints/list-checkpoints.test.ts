import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkpoints } from './record.ts';
import type { Checkpoint } from './types.ts';

const start = 1_768_478_400;

const seedAll = (size: number, seed: number): Checkpoint[] => {
  const part = { ftjob_a: { checkpoints: size, records: [], deleted: [] } };
  return checkpoints
    .seeds(part, 'ftjob_a', { seed, start })
    .map(({ make }) => make().record)
    .reverse();
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test('each checkpoint is a model with an id of its own; the last one has a plain name, the others end in their step', () => {
  const all = seedAll(12, 42);
  const name = /^(ft:[^:]+:[^:]+:[^:]+):(\w{8})(?::ckpt-step-(\d+))?$/;
  const parts = all.map(({ fine_tuned_model_checkpoint: model }) => name.exec(model)?.slice(1) ?? []);
  expect(new Set(parts.map(([model]) => model)).size).toBe(1);
  expect(new Set(parts.map(([, id]) => id)).size).toBe(12);
  expect(parts.map(([, , step]) => step)).toEqual([
    undefined,
    ...all.slice(1).map(({ step_number }) => String(step_number)),
  ]);
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
