import { createIds } from '../../world/ids.ts';
import { randomOf, type Seeding } from '../../world/kind.ts';
import { createRandom, type Random } from '../../world/random.ts';
import type { Source } from '../../world/source.ts';
import type { Checkpoint } from './contract.ts';

/** What all checkpoints of a job have in common. */
interface Training {
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

/** The checkpoints of one job, newest first: rank 0 is the last of the training. */
export const seedCheckpoints = (size: number, job: string, seeding: Seeding): Source<Checkpoint> => {
  const key = `${seeding.seed}/checkpoint/${job}`;
  const ids = createIds('ftckpt_', key);
  const training = chooseTraining(createRandom(key, 'training'));
  const createdAt = (rank: number): number => seeding.start - training.ended - rank * training.pace;
  return {
    size,
    ids,
    createdAt,
    make: (rank) => ({
      timeline: [],
      resource: {
        id: ids.at(rank),
        object: 'fine_tuning.job.checkpoint',
        created_at: createdAt(rank),
        fine_tuning_job_id: job,
        fine_tuned_model_checkpoint: modelName(training, size, rank),
        step_number: stepOf(training, size, rank),
        metrics: measure(training, size, rank, randomOf(seeding, 'checkpoint', job, rank)),
      },
    }),
  };
};

const chooseTraining = (random: Random): Training => {
  const base = random.pick(['gpt-4o-mini-2024-07-18', 'gpt-4o-2024-08-06', 'gpt-4.1-nano-2025-04-14']);
  const organisation = random.pick(['northwind', 'acme-retail', 'lumen-health', 'fjord-bank']);
  const suffix = random.pick(['support', 'triage', 'tone', 'extract']);
  const startLoss = 1.6 + random.float() * 1.2;
  return {
    model: `ft:${base}:${organisation}:${suffix}:${random.text(8, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')}`,
    interval: random.pick([25, 50, 100]),
    pace: random.int(180, 420),
    ended: random.int(3600, 90_000),
    startLoss,
    endLoss: startLoss * (0.12 + random.float() * 0.1),
    isValidated: random.chance(0.9),
  };
};

const stepOf = ({ interval }: Training, size: number, rank: number): number => (size - rank) * interval;

/** The last checkpoint is the model itself. */
const modelName = (training: Training, size: number, rank: number): string =>
  rank === 0 ? training.model : `${training.model}:ckpt-step-${stepOf(training, size, rank)}`;

/**
 * Losses fall and accuracies rise towards their end along an exponential, with noise that shrinks as the training
 * settles. The full validation set is measured at every fifth checkpoint and at the last.
 */
const measure = (training: Training, size: number, rank: number, random: Random): Checkpoint['metrics'] => {
  const done = (size - rank) / size;
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
    step: stepOf(training, size, rank),
    train_loss: loss(0),
    train_mean_token_accuracy: accuracy(0),
    ...(training.isValidated && valid),
    ...(training.isValidated && rank % 5 === 0 && full),
  };
};

const round = (value: number): number => Math.round(value * 10_000) / 10_000;
