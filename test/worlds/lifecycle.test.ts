// One world's clock moves, and everything that is listed follows it, in agreement with field notes §4.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findBatchContradictions } from '../../src/conformance/contradictions/batches.ts';
import { findRunContradictions } from '../../src/conformance/contradictions/runs.ts';
import type { Batch } from '../../src/operations/list-batches/types.ts';
import type { Run } from '../../src/operations/list-runs/types.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { tries, volume } from '../support/settings.ts';

const start = Date.parse('2026-01-15T12:00:00Z') / 1000;

const runEnds: readonly string[] = ['completed', 'failed', 'incomplete', 'cancelled', 'expired'];

/** Field notes §4: which state of a run follows which. */
const nextOfRun: Readonly<Record<string, readonly string[]>> = {
  queued: ['in_progress'],
  in_progress: ['completed', 'failed', 'incomplete', 'requires_action', 'cancelling', 'expired'],
  requires_action: ['queued', 'expired', 'cancelling'],
  cancelling: ['cancelled'],
};

const nextOfBatch: Readonly<Record<string, readonly string[]>> = {
  validating: ['in_progress', 'failed', 'cancelling'],
  in_progress: ['finalizing', 'expired', 'cancelling'],
  finalizing: ['completed'],
  cancelling: ['cancelled'],
};

/** Which transitions one world shows is chance, so more worlds follow until each was seen. */
const seeds = Array.from({ length: 20 }, (_, index) => index + 11);

const openLists = (seed: number) => {
  const { gateway, getJson } = openGateway({
    scenario: {
      seed,
      threads: {
        thread_a: { runs: { queued: 20, in_progress: 14, requires_action: 16, cancelling: 3, expired: 4 } },
      },
      batches: { validating: 30, in_progress: 12, finalizing: 3, cancelling: 8, cancelled: 6, expired: 4 },
    },
  });
  const list = async <Item>(path: string, time: number): Promise<Item[]> => {
    await gateway.clock.set(time);
    return getJson(`${path}?limit=100`).data;
  };
  return {
    runsAt: (time: number) => list<Run>('/threads/thread_a/runs', time),
    batchesAt: (time: number) => list<Batch>('/batches', time),
  };
};

/** Adds a state to the ones that a record went through, where it is another. */
const follow = (paths: Map<string, string[]>, { id, status }: { id: string; status: string }): void => {
  const path = paths.get(id) ?? [];
  if (path.at(-1) !== status) paths.set(id, [...path, status]);
};

/** Fails at the first record with errors: a list of them for all records would have thousands of lines. */
const expectNone = (errors: Iterable<string>, where: string): void => {
  const all = [...errors];
  if (all.length > 0) expect(all, where).toEqual([]);
};

/** In full each second. */
const secondsFrom = (first: number, last: number): number[] => {
  const step = volume(1, 3);
  return Array.from({ length: Math.ceil((last - first + 1) / step) }, (_, index) => first + index * step);
};

const findWrongSteps = (path: readonly string[], next: Readonly<Record<string, readonly string[]>>) =>
  path.flatMap((state, index) => {
    const after = path[index + 1];
    return after === undefined || next[state]?.includes(after) ? [] : [`${state} > ${after}`];
  });

