import { expect, test } from 'vitest';
import type { Checkpoint } from '../../operations/list-checkpoints/types.ts';
import { findCheckpointContradictions } from './checkpoints.ts';

const checkpointOf = (step: number, name = `ft:base:org:name:abcdefgh:ckpt-step-${step}`): Checkpoint => ({
  id: `step_${step}`,
  created_at: 1000 + step,
  fine_tuned_model_checkpoint: name,
  step_number: step,
  metrics: { step, train_loss: 1, train_mean_token_accuracy: 0.5 },
  fine_tuning_job_id: 'job_a',
  object: 'fine_tuning.job.checkpoint',
});
const last = checkpointOf(30, 'ft:base:org:name:ijklmnop');
const [second, first] = [checkpointOf(20), checkpointOf(10)];

const contradictionsOf = (checkpoints: readonly Checkpoint[], isOver?: boolean): (readonly string[])[] => [
  ...findCheckpointContradictions(checkpoints, isOver),
];

test('a consistent training has no errors, running or finished', () => {
  expect(contradictionsOf([])).toEqual([]);
  expect(contradictionsOf([last, second, first], true)).toEqual([]);
  expect(contradictionsOf([second, first], false)).toEqual([]);
  expect(contradictionsOf([last, second, first])).toEqual([]);
  expect(contradictionsOf([second, first])).toEqual([]);
});

test('the final model exists only after the training has finished', () => {
  expect(contradictionsOf([last, second], false)).toEqual([
    ['step_30', `${last.fine_tuned_model_checkpoint} is not the name of a model at step 30`],
  ]);
  expect(contradictionsOf([second, first], true)).toEqual([
    ['step_20', `${second.fine_tuned_model_checkpoint} is not the name of the final model`],
  ]);
});

test.each<[change: Partial<Checkpoint>, contradictions: RegExp[]]>([
  [{ metrics: { ...second.metrics, step: 21 } }, [/^metrics\.step is 21, not 20$/]],
  [{ metrics: { step: 20, train_loss: 1 } }, [/^the metrics of step 20 lack/]],
  [{ metrics: { step: 20, train_mean_token_accuracy: 1 } }, [/^the metrics of step 20 lack/]],
  [{ created_at: 1009 }, [/^the step 10 does not come before 20$/]],
  [{ created_at: 1031 }, [/^the step 20 does not come before 30$/]],
  [{ fine_tuned_model_checkpoint: 'ft:base:org:name:abcdefgh' }, [/is not the name of a model at step 20$/]],
  [
    { fine_tuned_model_checkpoint: 'ft:base:org:name:abcdefgh:ckpt-step-10' },
    [/step-10 is not the name of a model at step 20$/],
  ],
  [
    { fine_tuned_model_checkpoint: 'ft:base:org:other:abcdefgh:ckpt-step-20' },
    [/step-20 are not of the same training$/, /step-10 are not of the same training$/],
  ],
])('%j is an error', (change, expected) => {
  const contradictions = contradictionsOf([last, { ...second, ...change }, first]).map(
    ([, contradiction]) => contradiction,
  );
  expect(contradictions).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

test('names that do not tell the training are not compared', () => {
  const hidden = [30, 20, 10].map((step) => checkpointOf(step, `ft:base:model_${step}:ckpt-step-${step}`));
  expect(contradictionsOf(hidden)).toEqual([]);
});

test('two checkpoints may share a second, but not a step', () => {
  const older = { ...first, created_at: second.created_at };
  expect(contradictionsOf([last, second, older])).toEqual([]);
  expect(contradictionsOf([last, second, second])).toEqual([
    ['step_20', 'the step 20 does not come before 20'],
  ]);
});
