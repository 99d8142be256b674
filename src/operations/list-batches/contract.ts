import * as z from 'zod';
import { listEnvelope, timestamp, whereItApplies } from '../../protocol/contract-types.ts';

/** The schema of a {@link Batch}. */
export const batchSchema = z.object({
  /** Its id, such as `batch_abc123`. */
  id: z.string(),
  /** Always `batch`. */
  object: z.literal('batch'),
  /** The endpoint of its requests, such as `/v1/chat/completions`. */
  endpoint: z.string(),
  /** The file with its requests. */
  input_file_id: z.string(),
  /** The time within which it should be completed, such as `24h`. */
  completion_window: z.string(),
  /** Its state, such as `validating`. */
  status: z.string(),
  /** When it was created, in seconds since 1970. */
  created_at: timestamp,
  /** Why it failed; null if it has not. */
  errors: whereItApplies(
    z.object({
      object: z.string(),
      data: z.array(
        z.object({
          code: z.string(),
          message: z.string(),
          param: whereItApplies(z.string()),
          line: whereItApplies(z.int()),
        }),
      ),
    }),
  ),
  /** The file with the results of completed requests; null if there is none. */
  output_file_id: whereItApplies(z.string()),
  /** The file with the errors of failed requests; null if there is none. */
  error_file_id: whereItApplies(z.string()),
  /** When it was started; null if it has not. */
  in_progress_at: whereItApplies(timestamp),
  /** When it expires, in seconds since 1970. */
  expires_at: whereItApplies(timestamp),
  /** When it began to finalize; null if it has not. */
  finalizing_at: whereItApplies(timestamp),
  /** When it completed; null if it has not. */
  completed_at: whereItApplies(timestamp),
  /** When it failed; null if it has not. */
  failed_at: whereItApplies(timestamp),
  /** When it expired; null if it has not. */
  expired_at: whereItApplies(timestamp),
  /** When it began to cancel; null if it has not. */
  cancelling_at: whereItApplies(timestamp),
  /** When it was cancelled; null if it has not. */
  cancelled_at: whereItApplies(timestamp),
  /** The number of its requests, and how many have completed and failed. */
  request_counts: whereItApplies(z.object({ total: z.int(), completed: z.int(), failed: z.int() })),
  /** The caller's own keys and values. */
  metadata: whereItApplies(z.looseObject({})),
});

/** Contract: Endpoints, 3. List batches. */
export const listBatchesContract = {
  id: 'listBatches',
  method: 'GET',
  path: '/batches',
  section: 'Endpoints, 3. List batches',
  virtualKey: true,
  betaHeader: false,
  params: z.object({}),
  query: z.object({
    after: z.string().exactOptional(),
    limit: z.int().min(1).max(100).default(20),
  }),
  reply: z.object({
    ...listEnvelope(batchSchema),
    first_id: z.string().exactOptional(),
    last_id: z.string().exactOptional(),
    has_more: z.boolean(),
  }),
} as const;

/** A batch (contract: Resources and their fields, Batch). Timestamps are in seconds since 1970. */
export type Batch = z.output<typeof batchSchema>;