describe('by the clock alone', () => {
  test('runs of each fate go through every transition, and agree with their state at any time', async () => {
    const expected = Object.entries(nextOfRun).flatMap(([state, after]) =>
      after.map((one) => `${state} > ${one}`),
    );
    const steps = new Set<string>();
    for (const seed of seeds) {
      const { runsAt } = openLists(seed);
      const paths = new Map<string, string[]>();
      const expired = (await runsAt(start)).filter(({ status }) => status === 'expired');
      const seconds = new Set([
        ...expired
          .slice(0, volume(4, 0))
          .flatMap(({ created_at }) => secondsFrom(created_at, created_at + 601)),
        ...secondsFrom(start - 620, start + 610),
      ]);
      for (const now of [...seconds].sort((a, b) => a - b))
        for (const run of await runsAt(now)) {
          follow(paths, run);
          expectNone(findRunContradictions(run, now), `${run.id} at ${now - start}`);
        }
      const histories = [...paths.values()].filter(([first]) => first === 'queued');
      expect(histories.length).toBeGreaterThan(volume(50, 40));
      for (const path of histories) {
        expect(runEnds).toContain(path.at(-1));
        for (const [at, state] of path.slice(1).entries()) steps.add(`${path[at]} > ${state}`);
      }
      if (expected.every((step) => steps.has(step))) break;
    }
    expect([...steps].sort()).toEqual(expected.sort());
  }, 240_000);

  test('a run whose end passed does not change any more', async () => {
    const { runsAt } = openLists(11);
    const [soon, late] = [await runsAt(start + 1000), await runsAt(start + 400 * 86_400)];
    expect(late.length).toBe(soon.length);
    for (const [at, run] of late.entries()) expect(run).toEqual(soon[at]);
  });

  const isStarted = (path: readonly string[]): boolean => path.includes('in_progress');

  test('a batch of each fate goes through every transition, and agrees with its state before and after each change', async () => {
    // One batch of each end, and one that is cancelled before its start.
    const fates = new Map<string, { batch: Batch; batchesAt: ReturnType<typeof openLists>['batchesAt'] }>();
    for (const seed of seeds) {
      const { batchesAt } = openLists(seed);
      for (const batch of await batchesAt(start + 100_000)) {
        const { status, in_progress_at } = batch;
        const fate = status === 'cancelled' ? `${status} ${in_progress_at === null}` : status;
        if (!fates.has(fate)) fates.set(fate, { batch, batchesAt });
      }
      if (fates.size === 5) break;
    }
    expect([...fates.keys()].sort()).toEqual([
      'cancelled false',
      'cancelled true',
      'completed',
      'expired',
      'failed',
    ]);
    for (const { batch: final, batchesAt } of fates.values()) {
      const { id, created_at: created } = final;
      const times = await findChanges(batchesAt, id, created, created + 90_000);
      const paths = new Map<string, string[]>();
      for (const now of [created, ...times.flatMap((at) => [at - 1, at]), created + 90_000])
        for (const batch of await batchesAt(now)) {
          expectNone(findBatchContradictions(batch, now), batch.id);
          if (batch.id === id) follow(paths, batch);
        }
      const path = paths.get(id) ?? [];
      expect(path[0]).toBe('validating');
      expect(findWrongSteps(path, nextOfBatch)).toEqual([]);
      expect(path).toContain(final.status);
      if (isStarted(path)) expect(times.length).toBeGreaterThan(path.length); // its counts grew between
    }
  }, 240_000);

  /** The seconds in which a batch changes. It never turns back, so that it stood still where both ends are alike. */
  const findChanges = async (
    batchesAt: (time: number) => Promise<Batch[]>,
    id: string,
    from: number,
    to: number,
  ): Promise<number[]> => {
    const read = async (time: number): Promise<string> =>
      JSON.stringify((await batchesAt(time)).find((batch) => batch.id === id));
    const search = async (low: number, before: string, high: number, after: string): Promise<number[]> => {
      if (before === after) return [];
      if (high - low === 1) return [high];
      const middle = Math.floor((low + high) / 2);
      const between = await read(middle);
      return [
        ...(await search(low, before, middle, between)),
        ...(await search(middle, between, high, after)),
      ];
    };
    return search(from, await read(from), to, await read(to));
  };
});

const states = fc.record({
  seed: fc.nat(),
  runs: fc.oneof(
    fc.nat({ max: 30 }),
    fc.record({
      queued: fc.nat({ max: 8 }),
      requires_action: fc.nat({ max: 8 }),
      expired: fc.nat({ max: 4 }),
    }),
  ),
  batches: fc.oneof(
    fc.nat({ max: 30 }),
    fc.record({
      validating: fc.nat({ max: 8 }),
      cancelling: fc.nat({ max: 8 }),
      finalizing: fc.nat({ max: 4 }),
    }),
  ),
  made: fc.nat({ max: 6 }),
});

/** Times near the start, when records are active, and far from it; some lie between two seconds. */
const times = fc
  .oneof(
    fc.integer({ min: -900_000, max: 900_000 }),
    fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
    fc.integer({ min: -200_000_000, max: 200_000_000 }),
  )
  .map((milliseconds) => start + milliseconds / 1000);

/** The text of each record that is listed now, after a check of the invariants. */
const readChecked = ({ send, getJson }: OpenGateway, now: number): string[] => {
  const runs: Run[] = getJson('/threads/thread_a/runs?limit=100').data;
  const batches: Batch[] = getJson('/batches?limit=100').data;
  const checkpoints: { created_at: number }[] = getJson('/fine_tuning/jobs/job_a/checkpoints?limit=100').data;
  for (const run of runs) expectNone(findRunContradictions(run, now), run.id);
  for (const batch of batches) expectNone(findBatchContradictions(batch, now), batch.id);
  for (const { created_at } of [...runs, ...batches, ...checkpoints])
    expect(created_at).toBeLessThanOrEqual(now);
  return ['/threads/thread_a/runs', '/batches', '/fine_tuning/jobs/job_a/checkpoints'].flatMap((path) =>
    (send({ path: `${path}?limit=100` }).body ?? '').split('{"id":'),
  );
};

test('at any time every listed record agrees with its state, and depends on that time alone', async () => {
  await fc.assert(
    fc.asyncProperty(states, fc.array(times, { minLength: 1, maxLength: 6 }), async (given, visited) => {
      const { seed, runs, batches, made } = given;
      const scenario = {
        seed,
        batches,
        threads: { thread_a: { runs } },
        jobs: { job_a: { checkpoints: 6, made } },
      };
      const traveller = openGateway({ scenario });
      for (const time of visited) {
        await traveller.gateway.clock.set(time);
        const fresh = openGateway({
          scenario: { ...scenario, clock: { now: new Date(time * 1000).toISOString() } },
        });
        const [texts, others] = [readChecked(traveller, time), readChecked(fresh, time)];
        const different = texts.findIndex((text, at) => text !== others[at]);
        expect(texts[different]).toBe(others[different]);
        expect(texts.length).toBe(others.length);
      }
    }),
    tries(150),
  );
});
