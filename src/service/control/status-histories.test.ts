import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { openGateway } from '../../../test/support/open-gateway.ts';
import { tries } from '../../../test/support/settings.ts';
import { batches } from '../../core/operations/list-batches/record.ts';
import { runs } from '../../core/operations/list-runs/record.ts';
import { loadScenario } from '../../core/scenario/load.ts';
import { kinds } from '../../core/scenario/scenario-schema.ts';
import type { Kind, Resource } from '../../core/world/kind.ts';
import { lifespanOf } from '../../core/world/lifecycle.ts';
import { World } from '../../core/world/world.ts';
import { findNextChange, listHistories } from './status-histories.ts';

const threads = (count: number, amount: number) => ({
  threads: Object.fromEntries(Array.from({ length: count }, (_, at) => [`thread_${at}`, { runs: amount }])),
});
const worldOf = (scenario: object) => new World(kinds, loadScenario(scenario).scenario);

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
      expect(at).toBeLessThanOrEqual(entry.created_at + lifespanOf(kind.lifecycle));
});

const start = Date.parse('2026-01-15T12:00:00Z') / 1000;

test('a written record that is older than ended seeded ones is what changes next', async () => {
  const { clock, records } = openGateway({ scenario: { batches: { completed: 40 } } }).gateway;
  const oldest = (await records.batches.list()).at(-1)?.id ?? '';
  await records.batches.setStatus(oldest, 'in_progress');
  const { states = [] } = (await clock.timeline({ limit: 1 }))[0] ?? {};
  const next = states.find(({ at }) => at > start)?.at ?? 0;
  expect(await clock.upcoming()).toBe(new Date(next * 1000).toISOString());
  await clock.next();
  expect((await records.batches.get(oldest))?.status).not.toBe('in_progress');
});

/** What a record of a scenario has: any age, any status or none, and some transitions or none. */
const written = fc.record(
  {
    created_at: fc.integer({ min: start - 200_000, max: start + 2000 }),
    status: fc.constantFrom('in_progress', 'completed', 'cancelling'),
    transitions: fc.array(
      fc.record({
        at: fc.integer({ min: start - 2000, max: start + 2000 }),
        set: fc.constantFrom({ status: 'completed' }, { status: 'cancelling' }, { metadata: {} }),
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['created_at'] },
);

const worlds = fc.record({
  seed: fc.nat(),
  runs: fc.oneof(
    fc.nat({ max: 20 }),
    fc.record({ queued: fc.nat({ max: 3 }), completed: fc.nat({ max: 20 }) }),
  ),
  batches: fc.oneof(
    fc.nat({ max: 30 }),
    fc.record({ cancelling: fc.nat({ max: 2 }), failed: fc.nat({ max: 30 }) }),
  ),
  writtenRuns: fc.array(written, { maxLength: 4 }),
  writtenBatches: fc.array(written, { maxLength: 4 }),
  /** Which seeded records get another status. */
  changed: fc.array(fc.nat({ max: 60 }), { maxLength: 3 }),
  offset: fc.oneof(fc.integer({ min: -3000, max: 3000 }), fc.integer({ min: -200_000, max: 200_000 })),
});

type WorldPlan = Parameters<Parameters<typeof worlds.map>[0]>[0];

const buildWorld = ({ seed, runs: count, batches: seeded, changed, ...plan }: WorldPlan) => {
  const inOrder = (records: WorldPlan['writtenRuns'], name: string) =>
    records.map(({ transitions, ...record }, index) => ({
      ...record,
      id: `${name}_${index}`,
      ...(transitions && { transitions: transitions.toSorted((a, b) => a.at - b.at) }),
    }));
  const world = worldOf({
    seed,
    threads: { t: { runs: count, records: inOrder(plan.writtenRuns, 'run') } },
    batches: { seeded, records: inOrder(plan.writtenBatches, 'batch') },
  });
  const entries = entriesIn(world);
  for (const index of changed) {
    const { kind, entry } = entries[index] ?? {};
    if (kind === undefined || entry === undefined) continue;
    const own = kind as unknown as Kind;
    const list = world.listWith(own, entry.id);
    const timeline = own.enter?.(
      entry.readAt(world.clock.now()),
      'in_progress',
      world.writeContext(own, entry.owner),
    );
    if (timeline !== undefined) list?.write(timeline);
  }
  world.clock.set(start + plan.offset);
  return world;
};

/** The status of each run and batch at a time; those that are not there yet have none. */
const statusesAt = (world: ReturnType<typeof worldOf>, time: number): string => {
  world.clock.set(time);
  return JSON.stringify(
    entriesIn(world).map(({ entry }) => [entry.id, Reflect.get(entry.readAt(time), 'status')]),
  );
};

test('a state that takes no time is no change', () => {
  // This run waits for the outputs of a tool, and is queued again, within the second 1768478397.
  const world = worldOf({ seed: 769872273, threads: { t: { runs: 1 } } });
  world.clock.set(1768478396);
  const states = [
    { status: 'queued', at: 1768478382 },
    { status: 'cancelling', at: 1768478400 },
    { status: 'cancelled', at: 1768478799 },
  ];
  expect(listHistories(world, 1)).toMatchObject([{ states }]);
  expect(findNextChange(world)).toBe(1768478400);
});

test('the next change is the first time at which a status differs, whatever is written and wherever the clock is', () => {
  fc.assert(
    fc.property(worlds, (plan) => {
      const world = buildWorld(plan);
      const now = world.clock.now();
      const next = findNextChange(world);
      world.clock.set(start + 10_000_000); // when all records are there
      const times = entriesIn(world).flatMap(({ entry }) => [
        entry.created_at,
        ...entry.timeline().transitions.map(({ at }) => at),
      ]);
      const later = [...new Set(times)].filter((time) => time > now).sort((a, b) => a - b);
      const before = statusesAt(world, now);
      expect(next).toBe(later.find((time) => statusesAt(world, time) !== before));
    }),
    tries(300),
  );
});

test('a timeline is the first part of all histories in their order, whatever is written and wherever the clock is', () => {
  fc.assert(
    fc.property(
      worlds,
      fc.nat({ max: 60 }),
      fc.constantFrom('', 't', 'run', 'batch_1'),
      (plan, limit, search) => {
        const world = buildWorld(plan);
        const now = world.clock.now();
        const rankOf = ({ states }: ReturnType<typeof listHistories>[number]): number => {
          const next = states.slice(1).find(({ at }) => at > now)?.at;
          return next ?? 1e12 - (states.at(-1)?.at ?? 0);
        };
        const all = listHistories(world, 10_000, search);
        const matching = entriesIn(world).filter(({ entry }) =>
          `${entry.id} ${entry.owner}`.toLowerCase().includes(search),
        );
        expect(all.map(({ id }) => id).sort()).toEqual(matching.map(({ entry }) => entry.id).sort());
        const ranks = all.map(rankOf);
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        expect(listHistories(world, limit, search)).toEqual(all.slice(0, limit));
      },
    ),
    tries(300),
  );
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
