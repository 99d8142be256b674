import { describe, expect, test } from 'vitest';
import { completeBatch } from './complete.ts';
import type { Batch } from './contract.ts';
import { findBatchMistakes } from './invariants.ts';
import { batchLifetime } from './lifecycle.ts';

const now = Date.parse('2026-01-15T12:00:00Z') / 1000;
const complete = (given: Partial<Batch>): Batch =>
  completeBatch(given, { seed: 1, start: now, id: 'batch_a', owner: '', others: () => [], now });

const counts = (total: number, completed: number, failed: number) => ({
  request_counts: { total, completed, failed },
});
const errors = { object: 'list', data: [] };

describe('a batch of which fields are given has the state that they tell of', () => {
  test.each<[given: Partial<Batch>, status: string]>([
    [{}, 'validating'],
    [{ completed_at: now - 60 }, 'completed'],
    [{ failed_at: now - 60 }, 'failed'],
    [{ errors }, 'failed'],
    [{ expired_at: now - 60 }, 'expired'],
    [{ cancelled_at: now - 60 }, 'cancelled'],
    [{ cancelling_at: now - 60 }, 'cancelling'],
    [{ cancelling_at: now - batchLifetime }, 'cancelled'],
    [{ output_file_id: 'file-a' }, 'completed'],
    [{ error_file_id: 'file-a' }, 'completed'],
    [{ finalizing_at: now - 60 }, 'finalizing'],
    [{ finalizing_at: now - batchLifetime }, 'completed'],
    [{ in_progress_at: now - 60 }, 'in_progress'],
    [{ in_progress_at: now - batchLifetime + 2 }, 'in_progress'],
    [{ in_progress_at: now - batchLifetime + 1 }, 'completed'],
    [counts(0, 0, 0), 'validating'],
    [counts(5, 2, 1), 'in_progress'],
    [counts(5, 0, 0), 'in_progress'],
    [counts(5, 3, 2), 'completed'],
    // Of two, what comes later in a batch's life decides.
    [{ in_progress_at: now - 120, finalizing_at: now - 60 }, 'finalizing'],
    [{ in_progress_at: now - 120, cancelling_at: now - 60 }, 'cancelling'],
    [{ in_progress_at: now - 120, completed_at: now - 60 }, 'completed'],
    [{ finalizing_at: now - 120, expired_at: now - 60 }, 'expired'],
    [{ cancelling_at: now - 120, cancelled_at: now - 60 }, 'cancelled'],
    [{ in_progress_at: now - 60, ...counts(5, 3, 1) }, 'in_progress'],
    [{ finalizing_at: now - 60, ...counts(5, 3, 2) }, 'finalizing'],
    // A state that is given goes before all of it.
    [{ status: 'cancelled', output_file_id: 'file-a' }, 'cancelled'],
  ])('%j is %s', (given, status) => {
    const made = complete(given);
    expect(made).toMatchObject({ ...given, status });
    expect([...findBatchMistakes(made, now)]).toEqual([]);
  });

  test('although what is given may contradict itself', () => {
    expect(complete({ cancelling_at: now - 60, output_file_id: 'file-a' }).status).toBe('cancelling');
    expect(complete({ in_progress_at: now - 60, output_file_id: 'file-a' }).status).toBe('completed');
  });

  test('one whose time is over without any of them is completed', () => {
    expect(complete({ created_at: now - batchLifetime }).status).toBe('completed');
    expect(complete({ created_at: now - batchLifetime + 1 }).status).toBe('validating');
  });
});

describe('the counts of a batch agree with its files', () => {
  test.each<
    [given: Partial<Batch>, fits: (counts: { total: number; completed: number; failed: number }) => boolean]
  >([
    [
      { output_file_id: 'file-a', error_file_id: null },
      ({ completed, failed }) => completed > 0 && failed === 0,
    ],
    [
      { output_file_id: null, error_file_id: 'file-a' },
      ({ completed, failed }) => completed === 0 && failed > 0,
    ],
    [
      { output_file_id: 'file-a', error_file_id: 'file-b' },
      ({ completed, failed }) => completed > 0 && failed > 0,
    ],
    [{ output_file_id: null, error_file_id: null, status: 'completed' }, ({ total }) => total === 0],
  ])('%j', (given, fits) => {
    const { request_counts, status, ...files } = complete(given);
    const { total, completed, failed } = request_counts ?? { total: -1, completed: 0, failed: 0 };
    expect(fits({ total, completed, failed })).toBe(true);
    expect([status, completed + failed]).toEqual(['completed', total]);
    expect(files).toMatchObject({ output_file_id: given.output_file_id, error_file_id: given.error_file_id });
  });
});
