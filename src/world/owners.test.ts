import { expect, test } from 'vitest';
import { withChangesOf, withOwners } from './owners.ts';

const parts = { thread_b: { runs: 2 }, thread_a: { runs: 1 } };
const change = (made: readonly string[], deleted: readonly string[]) => ({
  records: made.map((id) => ({ id, created_at: 0 })),
  deleted,
});
const blank = { runs: 0 };

test('an owner that is taken out leaves the scenario, and the others stay', () => {
  expect(withOwners(parts, change([], ['thread_b']), blank)).toEqual({ thread_a: { runs: 1 } });
  expect(withOwners(parts, change([], []), blank)).toEqual(parts);
});

test('an owner that is made comes first, the newest before the others, with nothing in it', () => {
  const made = withOwners(parts, change(['thread_c', 'thread_d', 'thread_a'], []), blank);
  expect(Object.entries(made)).toEqual([
    ['thread_d', blank],
    ['thread_c', blank],
    ['thread_b', { runs: 2 }],
    ['thread_a', { runs: 1 }],
  ]);
});

test('an owner that is taken out and made again has nothing in it', () => {
  expect(Object.entries(withOwners(parts, change(['thread_b'], ['thread_b']), blank))).toEqual([
    ['thread_b', blank],
    ['thread_a', { runs: 1 }],
  ]);
});

test('an owner may be called as what every object has', () => {
  expect(Object.keys(withOwners(parts, change(['constructor'], []), blank))[0]).toBe('constructor');
});

test('the changes of one owner are those of no other', () => {
  const lists = {
    thread_a: { records: ['old'], deleted: [], runs: 1 },
    thread_b: { records: [], deleted: [], runs: 2 },
  };
  const records = [{ id: 'run_1', created_at: 0 }];
  const changed: Record<string, { records: readonly unknown[]; deleted: readonly unknown[]; runs: number }> =
    withChangesOf<{ records: unknown[]; deleted: unknown[]; runs: number }>(lists, 'thread_a', {
      records,
      deleted: ['run_2'],
    });
  expect(changed).toEqual({ ...lists, thread_a: { records, deleted: ['run_2'], runs: 1 } });
  expect(withChangesOf(lists, 'thread_c', { records: [], deleted: [] })).toBe(lists);
});
