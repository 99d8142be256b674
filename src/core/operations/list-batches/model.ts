import { primaryKey } from '@mswjs/data';
import { type ColumnsOf, noValue, value } from '../../world/database.ts';
import { drawId } from '../../world/faker.ts';
import type { Batch } from './types.ts';

/**
 * The model of batches, as they are created: the contract's fields, in its order. `seed.ts` gives what depends on other
 * fields, and the getters draw the rest.
 */
export const batchModel = {
  id: primaryKey(String),
  object: () => 'batch' as const,
  endpoint: String,
  input_file_id: () => drawId('file-', 22),
  completion_window: () => '24h',
  status: () => 'validating',
  created_at: Number,
  errors: noValue<Batch['errors']>(),
  output_file_id: noValue<Batch['output_file_id']>(),
  error_file_id: noValue<Batch['error_file_id']>(),
  in_progress_at: noValue<Batch['in_progress_at']>(),
  expires_at: noValue<Batch['expires_at']>(),
  finalizing_at: noValue<Batch['finalizing_at']>(),
  completed_at: noValue<Batch['completed_at']>(),
  failed_at: noValue<Batch['failed_at']>(),
  expired_at: noValue<Batch['expired_at']>(),
  cancelling_at: noValue<Batch['cancelling_at']>(),
  cancelled_at: noValue<Batch['cancelled_at']>(),
  request_counts: value<Batch['request_counts']>(() => ({ total: 0, completed: 0, failed: 0 })),
  metadata: noValue<Batch['metadata']>(),
} satisfies ColumnsOf<Batch>;
