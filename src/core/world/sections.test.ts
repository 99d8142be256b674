import { expect, test } from 'vitest';
import { withChangesOf, withKeys } from './sections.ts';

const parts: Record<string, { runs: number }> = { thread_b: { runs: 2 }, thread_a: { runs: 1 } };
const blank = { runs: 0 };
const withOwners = (made: readonly string[], deleted: string[]) =>
  withKeys(parts, { records: made.map((id) => ({ id })), deleted }, (_, before = blank) => before);

test('an owner that is made comes first, the newest before the others, with nothing in it', () => {
  const made = withOwners(['thread_c', 'thread_d', 'thread_a'], []);
  expect(Object.entries(made)).toEqual([
    ['thread_d', blank],
    ['thread_c', blank],
    ['thread_b', { runs: 2 }],
    ['thread_a', { runs: 1 }],
  ]);
});

test('an owner that is taken out leaves the scenario; made again, it has nothing in it', () => {
  expect(withOwners([], ['thread_b'])).toEqual({ thread_a: { runs: 1 } });
  expect(withOwners(['thread_b'], ['thread_b'])).toEqual({ thread_b: blank, thread_a: { runs: 1 } });
});

test('the part of a record may be the record itself, which replaces the one with its id in its place', () => {
  const records = [
    { id: 'thread_a', runs: 8 },
    { id: 'thread_c', runs: 9 },
  ];
  expect(Object.entries(withKeys(parts, { records, deleted: [] }, ({ runs }) => ({ runs })))).toEqual([
    ['thread_c', { runs: 9 }],
    ['thread_b', { runs: 2 }],
    ['thread_a', { runs: 8 }],
  ]);
});

test('the changes of one owner are those of no other', () => {
  const lists = {
    thread_a: { records: [{ id: 'old' }], deleted: [], runs: 1 },
    thread_b: { records: [], deleted: [], runs: 2 },
  };
  const records = [{ id: 'run_1', created_at: 0 }];
  const changed = withChangesOf(lists, 'thread_a', { records, deleted: ['run_2'] });
  expect(changed).toEqual({ ...lists, thread_a: { records, deleted: ['run_2'], runs: 1 } });
  expect(withChangesOf(lists, 'thread_c', { records: [], deleted: [] })).toBe(lists);
});
