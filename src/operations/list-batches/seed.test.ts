import { describe, expect, test } from 'vitest';
import type { Batch } from './contract.ts';
import { completeBatch } from './seed.ts';

const now = Date.parse('2026-01-15T12:00:00Z') / 1000;
const complete = (given: Partial<Batch>): Batch =>
  completeBatch(
    { status: 'completed', ...given },
    { seed: 1, start: now, id: 'batch_a', owner: '', others: () => [], now },
  );

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
    [{ output_file_id: null, error_file_id: null }, ({ total }) => total === 0],
  ])('%j', (given, fits) => {
    const { request_counts, status, ...files } = complete(given);
    const { total, completed, failed } = request_counts ?? { total: -1, completed: 0, failed: 0 };
    expect(fits({ total, completed, failed })).toBe(true);
    expect([status, completed + failed]).toEqual(['completed', total]);
    expect(files).toMatchObject({ output_file_id: given.output_file_id, error_file_id: given.error_file_id });
  });
});
