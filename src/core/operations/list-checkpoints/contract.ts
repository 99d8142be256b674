import * as z from 'zod';
import { listEnvelope, type ShapeOf, timestamp } from '../../protocol/contract-types.ts';
import type { Checkpoint } from './types.ts';

export const checkpointSchema = z.object({
  id: z.string(),
  created_at: timestamp,
  fine_tuned_model_checkpoint: z.string(),
  step_number: z.int(),
  metrics: z.object({
    step: z.number().exactOptional(),
    train_loss: z.number().exactOptional(),
    train_mean_token_accuracy: z.number().exactOptional(),
    valid_loss: z.number().exactOptional(),
    valid_mean_token_accuracy: z.number().exactOptional(),
    full_valid_loss: z.number().exactOptional(),
    full_valid_mean_token_accuracy: z.number().exactOptional(),
  }),
  fine_tuning_job_id: z.string(),
  object: z.literal('fine_tuning.job.checkpoint'),
} satisfies ShapeOf<Checkpoint>);

/** The contract states no bounds of limit. */
export const listCheckpointsContract = {
  id: 'listCheckpoints',
  method: 'GET',
  path: '/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints',
  section: 'Endpoints, 4. List checkpoints of a fine-tuning job',
  virtualKey: true,
  betaHeader: false,
  params: z.object({ fine_tuning_job_id: z.string() }),
  query: z.object({
    after: z.string().exactOptional(),
    limit: z.int().default(10),
  }),
  reply: z.object({
    ...listEnvelope(checkpointSchema),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  }),
} as const;
