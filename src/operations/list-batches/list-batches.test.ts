import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../../test/support/settings.ts';
import { findBatchContradictions } from '../../conformance/contradictions/batches.ts';
import { type BatchState, batchStates } from '../../protocol/record-states.ts';
import { RecordList } from '../../world/record-list.ts';
import { batchSchema } from './contract.ts';
import { batches } from './record.ts';

const start = 1_768_478_400;
const day = 86_400;

/** The seeded records, newest first. */
const seed = (amount: number | Partial<Record<BatchState, number>>, seedNumber = 42) => {
  const seeds = batches.seeds(amount, '', { seed: seedNumber, start });
  const entries = new RecordList('', seeds).entries().toReversed();
  const get = (index: number) => {
    const found = entries[index];
    if (found === undefined) throw new Error(`There is no record ${index}.`);
    return found;
  };
  return {
    createdAt: (index: number) => get(index).created_at,
    at: (index: number, now = start) => get(index).at(now),
    all: (now = start) => entries.map((entry) => entry.at(now)),
  };
};

test('every state occurs in a natural distribution, and about a third of adjacent batches share a second', () => {
  const lists = [1, 2, 3].map((seedNumber) => seed(130, seedNumber).all());
  expect(new Set(lists.flat().map(({ status }) => status))).toEqual(new Set(batchStates));
  for (const all of lists) {
    const ties = all.filter(({ created_at }, index) => created_at === all[index - 1]?.created_at);
    expect(ties.length / 130).toBeGreaterThan(0.2);
    expect(ties.length / 130).toBeLessThan(0.5);
  }
});

test('every batch keeps to the contract and to its own state, at the start and at any later time', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.nat({ max: 60 }),
      fc.integer({ min: -2 * day, max: 2 * day }),
      (seedNumber, rank, later) => {
        const source = seed(61, seedNumber);
        const now = start + later;
        fc.pre(source.createdAt(rank) <= now);
        const seen = source.at(rank, now);
        expect(batchSchema.parse(seen)).toEqual(seen);
        expect([...findBatchContradictions(seen, now)]).toEqual([]);
      },
    ),
    tries(500),
  );
});

test('the counts of a batch only grow while it is worked on', () => {
  const source = seed({ in_progress: 10 });
  for (const rank of source.all().keys()) {
    const handled = Array.from({ length: 200 }, (_, step) => {
      const { completed = 0, failed = 0 } = source.at(rank, start + step * 450).request_counts ?? {};
      return completed + failed;
    });
    expect(handled).toEqual(handled.toSorted((a, b) => a - b));
    expect(new Set(handled).size).toBeGreaterThan(1);
  }
});

test('one batch more changes none of the others', () => {
  expect(seed(61).all().slice(0, 60)).toEqual(seed(60).all());
});
