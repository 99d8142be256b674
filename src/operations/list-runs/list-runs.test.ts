import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../../test/support/settings.ts';
import { findRunContradictions } from '../../conformance/contradictions/runs.ts';
import { type RunState, runStates } from '../../protocol/record-states.ts';
import { RecordList } from '../../world/record-list.ts';
import { runSchema } from './contract.ts';
import { runs } from './record.ts';

const start = 1_768_478_400;

/** The seeded records, newest first. */
const seed = (amount: number | Partial<Record<RunState, number>>, seedNumber = 42) => {
  const seeds = runs.seeds({ thread_a: { runs: amount, records: [], deleted: [] } }, 'thread_a', {
    seed: seedNumber,
    start,
  });
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

test('every ended state occurs among a few hundred runs, and most have completed', () => {
  const states = seed(257)
    .all()
    .map(({ status }) => status);
  for (const state of ['completed', 'failed', 'incomplete', 'cancelled', 'expired'])
    expect(states).toContain(state);
  expect(states.filter((status) => status === 'completed').length).toBeGreaterThan(257 / 2);
});

test('every run keeps to the contract and to its own state, at the start and at any later time', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.nat({ max: 60 }),
      fc.integer({ min: -700, max: 1300 }),
      (seedNumber, rank, later) => {
        const source = seed(61, seedNumber);
        const now = start + later;
        fc.pre(source.createdAt(rank) <= now);
        const seen = source.at(rank, now);
        expect(runSchema.parse(seen)).toEqual(seen);
        expect([...findRunContradictions(seen, now)]).toEqual([]);
      },
    ),
    tries(500),
  );
});

test('exact numbers of states are met exactly, and each run agrees with its state', () => {
  const amount = fc.record(
    Object.fromEntries(runStates.map((state) => [state, fc.nat({ max: 15 })])) as Record<
      RunState,
      fc.Arbitrary<number>
    >,
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(amount, fc.nat(), (wanted, seedNumber) => {
      const all = seed(wanted, seedNumber).all();
      for (const state of runStates)
        expect(all.filter(({ status }) => status === state)).toHaveLength(wanted[state] ?? 0);
      for (const one of all) expect([...findRunContradictions(one, start)]).toEqual([]);
    }),
    tries(60),
  );
});

test('no run of a natural distribution begins before the one ahead of it has ended, and one at the most is active', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 700 }), (seedNumber, later) => {
      const all = seed(40, seedNumber).all(start + later);
      const ended = ['cancelled', 'failed', 'completed', 'incomplete', 'expired'];
      expect(all.slice(1).filter(({ status }) => !ended.includes(status))).toEqual([]);
      for (const [index, { created_at }] of all.entries()) {
        const { completed_at, failed_at, cancelled_at, started_at } = all[index + 1] ?? {};
        expect(completed_at ?? failed_at ?? cancelled_at ?? started_at ?? 0).toBeLessThanOrEqual(created_at);
      }
    }),
  );
});

test('runs are newest first, and one run more changes none of the others', () => {
  const [few, more] = [seed(60), seed(61)];
  const times = few.all().map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(more.all().slice(0, 60)).toEqual(few.all());
});
