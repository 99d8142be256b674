import { createIds } from '../../world/ids.ts';
import { randomOf, type Seeding } from '../../world/kind.ts';
import { alphanumeric, createRandom, type Random } from '../../world/random.ts';
import type { Source } from '../../world/source.ts';
import type { Checkpoint } from './contract.ts';

/** What all checkpoints of a job have in common. */
export interface Training {
  readonly model: string;
  /** How many steps lie between two checkpoints. */
  readonly interval: number;
  /** How many seconds lie between two checkpoints. */
  readonly pace: number;
  /** How long ago the last checkpoint was made, in seconds. */
  readonly ended: number;
  readonly startLoss: number;
  readonly endLoss: number;
  /** Whether the job has validation data. */
  readonly isValidated: boolean;
}

/**
 * The checkpoints of one job, newest first: rank 0 is the last of the training.
 *
 * @param made how many exist at the start; where they are not all, the others follow at the training's pace
 */
export const seedCheckpoints = (
  size: number,
  made: number | undefined,
  job: string,
  seeding: Seeding,
): Source<Checkpoint> => {
  const key = `${seeding.seed}/checkpoint/${job}`;
  const ids = createIds('ftckpt_', key);
  const training = chooseTraining(createRandom(key, 'training'));
  const ahead = size - (made ?? size);
  const newest = seeding.start - (ahead > 0 ? Math.floor(training.pace / 2) : training.ended);
  const createdAt = (rank: number): number => newest + (ahead - rank) * training.pace;
  return {
    size,
    ids,
    createdAt,
    make: (rank) => ({
      timeline: [],
      resource: makeCheckpoint(
        {
          id: ids.at(rank),
          job,
          created: createdAt(rank),
          isLast: rank === 0,
          step: (size - rank) * training.interval,
          done: (size - rank) / size,
        },
        training,
        rank % 5 === 0,
        randomOf(seeding, 'checkpoint', job, rank),
      ),
    }),
  };
};

/** Where a checkpoint stands in the training of its job. */
export interface Place {
  readonly id: string;
  readonly job: string;
  readonly created: number;
  readonly step: number;
  /** The last checkpoint is the model itself: its name has no step. */
  readonly isLast: boolean;
  /** Which share of the training is done, from 0 to 1. */
  readonly done: number;
}

export const makeCheckpoint = (
  { id, job, created, step, isLast, done }: Place,
  training: Training,
  isFull: boolean,
  random: Random,
): Checkpoint => ({
  id,
  created_at: created,
  fine_tuned_model_checkpoint: isLast ? training.model : `${training.model}:ckpt-step-${step}`,
  step_number: step,
  metrics: { step, ...measure(training, done, isFull, random) },
  fine_tuning_job_id: job,
  object: 'fine_tuning.job.checkpoint',
});

export const chooseTraining = (random: Random): Training => {
  const base = random.pick(['gpt-4o-mini-2024-07-18', 'gpt-4o-2024-08-06', 'gpt-4.1-nano-2025-04-14']);
  const organisation = random.pick(['northwind', 'acme-retail', 'lumen-health', 'fjord-bank']);
  const suffix = random.pick(['support', 'triage', 'tone', 'extract']);
  const startLoss = 1.6 + random.float() * 1.2;
  return {
    model: `ft:${base}:${organisation}:${suffix}:${random.text(8, alphanumeric)}`,
    interval: random.pick([25, 50, 100]),
    pace: random.int(180, 420),
    ended: random.int(3600, 90_000),
    startLoss,
    endLoss: startLoss * (0.12 + random.float() * 0.1),
    isValidated: random.chance(0.9),
  };
};

/**
 * Losses fall and accuracies rise towards their end along an exponential, with noise that shrinks as the training
 * settles. The full validation set is measured now and then.
 */
const measure = (
  training: Training,
  done: number,
  isFull: boolean,
  random: Random,
): Checkpoint['metrics'] => {
  const rest = Math.exp(-4 * done);
  const noise = (width: number): number => (random.float() - 0.5) * width * (0.2 + rest);
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
