import { expect, test } from 'vitest';
import type { Checkpoint } from './contract.ts';
import { findCheckpointMistakes } from './invariants.ts';

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

test('a consistent training has no mistakes, running or finished', () => {
  expect([...findCheckpointMistakes([], true)]).toEqual([]);
  expect([...findCheckpointMistakes([last, second, first], true)]).toEqual([]);
  expect([...findCheckpointMistakes([second, first], false)]).toEqual([]);
});

test('the final model exists only after the training has finished', () => {
  expect([...findCheckpointMistakes([last, second], false)]).toEqual([
    expect.stringMatching(/ijklmnop is not named by the step 30$/),
  ]);
  expect([...findCheckpointMistakes([second, first], true)]).toEqual([
    expect.stringMatching(/ckpt-step-20 is not named by the step 20$/),
  ]);
});

test.each<[change: Partial<Checkpoint>, mistake: RegExp]>([
  [{ metrics: { ...second.metrics, step: 21 } }, /^21 is not the step 20$/],
  [{ metrics: { step: 20, train_loss: 1 } }, /^the step 20 is not measured$/],
  [{ metrics: { step: 20, train_mean_token_accuracy: 1 } }, /^the step 20 is not measured$/],
  [{ created_at: 1009 }, /^the step 10 does not come before 20$/],
  [{ created_at: 1031 }, /^the step 20 does not come before 30$/],
  [{ fine_tuned_model_checkpoint: 'ft:base:org:name:abcdefgh' }, /is not named by the step 20$/],
  [
    { fine_tuned_model_checkpoint: 'ft:base:org:name:abcdefgh:ckpt-step-10' },
    /step-10 is not named by the step 20$/,
  ],
  [
    { fine_tuned_model_checkpoint: 'ft:base:org:other:abcdefgh:ckpt-step-20' },
    /is not a model of ft:base:org:name$/,
  ],
  [
    { fine_tuned_model_checkpoint: 'ft:base:org:name:abc:ckpt-step-20' },
    /abc is not a model of ft:base:org:name$/,
  ],
])('%j is a mistake', (change, mistake) => {
  const mistakes = [...findCheckpointMistakes([last, { ...second, ...change }, first], true)];
  expect(mistakes).toEqual([expect.stringMatching(mistake)]);
});

test('two checkpoints may share a second, but not a step', () => {
  const older = { ...first, created_at: second.created_at };
  expect([...findCheckpointMistakes([last, second, older], true)]).toEqual([]);
  expect([...findCheckpointMistakes([last, second, second], true)]).toEqual([
    'the step 20 does not come before 20',
  ]);
});
