import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordList } from '../../world/record-list.ts';
import { runs } from './record.ts';

const start = 1_768_478_400;

/** The seeded records, newest first. */
const seed = (runsOfThread: number, seedNumber = 42, now = start) => {
  const part = { thread_a: { runs: runsOfThread, records: [], deleted: [] } };
  const seeds = runs.seeds(part, 'thread_a', { seed: seedNumber, start });
  return new RecordList('', seeds)
    .entries()
    .toReversed()
    .map((entry) => entry.readAt(now));
};

test('every ended state occurs among a few hundred runs, and most have completed', () => {
  const states = seed(257).map(({ status }) => status);
  for (const state of ['completed', 'failed', 'incomplete', 'cancelled', 'expired'])
    expect(states).toContain(state);
  expect(states.filter((status) => status === 'completed').length).toBeGreaterThan(257 / 2);
});

test('no run of a natural distribution begins before the one ahead of it has ended, and one at the most is active', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 0, max: 700 }), (seedNumber, later) => {
      const all = seed(40, seedNumber, start + later);
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
  const times = few.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(more.slice(0, 60)).toEqual(few);
});
