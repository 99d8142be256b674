import type { Checkpoint } from './contract.ts';

/**
 * Where the checkpoints of one job, newest first, contradict each other. Empty where they do not.
 *
 * @param isOver whether the training has come to its end, whose model's name has no step
 */
export function* findCheckpointMistakes(
  checkpoints: readonly Checkpoint[],
  isOver: boolean,
): Generator<string> {
  const [model] = checkpoints[0]?.fine_tuned_model_checkpoint.split(':ckpt-step-') ?? [];
  for (const [index, { step_number, created_at, metrics, ...one }] of checkpoints.entries()) {
    const older = checkpoints[index + 1];
    if (metrics.step !== step_number) yield `${metrics.step} is not the step ${step_number}`;
    if (metrics.train_loss === undefined || metrics.train_mean_token_accuracy === undefined)
      yield `the step ${step_number} is not measured`;
    if (older && (older.step_number >= step_number || older.created_at > created_at))
      yield `the step ${older.step_number} does not come before ${step_number}`;
    const name = index === 0 && isOver ? model : `${model}:ckpt-step-${step_number}`;
    if (one.fine_tuned_model_checkpoint !== name)
      yield `${one.fine_tuned_model_checkpoint} should be called ${name}`;
  }
}
