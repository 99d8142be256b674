import type { Faker } from '@faker-js/faker';
import { createDatabase, recordOf } from '../../world/database.ts';
import { drawId, fakerOf } from '../../world/faker.ts';
import type { RecordPlan, Resource, Seeding, WriteContext } from '../../world/kind.ts';
import type { Timeline } from '../../world/timeline.ts';
import { checkpointSchema } from './contract.ts';
import { checkpointModel } from './model.ts';
import type { Checkpoint } from './types.ts';

/** A database for the checkpoints of one job. */
export const createCheckpointDatabase = () => createDatabase({ checkpoint: checkpointModel });

/**
 * Plans the checkpoints of one job, oldest first.
 *
 * @param sizeAtStart how many exist at the start; the others follow at the same rate
 */
export const seedCheckpoints = (
  db: ReturnType<typeof createCheckpointDatabase>,
  size: number,
  sizeAtStart: number | undefined,
  job: string,
  { seed, start }: Seeding,
): readonly RecordPlan<Checkpoint>[] => {
  const training = chooseTraining(seed, job);
  const ahead = size - (sizeAtStart ?? size);
  const newest = start - (ahead > 0 ? Math.floor(training.secondsApart / 2) : training.ended);
  return Array.from({ length: size }, (_, index) => {
    const id = drawId('ftckpt_'); // the faker still draws from the stream of the training
    const created_at = newest + (ahead - size + 1 + index) * training.secondsApart;
    const trainingStep: TrainingStep = {
      id,
      job,
      created_at,
      step: (index + 1) * training.interval,
      isLast: index === size - 1,
      isFull: (size - index) % 5 === 1,
      done: (index + 1) / size,
    };
    return {
      id,
      created_at,
      make: () => ({ record: makeCheckpoint(db, seed, training, trainingStep), transitions: [] }),
    };
  });
};

/**
 * A checkpoint that a user writes. By default its step is between those of its neighbours in time. A complete checkpoint stays as it is: any of
 * its metrics may be absent.
 */
export const writeCheckpoint = (
  written: Partial<Checkpoint> & Resource,
  { seed, owner, now, neighbours }: WriteContext<Checkpoint>,
): Timeline<Checkpoint> => {
  const complete = checkpointSchema.safeParse(written);
  if (complete.success) return { record: complete.data, transitions: [] };
  const training = chooseTraining(seed, owner);
  const { created_at = now } = written;
  const { before, after } = neighbours(created_at);
  const last = before?.step_number ?? 0;
  const next = after === undefined ? last + training.interval : Math.ceil((last + after.step_number) / 2);
  const step = written.step_number ?? next;
  const seeded = makeCheckpoint(createCheckpointDatabase(), seed, training, {
    id: written.id,
    job: owner,
    created_at,
    step,
    isLast: false,
    isFull: false,
    done: Math.min(1, step / (10 * training.interval)),
  });
  return { record: { ...seeded, ...written }, transitions: [] };
};

/** The place of a checkpoint in the training of its job. */
interface TrainingStep {
  readonly id: string;
  readonly job: string;
  readonly created_at: number;
  readonly step: number;
  /** Whether it is the last checkpoint: the final model, whose name has no step. */
  readonly isLast: boolean;
  /** Whether its metrics include those of the full validation set. */
  readonly isFull: boolean;
  /** The share of the training that is done, from 0 to 1. */
  readonly done: number;
}

const makeCheckpoint = (
  db: ReturnType<typeof createCheckpointDatabase>,
  seed: number,
  training: Training,
  { id, job, created_at, step, isLast, isFull, done }: TrainingStep,
): Checkpoint => {
  const faker = fakerOf(seed, 'checkpoint', job, id);
  return recordOf(
    db.checkpoint.create({
      id,
      created_at,
      // Each checkpoint has a model id of its own.
      fine_tuned_model_checkpoint: `${training.model}:${drawId('', 8)}${isLast ? '' : `:ckpt-step-${step}`}`,
      step_number: step,
      metrics: { step, ...measure(training, done, isFull, faker) },
      fine_tuning_job_id: job,
    }),
  );
};

type Training = ReturnType<typeof chooseTraining>;

/** The values that all checkpoints of a job share. */
const chooseTraining = (seed: number, job: string) => {
  const company = fakerOf(seed, 'account').company.name();
  const faker = fakerOf(seed, 'training', job);
  const { arrayElement } = faker.helpers;
  const base = arrayElement(['gpt-4o-mini-2024-07-18', 'gpt-4o-2024-08-06', 'gpt-4.1-nano-2025-04-14']);
  const startLoss = faker.number.float({ min: 1.6, max: 2.8 });
  return {
    /** The prefix of the names of its models; an id follows. */
    model: `ft:${base}:${faker.helpers.slugify(company).toLowerCase()}:${arrayElement(['support', 'triage', 'tone', 'extract'])}`,
    /** The number of steps between two checkpoints. */
    interval: arrayElement([25, 50, 100]),
    /** The number of seconds between two checkpoints. */
    secondsApart: faker.number.int({ min: 180, max: 420 }),
    /** The age of the last checkpoint, in seconds. */
    ended: faker.number.int({ min: 3600, max: 90_000 }),
    startLoss,
    endLoss: startLoss * faker.number.float({ min: 0.12, max: 0.22 }),
    isValidated: faker.datatype.boolean(0.9),
  };
};

/**
 * Draws the metrics: losses fall and accuracies rise exponentially towards their final values, with noise that shrinks
 * during the training. Only some checkpoints have metrics of the full validation set.
 */
const measure = (training: Training, done: number, isFull: boolean, faker: Faker): Checkpoint['metrics'] => {
  const rest = Math.exp(-4 * done);
  const noise = (width: number): number => faker.number.float({ min: -0.5, max: 0.5 }) * width * (0.2 + rest);
  const loss = (gap: number): number =>
    round(
      Math.max(0.01, training.endLoss + gap + (training.startLoss - training.endLoss) * rest + noise(0.2)),
    );
  const accuracy = (gap: number): number => round(Math.min(0.999, 0.94 - gap - 0.42 * rest + noise(0.06)));

  const valid = { valid_loss: loss(0.06), valid_mean_token_accuracy: accuracy(0.02) };
  const full = { full_valid_loss: loss(0.08), full_valid_mean_token_accuracy: accuracy(0.025) };
  return {
    train_loss: loss(0),
    train_mean_token_accuracy: accuracy(0),
    ...(training.isValidated && valid),
    ...(training.isValidated && isFull && full),
  };
};

const round = (value: number): number => Math.round(value * 10_000) / 10_000;
