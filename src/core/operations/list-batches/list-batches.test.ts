import { expect, test } from 'vitest';
import { batchStates } from '../../assumptions/record-states.ts';
import { RecordList } from '../../world/record-list.ts';
import { batches } from './record.ts';

const start = 1_768_478_400;

/** The seeded records, newest first. */
const seed = (amount: number | { in_progress: number }, seedNumber = 42) =>
  new RecordList('', batches.seeds(amount, '', { seed: seedNumber, start })).entries().toReversed();
const seedAll = (...given: Parameters<typeof seed>) => seed(...given).map((entry) => entry.readAt(start));

test('every state occurs in a natural distribution, and about a third of adjacent batches share a second', () => {
  const lists = [1, 2, 3].map((seedNumber) => seedAll(130, seedNumber));
  expect(new Set(lists.flat().map(({ status }) => status))).toEqual(new Set(batchStates));
  for (const all of lists) {
    const ties = all.filter(({ created_at }, index) => created_at === all[index - 1]?.created_at);
    expect(ties.length / 130).toBeGreaterThan(0.2);
    expect(ties.length / 130).toBeLessThan(0.5);
  }
});

test('the counts of a batch only grow while it is worked on', () => {
  for (const entry of seed({ in_progress: 10 })) {
    const handled = Array.from({ length: 200 }, (_, step) => {
      const { completed = 0, failed = 0 } = entry.readAt(start + step * 450).request_counts ?? {};
      return completed + failed;
    });
    expect(handled).toEqual(handled.toSorted((a, b) => a - b));
    expect(new Set(handled).size).toBeGreaterThan(1);
  }
});

test('one batch more changes none of the others', () => {
  expect(seedAll(61).slice(0, 60)).toEqual(seedAll(60));
});
