import type { Checkpoint } from './contract.ts';

/**
 * Yields how the checkpoints of one job, newest first, contradict each other.
 *
 * @param isOver whether the training has ended, so that the newest model name has no step
 */
export function* findCheckpointMistakes(
  checkpoints: readonly Checkpoint[],
  isOver: boolean,
): Generator<string> {
  const familyOf = (name: string): string => name.split(':').slice(0, 4).join(':');
  const family = familyOf(checkpoints[0]?.fine_tuned_model_checkpoint ?? '');
  for (const [index, { step_number, created_at, metrics, ...one }] of checkpoints.entries()) {
    const older = checkpoints[index + 1];
    if (metrics.step !== step_number) yield `${metrics.step} is not the step ${step_number}`;
    if (metrics.train_loss === undefined || metrics.train_mean_token_accuracy === undefined)
      yield `the step ${step_number} is not measured`;
    if (older && (older.step_number >= step_number || older.created_at > created_at))
      yield `the step ${older.step_number} does not come before ${step_number}`;
    const [name = '', id = ''] =
      /^(.*?)(?::ckpt-step-(.*))?$/.exec(one.fine_tuned_model_checkpoint)?.slice(1) ?? [];
    if (familyOf(name) !== family || !/:\w{8}$/.test(name)) yield `${name} is not a model of ${family}`;
    if (id !== (index === 0 && isOver ? '' : String(step_number)))
      yield `${one.fine_tuned_model_checkpoint} is not named by the step ${step_number}`;
  }
}
