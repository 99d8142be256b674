import { expect, test, vi } from 'vitest';
import { batches } from '../../core/operations/list-batches/record.ts';
import { runs } from '../../core/operations/list-runs/record.ts';
import { loadScenario } from '../../core/scenario/load.ts';
import { kinds } from '../../core/scenario/schema.ts';
import type { Kind, Resource } from '../../core/world/kind.ts';
import { createWorld } from '../../core/world/world.ts';
import { findNextChange, listHistories } from './status-histories.ts';

const threads = (count: number, amount: number) => ({
  threads: Object.fromEntries(Array.from({ length: count }, (_, at) => [`thread_${at}`, { runs: amount }])),
});
const worldOf = (scenario: object) => createWorld(kinds, loadScenario(scenario).scenario);

/** The entries of all runs and batches. */
const entriesIn = (world: ReturnType<typeof worldOf>) =>
  [runs, batches].flatMap((kind) =>
    world
      .lists<Resource>(kind as unknown as Kind)
      .flatMap((list) => list.entries().map((entry) => ({ kind, entry }))),
  );

test('no seeded run or batch changes after its lifespan', () => {
  const world = worldOf({ ...threads(20, 30), batches: 300 });
  for (const { kind, entry } of entriesIn(world))
    for (const { at } of entry.timeline().transitions)
      expect(at).toBeLessThanOrEqual(entry.created_at + (kind.lifespan ?? 0));
});

test('lists those that change next, then those that changed last, as if all were looked at', () => {
  // A written batch with a status ended at once, and seeded ones that are older end after it.
  const records = Array.from({ length: 40 }, (_, at) => ({
    id: `batch_${at}`,
    status: 'completed',
    created_at: Date.parse('2026-01-15T12:00:00Z') / 1000 - 5000 * at,
  }));
  const world = worldOf({ ...threads(20, 30), batches: { seeded: 300, records } });
  for (const offset of [0, -5000, 30, 500, 80_000]) {
    world.clock.set(world.seeding.start + offset);
    const now = world.clock.now();
    const all = listHistories(world, 10_000);
    expect(all).toHaveLength(entriesIn(world).length);
    const nextOf = ({ states }: (typeof all)[number]) => states.find(({ at }) => at > now)?.at;
    const ranks = all.map((one) => nextOf(one) ?? now * 2 - (one.states.at(-1)?.at ?? 0) + 1e9);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    for (const limit of [0, 1, 7, 100, 400]) expect(listHistories(world, limit)).toEqual(all.slice(0, limit));
    const first = all[0] && nextOf(all[0]);
    if (first !== undefined) expect(findNextChange(world)).toBeLessThanOrEqual(first);
  }
});

test('makes only the records that may be among the first', () => {
  const world = worldOf({ ...threads(1, 5000), batches: 5000 });
  const made = vi.fn();
  for (const { kind, entry } of entriesIn(world)) {
    const timeline = entry.timeline.bind(entry);
    entry.timeline = () => {
      made(kind.name);
      return timeline();
    };
  }
  expect(listHistories(world, 10)).toHaveLength(10);
  expect(findNextChange(world)).toBeDefined();
  expect(made.mock.calls.length).toBeLessThan(300);
});
