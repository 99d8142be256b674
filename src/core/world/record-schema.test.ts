import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { whereItApplies } from '../protocol/contract-types.ts';
import { changesOf, fieldsOf, findBadTimestamps, recordIdSchema } from './record-schema.ts';

const last = 253_402_300_799; // the end of the year 9999

test('finds timestamps outside 1970 to 9999', () => {
  const good = { a_at: 0, b_at: last, f_at: '2026', g_at: null, size: -1, at: -1 };
  expect(findBadTimestamps({ ...good, c_at: -1, d_at: last + 1, e_at: Number.NaN })).toEqual([
    'c_at',
    'd_at',
    'e_at',
  ]);
});

describe('the id of a record', () => {
  test.each(['a', 'run_1', 'x'.repeat(200), '...', 'a/b', 'é', '😀'])('may be "%s"', (id) => {
    expect(recordIdSchema.safeParse(id).success).toBe(true);
  });

  test.each(['.', '..', '__proto__', '\ud800'])('may not be %j', (id) => {
    expect(recordIdSchema.safeParse(id).error?.issues.map(({ message }) => message)).toEqual([
      'not a valid id: it must be well-formed text, not just dots, and not a reserved name',
    ]);
  });

  test.each(['', 'x'.repeat(201)])('has 1 to 200 characters: %#', (id) => {
    expect(recordIdSchema.safeParse(id).error?.issues).toHaveLength(1);
  });
});

const shape = z.object({
  id: z.string(),
  created_at: z.int(),
  note: z.string().exactOptional(),
  open: z.looseObject({ known: z.string().exactOptional() }),
  inner: z.object({ code: z.string(), param: whereItApplies(z.string()) }).nullable(),
  list: z.array(z.object({ size: z.int() })),
});
const fields = fieldsOf(() => shape);

describe('the changes of a collection', () => {
  const changes = z.strictObject(changesOf(fields));

  test('are empty by default', () => {
    expect(changes.parse({})).toEqual({ records: [], deleted: [] });
  });

  test('report all errors among the records together', () => {
    const records = [
      { id: 'a', created_at: -1 },
      { id: 'b', more: 1 },
      { id: 'a', created_at: 1 },
      { id: 'c' },
      { id: 'a', created_at: last + 1 },
      7,
    ];
    const issues = changes.safeParse({ records, deleted: ['x'] }).error?.issues ?? [];
    const texts = issues.flatMap(({ code, path, message }) =>
      code === 'custom' ? [`${path.join('.')}: ${message}`] : [],
    );
    expect(texts).toEqual([
      'records.2.id: the id of another record',
      'records.4.id: the id of another record',
      'records.0.created_at: not a time from 1970 to 9999, in seconds',
      'records.4.created_at: not a time from 1970 to 9999, in seconds',
    ]);
    expect(issues.length).toBe(6);
    expect(changes.safeParse({ records: {} }).error?.issues).toHaveLength(1);
  });
});
