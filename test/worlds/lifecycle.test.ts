// One world's clock moves, and everything that is listed follows it, in agreement with field notes §4.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Batch } from '../../src/core/operations/list-batches/types.ts';
import type { Run } from '../../src/core/operations/list-runs/types.ts';
import { findBatchContradictions } from '../../src/tools/conformance/contradictions/batches.ts';
import { findRunContradictions } from '../../src/tools/conformance/contradictions/runs.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { volume } from '../support/settings.ts';

const start = Date.parse('2026-01-15T12:00:00Z') / 1000;

/** Field notes §4: which state follows which. */
const nextOf: Readonly<Record<'runs' | 'batches', Readonly<Record<string, readonly string[]>>>> = {
  runs: {
    queued: ['in_progress'],
    in_progress: ['completed', 'failed', 'incomplete', 'requires_action', 'cancelling', 'expired'],
    requires_action: ['queued', 'expired', 'cancelling'],
    cancelling: ['cancelled'],
  },
  batches: {
    validating: ['in_progress', 'failed', 'cancelling'],
    in_progress: ['finalizing', 'expired', 'cancelling'],
    finalizing: ['completed'],
    cancelling: ['cancelled'],
  },
};

const openActive = (seed: number) =>
  openGateway({
    scenario: {
      seed,
      threads: {
        thread_a: { runs: { queued: 20, in_progress: 14, requires_action: 16, cancelling: 3, expired: 4 } },
      },
      batches: { validating: 30, in_progress: 12, finalizing: 3, cancelling: 8, cancelled: 6, expired: 4 },
    },
  }).gateway;

/** Fails at the first record with errors: a list of them for all records would have thousands of lines. */
const expectNone = (errors: Iterable<string>, where: string): void => {
  const all = [...errors];
  if (all.length > 0) expect(all, where).toEqual([]);
};

test.each(['runs', 'batches'] as const)(
  '%s go through every transition, and agree with their state before and after each',
  async (kind) => {
    const next = nextOf[kind];
    const expected = Object.entries(next).flatMap(([state, after]) =>
      after.map((one) => `${state} > ${one}`),
    );
    const steps = new Set<string>();
    // Which transitions one world shows is chance, so more worlds follow until each was seen.
    for (let seed = 11; seed < 31 && !expected.every((step) => steps.has(step)); seed += 1) {
      const { clock, records } = openActive(seed);
      const started = new Map<string, number>();
      const readAt = async (id: string, now: number): Promise<string | undefined> => {
        await clock.set(now);
        if (kind === 'runs') {
          const run = await records.runs.get(id);
          if (run !== undefined) expectNone(findRunContradictions(run, now), id);
          // A run that is queued again after an action has started all the same.
          const { started_at = null } = run ?? {};
          expect(started_at).toBe(started.get(id) ?? started_at);
          if (started_at !== null) started.set(id, started_at);
          return run?.status;
        }
        const batch = await records.batches.get(id);
        if (batch !== undefined) expectNone(findBatchContradictions(batch, now), id);
        return batch?.status;
      };
      for (const history of await clock.timeline({ limit: 1000 })) {
        if (history.kind !== kind) continue;
        const { id, states } = history;
        for (const [index, { status, at }] of states.entries()) {
          const before = states[index - 1];
          if (before) steps.add(`${before.status} > ${status}`);
          if (before?.at !== at) expect(await readAt(id, at - 1)).toBe(before?.status);
          if (states[index + 1]?.at !== at) expect(await readAt(id, at)).toBe(status);
        }
        const last = states.at(-1)?.status ?? '';
        expect(next).not.toHaveProperty(last);
        expect(await readAt(id, start + 400 * 86_400)).toBe(last);
      }
    }
    expect([...steps].sort()).toEqual(expected.sort());
  },
);

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
    { numRuns: volume(150, 5) },
  );
});
