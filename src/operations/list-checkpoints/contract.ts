import * as z from 'zod';
import { listEnvelope, timestamp } from '../../protocol/contract-types.ts';

/** The schema of a {@link Checkpoint}. */
export const checkpointSchema = z.object({
  /** Its id, such as `ftckpt_abc123`. */
  id: z.string(),
  /** When it was created, in seconds since 1970. */
  created_at: timestamp,
  /** The name of the model of this checkpoint. */
  fine_tuned_model_checkpoint: z.string(),
  /** The training step at which it was made. */
  step_number: z.int(),
  /** The measurements at this step; any of them may be absent. */
  metrics: z.object({
    step: z.number().exactOptional(),
    train_loss: z.number().exactOptional(),
    train_mean_token_accuracy: z.number().exactOptional(),
    valid_loss: z.number().exactOptional(),
    valid_mean_token_accuracy: z.number().exactOptional(),
    full_valid_loss: z.number().exactOptional(),
    full_valid_mean_token_accuracy: z.number().exactOptional(),
  }),
  /** The fine-tuning job to which it belongs. */
  fine_tuning_job_id: z.string(),
  /** Always `fine_tuning.job.checkpoint`. */
  object: z.literal('fine_tuning.job.checkpoint'),
});

/** Contract: Endpoints, 4. List checkpoints of a fine-tuning job. The bounds of limit are not stated. */
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

/** A checkpoint of a fine-tuning job (contract: Resources and their fields, Fine-tuning job checkpoint). */
export type Checkpoint = z.output<typeof checkpointSchema>;
