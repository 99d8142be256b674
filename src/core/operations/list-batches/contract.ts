import * as z from 'zod';
import { listEnvelope, type ShapeOf, timestamp, whereItApplies } from '../../protocol/contract-types.ts';
import type { Batch } from './types.ts';

export const batchSchema = z.object({
  id: z.string(),
  object: z.literal('batch'),
  endpoint: z.string(),
  input_file_id: z.string(),
  completion_window: z.string(),
  status: z.string(),
  created_at: timestamp,
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
  output_file_id: whereItApplies(z.string()),
  error_file_id: whereItApplies(z.string()),
  in_progress_at: whereItApplies(timestamp),
  expires_at: whereItApplies(timestamp),
  finalizing_at: whereItApplies(timestamp),
  completed_at: whereItApplies(timestamp),
  failed_at: whereItApplies(timestamp),
  expired_at: whereItApplies(timestamp),
  cancelling_at: whereItApplies(timestamp),
  cancelled_at: whereItApplies(timestamp),
  request_counts: whereItApplies(z.object({ total: z.int(), completed: z.int(), failed: z.int() })),
  metadata: whereItApplies(z.looseObject({})),
} satisfies ShapeOf<Batch>);

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
