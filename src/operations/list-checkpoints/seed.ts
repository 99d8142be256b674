import type { Faker } from '@faker-js/faker';
import { drawId, fakerOf } from '../../world/faker.ts';
import type { Seed, Seeding } from '../../world/kind.ts';
import type { Checkpoint } from './contract.ts';

/** The values that all checkpoints of a job share. */
export interface Training {
  /** The start of the names of its models, which is followed by an id. */
  readonly model: string;
  /** The number of steps between two checkpoints. */
  readonly interval: number;
  /** The number of seconds between two checkpoints. */
  readonly secondsApart: number;
  /** The age of the last checkpoint, in seconds. */
  readonly ended: number;
  readonly startLoss: number;
  readonly endLoss: number;
  /** Whether the job has validation data. */
  readonly isValidated: boolean;
}

/**
 * Seeds the checkpoints of one job, oldest first.
 *
 * @param made how many exist at the start; the others follow at the same rate
 */
export const seedCheckpoints = (
  size: number,
  made: number | undefined,
  job: string,
  { seed, start }: Seeding,
): readonly Seed<Checkpoint>[] => {
  const training = chooseTraining(seed, job);
  const ahead = size - (made ?? size);
  const newest = start - (ahead > 0 ? Math.floor(training.secondsApart / 2) : training.ended);
  return Array.from({ length: size }, (_, index) => {
    const id = drawId('ftckpt_'); // from the stream of the training
    const created = newest + (ahead - size + 1 + index) * training.secondsApart;
    const place = {
      id,
      job,
      created,
      step: (index + 1) * training.interval,
      isLast: index === size - 1,
      done: (index + 1) / size,
    };
    return {
      id,
      created_at: created,
      make: () => {
        const isFull = (size - index) % 5 === 1;
        return {
          record: makeCheckpoint(place, training, isFull, fakerOf(seed, 'checkpoint', job, id)),
          transitions: [],
        };
      },
    };
  });
};

/** The position of a checkpoint in the training of its job. */
export interface TrainingPoint {
  readonly id: string;
  readonly job: string;
  readonly created: number;
  readonly step: number;
  /** Whether it is the last one, which is the final model: its name has no step. */
  readonly isLast: boolean;
  /** The share of the training that is done, from 0 to 1. */
  readonly done: number;
}

export const makeCheckpoint = (
  { id, job, created, step, isLast, done }: TrainingPoint,
  training: Training,
  isFull: boolean,
  faker: Faker,
): Checkpoint => ({
  id,
  created_at: created,
  // Each checkpoint has its own model id.
  fine_tuned_model_checkpoint: `${training.model}:${drawId('', 8)}${isLast ? '' : `:ckpt-step-${step}`}`,
  step_number: step,
  metrics: { step, ...measure(training, done, isFull, faker) },
  fine_tuning_job_id: job,
  object: 'fine_tuning.job.checkpoint',
});

/** Draws the training of a job. */
export const chooseTraining = (seed: number, job: string): Training => {
  const company = fakerOf(seed, 'account').company.name();
  const faker = fakerOf(seed, 'training', job);
  const { arrayElement } = faker.helpers;
  const base = arrayElement(['gpt-4o-mini-2024-07-18', 'gpt-4o-2024-08-06', 'gpt-4.1-nano-2025-04-14']);
  const startLoss = faker.number.float({ min: 1.6, max: 2.8 });
  return {
    model: `ft:${base}:${faker.helpers.slugify(company).toLowerCase()}:${arrayElement(['support', 'triage', 'tone', 'extract'])}`,
    interval: arrayElement([25, 50, 100]),
    secondsApart: faker.number.int({ min: 180, max: 420 }),
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
