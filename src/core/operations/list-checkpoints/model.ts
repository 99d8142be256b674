import { primaryKey } from '@mswjs/data';
import { type ColumnsOf, value } from '../../world/database.ts';
import type { Checkpoint } from './types.ts';

/** The model of fine-tuning jobs. A job only has an id, since no operation returns more. */
export const jobModel = { id: primaryKey(String) };

/** The model of checkpoints: the contract's fields, in its order. `seed.ts` gives them, since all follow from the training. */
export const checkpointModel = {
  id: primaryKey(String),
  created_at: Number,
  fine_tuned_model_checkpoint: String,
  step_number: Number,
  metrics: value<Checkpoint['metrics']>(() => ({})),
  fine_tuning_job_id: String,
  object: () => 'fine_tuning.job.checkpoint' as const,
} satisfies ColumnsOf<Checkpoint>;
