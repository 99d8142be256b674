import type { Checkpoint } from '../../operations/list-checkpoints/types.ts';

/**
 * Yields how the checkpoints of one job contradict each other: each error with the id of its checkpoint.
 *
 * @param checkpoints newest first
 * @param isOver whether the training has ended, so that the newest model name has no step; undefined if that is unknown
 */
export function* findCheckpointContradictions(
  checkpoints: readonly Checkpoint[],
  isOver?: boolean,
): Generator<readonly [id: string, contradiction: string]> {
  for (const [index, checkpoint] of checkpoints.entries()) {
    const { id, step_number, created_at, metrics, fine_tuned_model_checkpoint: name } = checkpoint;
    const older = checkpoints[index + 1];
    if (metrics.step !== step_number) yield [id, `metrics.step is ${metrics.step}, not ${step_number}`];
    if (metrics.train_loss === undefined || metrics.train_mean_token_accuracy === undefined)
      yield [id, `the metrics of step ${step_number} lack train_loss or train_mean_token_accuracy`];
    if (older && (older.step_number >= step_number || older.created_at > created_at))
      yield [id, `the step ${older.step_number} does not come before ${step_number}`];
    const [family, olderFamily] = [familyOf(name), older && familyOf(older.fine_tuned_model_checkpoint)];
    if (older && family && olderFamily && family !== olderFamily)
      yield [id, `${name} and ${older.fine_tuned_model_checkpoint} are not of the same training`];
    const step = /:ckpt-step-(.*)$/.exec(name)?.[1];
    const isFinal = index === 0 && (isOver ?? step === undefined);
    if (step !== (isFinal ? undefined : String(step_number)))
      yield [
        id,
        `${name} is not the name of ${isFinal ? 'the final model' : `a model at step ${step_number}`}`,
      ];
  }
}

/** The part of a model's name `ft:MODEL:ORG:NAME:ID` before the id, which its training shares. Undefined for other names, such as those that `capture` writes. */
const familyOf = (name: string): string | undefined => /^(ft(?::[^:]*){3}):/.exec(name)?.[1];
