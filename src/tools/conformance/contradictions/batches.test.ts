import { expect, test } from 'vitest';
import { writeBatch } from '../../../core/operations/list-batches/seed.ts';
import type { Batch } from '../../../core/operations/list-batches/types.ts';
import { findBatchContradictions } from './batches.ts';

const now = 1_768_478_400;
const day = 86_400;

/** A consistent batch; fields that are not given are the same each time. */
const make = (given: Partial<Batch>): Batch =>
  writeBatch({ id: 'batch_a', ...given }, { seed: 1, now }).record;

const contradictionsOf = (given: Partial<Batch>, change: Partial<Batch> = {}, at = now): string[] => [
  ...findBatchContradictions({ ...make(given), ...change }, at),
];

const counts = (total: number, completed: number, failed: number): Partial<Batch> => ({
  request_counts: { total, completed, failed },
});
const files = (output_file_id: string | null, error_file_id: string | null): Partial<Batch> => ({
  output_file_id,
  error_file_id,
});

const validating: Partial<Batch> = { status: 'validating', created_at: now - 10 };
const started: Partial<Batch> = {
  status: 'in_progress',
  created_at: now - 1000,
  in_progress_at: now - 900,
  ...counts(10, 4, 1),
};
const finalizing: Partial<Batch> = {
  status: 'finalizing',
  created_at: now - 1000,
  in_progress_at: now - 900,
  finalizing_at: now - 100,
  ...counts(10, 9, 1),
};
const completed: Partial<Batch> = {
  ...finalizing,
  status: 'completed',
  completed_at: now - 50,
  ...files('file-a', 'file-b'),
};
const expired: Partial<Batch> = {
  status: 'expired',
  created_at: now - day - 700,
  in_progress_at: now - day,
  finalizing_at: now - 699,
  expired_at: now - 94,
  ...counts(10, 8, 1),
  ...files('file-a', null),
};
const expiredUndone: Partial<Batch> = { ...expired, ...counts(10, 0, 4), ...files(null, 'file-b') };
const cancelled: Partial<Batch> = {
  status: 'cancelled',
  created_at: now - 1000,
  in_progress_at: now - 900,
  cancelling_at: now - 700,
  cancelled_at: now - 95,
  ...counts(10, 4, 1),
  ...files('file-a', 'file-b'),
};
const failed: Partial<Batch> = { status: 'failed', created_at: now - 100, failed_at: now - 50 };

test.each([started, finalizing, completed, expired, expiredUndone, cancelled, failed])(
  '%j has no errors',
  (given) => {
    expect(contradictionsOf(given)).toEqual([]);
  },
);

const errors: Batch['errors'] = { object: 'list', data: [] };

test.each<[change: Partial<Batch>, of: Partial<Batch>, contradiction: RegExp]>([
  [{ completion_window: '1h' }, validating, /^completion_window is 1h$/],
  [{ expires_at: now - 10 + day + 1 }, validating, /^expires_at is \d+, not created_at \+ 24 h$/],
  [{ errors }, validating, /^errors is \{.*\} in validating$/],
  [{ errors: null }, failed, /^errors is null in failed$/],
  [{ in_progress_at: now - 60 }, failed, /^in_progress_at is \d+ in failed$/],
  [{ finalizing_at: now }, started, /^finalizing_at is \d+ in in_progress$/],
  [{ failed_at: null }, failed, /^failed_at is null in failed$/],
  [{ cancelled_at: now }, validating, /^cancelled_at is \d+ in validating$/],
  [{ completed_at: now + 1 }, completed, /^completed_at is in the future$/],
  [{ cancelled_at: now - 701 }, cancelled, /^cancelling_at is after cancelled_at$/],
  [{ finalizing_at: now - 701 }, expired, /^finalizing_at is before expires_at in expired$/],
  [counts(1, 0, 0), validating, /^not started, but has request counts in validating$/],
  [counts(10, 8, 1), completed, /^only 9 of 10 requests handled in completed$/],
  [counts(10, 9, 1), started, /^all 10 requests handled in in_progress$/],
  [counts(10, 9, 1), expired, /^all 10 requests handled in expired$/],
  [counts(10, 10, 1), cancelled, /^11 requests handled, but the total is 10$/],
  [files('file-a', null), started, /^output_file_id is file-a in in_progress, with 4 completed and 1 failed/],
  [files(null, 'file-b'), started, /^error_file_id is file-b/],
  [files(null, 'file-b'), completed, /^output_file_id is null/],
  [files('file-a', null), completed, /^error_file_id is null/],
  [files('file-a', 'file-b'), expired, /^error_file_id is file-b/],
  [files(null, null), expired, /^output_file_id is null/],
  [{ ...counts(10, 4, 0), error_file_id: null }, cancelled, /^error_file_id is null/],
  [{ ...counts(10, 10, 0) }, completed, /^error_file_id is file-b/],
  [{ ...counts(10, 0, 10) }, completed, /^output_file_id is file-a/],
])('%j is an error in %j', (change, of, contradiction) => {
  expect(contradictionsOf(of, change)).toEqual([expect.stringMatching(contradiction)]);
});

test('an unknown state is the only error that is reported', () => {
  expect(contradictionsOf(completed, { status: 'lost', errors })).toEqual(['unknown state lost']);
});

test.each<[change: Partial<Batch>, of: Partial<Batch>]>([
  [{ in_progress_at: null, ...counts(0, 0, 0), ...files(null, null) }, cancelled],
  [{ in_progress_at: now - 1000, cancelling_at: now, cancelled_at: now }, cancelled],
  [{ finalizing_at: now - 700 }, expired],
  [{ finalizing_at: now - 95 }, expired],
  [{ cancelled_at: now - 700 }, cancelled],
  [{ ...counts(0, 0, 0), ...files(null, null) }, completed],
  [counts(10, 9, 0), started],
  [{ request_counts: null }, validating],
])('%j is allowed in %j', (change, of) => {
  expect(contradictionsOf(of, change)).toEqual([]);
});

test('an open batch ends within 11 minutes after its 24 hours; an ended one may have any age', () => {
  const end = now - 10 + day + 660;
  expect(contradictionsOf(validating, {}, end - 1)).toEqual([]);
  expect(contradictionsOf(validating, {}, end)).toEqual(['still validating after its expiry']);
  for (const ended of [completed, expired, cancelled, failed])
    expect(contradictionsOf(ended, {}, now + 2 * day)).toEqual([]);
});
