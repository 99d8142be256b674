import { fakerOf } from '../../world/faker.ts';
import type { NewRecord } from '../../world/kind.ts';
import { type Checkpoint, checkpointSchema } from './contract.ts';
import { chooseTraining, makeCheckpoint, type Training } from './seed.ts';

/** A checkpoint written by hand: as it is given where that is a whole one, or with a place among those of its job. */
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

/** The training of the job's checkpoints, which may have been written by hand: their model, and the steps between them. */
const continueTraining = (seeded: Training, others: readonly Checkpoint[]): Training => {
  const [newest, previous] = others;
  if (newest === undefined) return seeded;
  const interval = previous && Math.max(1, newest.step_number - previous.step_number);
  // Of ft:MODEL:ORG:NAME:ID the last part belongs to that model alone.
  const model = newest.fine_tuned_model_checkpoint
    .replace(suffix, '')
    .replace(/^((?:[^:]*:){3}[^:]*):.*$/, '$1');
  return { ...seeded, model, interval: interval ?? seeded.interval };
};

/** Whether there is the model that the training ends with: one job has one of these at the most. */
const hasLast = (others: readonly Checkpoint[]): boolean => {
  for (const { fine_tuned_model_checkpoint } of others)
    if (!suffix.test(fine_tuned_model_checkpoint)) return true;
  return false;
};

/** The checkpoints next to one. */
interface Neighbours {
  readonly older: Checkpoint | undefined;
  readonly newer: Checkpoint | undefined;
}

/** Where a checkpoint stands among the others of its job, newest first: by its time, or by its step, or as made now. */
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

/** Behind the newest the training goes on at the same rate. */
const chooseStep = ({ older, newer }: Neighbours, { interval }: Training): number | undefined => {
  if (newer === undefined) return older && Math.min(Number.MAX_SAFE_INTEGER, older.step_number + interval);
  return Math.floor(((older?.step_number ?? 0) + newer.step_number) / 2);
};

const chooseTime = ({ older, newer }: Neighbours, { secondsApart }: Training, now: number): number => {
  if (newer === undefined) return now;
  const from = older?.created_at ?? Math.max(0, newer.created_at - 2 * secondsApart);
  return Math.min(now, Math.floor((from + newer.created_at) / 2));
};
