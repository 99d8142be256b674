import { fakerOf } from '../../world/faker.ts';
import type { NewRecord } from '../../world/kind.ts';
import { type Checkpoint, checkpointSchema } from './contract.ts';
import { chooseTraining, makeCheckpoint, type Training } from './seed.ts';

/** Completes a written checkpoint, so that it fits among those of its job. A whole checkpoint stays as it is given. */
export const completeCheckpoint = (
  given: Partial<Checkpoint>,
  { seed, id, owner, others, now }: NewRecord<Checkpoint>,
): Checkpoint => {
  const whole = checkpointSchema.safeParse(given);
  if (whole.success) return whole.data;
  const training = continueTraining(chooseTraining(seed, owner), others());
  const faker = fakerOf(seed, 'checkpoint', owner, id);
  const first = faker.number.int({ min: 1, max: 40 }) * training.interval;
  const neighbours = findNeighbours(given, others(), now);
  const step = stepOf(given) ?? chooseStep(neighbours, training) ?? first;
  const [newest] = others();
  const place = {
    id,
    job: owner,
    created: given.created_at ?? chooseTime(neighbours, training, now),
    step,
    isLast: neighbours.newer === undefined && !hasLast(others()),
    done: Math.max(0, step) / Math.max(1, newest?.step_number ?? step),
  };
  const made = makeCheckpoint(place, training, false, faker);
  return { ...made, ...given, ...(given.metrics && { metrics: { step, ...given.metrics } }) };
};

const stepOf = ({ step_number, metrics }: Partial<Checkpoint>): number | undefined =>
  step_number ?? (Number.isSafeInteger(metrics?.step) ? metrics?.step : undefined);

const suffix = /:ckpt-step-\d+$/;

/** The training that the job's checkpoints belong to, by the model and steps of the newest ones, which may be written. */
const continueTraining = (seeded: Training, others: readonly Checkpoint[]): Training => {
  const [newest, previous] = others;
  if (newest === undefined) return seeded;
  const interval = previous && Math.max(1, newest.step_number - previous.step_number);
  // In ft:MODEL:ORG:NAME:ID, each checkpoint has its own ID.
  const model = newest.fine_tuned_model_checkpoint
    .replace(suffix, '')
    .replace(/^((?:[^:]*:){3}[^:]*):.*$/, '$1');
  return { ...seeded, model, interval: interval ?? seeded.interval };
};

/** Whether a checkpoint is the final model already: a job has at most one. */
const hasLast = (others: readonly Checkpoint[]): boolean => {
  for (const { fine_tuned_model_checkpoint } of others)
    if (!suffix.test(fine_tuned_model_checkpoint)) return true;
  return false;
};

/** The checkpoints before and after one. */
interface Neighbours {
  readonly older: Checkpoint | undefined;
  readonly newer: Checkpoint | undefined;
}

/** Finds the place of a checkpoint among the others of its job, newest first: by its time, its step, or the present time. */
const findNeighbours = (
  given: Partial<Checkpoint>,
  others: readonly Checkpoint[],
  now: number,
): Neighbours => {
  const { created_at = now } = given;
  const step = given.created_at === undefined ? stepOf(given) : undefined;
  let newer: Checkpoint | undefined;
  for (const other of others) {
    if (step === undefined ? other.created_at <= created_at : other.step_number < step)
      return { older: other, newer };
    newer = other;
  }
  return { older: undefined, newer };
};

/** The step between the neighbours; after the newest checkpoint, the training continues at the same rate. */
const chooseStep = ({ older, newer }: Neighbours, { interval }: Training): number | undefined => {
  if (newer === undefined) return older && Math.min(Number.MAX_SAFE_INTEGER, older.step_number + interval);
  return Math.floor(((older?.step_number ?? 0) + newer.step_number) / 2);
};

const chooseTime = ({ older, newer }: Neighbours, { secondsApart }: Training, now: number): number => {
  if (newer === undefined) return now;
  const from = older?.created_at ?? Math.max(0, newer.created_at - 2 * secondsApart);
  return Math.min(now, Math.floor((from + newer.created_at) / 2));
};
