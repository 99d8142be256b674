// Runs and batches that a user writes without a status, or whose status a user sets, change with the clock as seeded ones do.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchStates, runStates } from '../../src/core/assumptions/record-states.ts';
import { findBatchContradictions } from '../../src/tools/conformance/contradictions/batches.ts';
import { findRunContradictions } from '../../src/tools/conformance/contradictions/runs.ts';
import { openGateway } from '../support/open-gateway.ts';
import { tries, volume } from '../support/settings.ts';

const day = 86_400;
const open = (seed = 1) => openGateway({ scenario: { seed, threads: { t: {} } } }).gateway;

type Gateway = ReturnType<typeof open>;

const now = async ({ clock }: Gateway): Promise<number> => Date.parse((await clock.now()).now) / 1000;

/** The records as they are at some times, each in agreement with its state. */
const readLater = async (gateway: Gateway): Promise<unknown[]> => {
  const seen: unknown[] = [];
  for (const step of [0, 5, 30, 500, 3000, day, 14 * day]) {
    await gateway.clock.advance(`${step}s`);
    const time = Math.floor(await now(gateway));
    const [runs, batches] = [await gateway.records.runs.list(), await gateway.records.batches.list()];
    const found = [
      // The clock may be behind: what was written stays.
      ...runs.flatMap((run) => [...findRunContradictions(run, Math.max(run.created_at, time))]),
      ...batches.flatMap((batch) => [...findBatchContradictions(batch, Math.max(batch.created_at, time))]),
    ];
    expect(found.filter(isUnexpected)).toEqual([]);
    seen.push(runs, batches);
  }
  return seen;
};

const ends = {
  runs: ['completed', 'failed', 'incomplete', 'cancelled', 'expired'],
  batches: ['completed', 'failed', 'cancelled', 'expired'],
};

describe('setStatus', () => {
  const steps = fc.array(
    fc.record({ wait: fc.constantFrom(0, 1, 40, 700, 2 * day, -50, -2 * day), at: fc.nat() }),
    {
      maxLength: 4,
    },
  );

  test.each(['runs', 'batches'] as const)(
    '%s agree with whatever state is set, live on, and are exported',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(steps, fc.nat({ max: 50 }), async (sets, seed) => {
          const gateway = open(seed);
          const { runs, batches } = gateway.records;
          const { id } = kind === 'runs' ? await runs.create({ thread_id: 't' }) : await batches.create({});
          for (const { wait, at } of sets) {
            await gateway.clock.advance(`${wait}s`);
            const { created_at } = (await gateway.records[kind].get(id)) ?? { created_at: 0 };
            const time = Math.max(created_at, Math.floor(await now(gateway))); // the clock may be behind
            if (kind === 'runs') {
              const status = runStates[at % runStates.length] ?? 'queued';
              const run = await runs.setStatus(id, status);
              expect(run.status).toBe(status);
              expect([...findRunContradictions(run, time)].filter(isUnexpected)).toEqual([]);
              expect(await runs.get(id)).toEqual(run);
            } else {
              const status = batchStates[at % batchStates.length] ?? 'validating';
              const batch = await batches.setStatus(id, status);
              expect(batch.status).toBe(status);
              expect([...findBatchContradictions(batch, time)].filter(isUnexpected)).toEqual([]);
              expect(await batches.get(id)).toEqual(batch);
            }
          }
          const copy = openGateway({ scenario: await gateway.state.export() }).gateway;
          expect(await readLater(copy)).toEqual(await readLater(gateway));
          const ended = kind === 'runs' ? await runs.get(id) : await batches.get(id);
          expect(ends[kind]).toContain(ended?.status);
        }),
        tries(100),
      );
    },
  );

  test('keeps what has been reached, and sets the rest at the time of the clock', async () => {
    const gateway = open();
    const { runs } = gateway.records;
    const { id } = await runs.create({ thread_id: 't' });
    const started = await runs.setStatus(id, 'in_progress');
    await gateway.clock.advance('1s');
    const run = await runs.setStatus(id, 'completed');
    expect(run).toMatchObject({
      started_at: started.started_at,
      completed_at: await now(gateway),
      expires_at: null,
    });
    expect(await runs.setStatus(id, 'queued')).toMatchObject({
      started_at: null,
      completed_at: null,
      usage: null,
    });
  });

  test('of an old record leads to later changes in order of time, also if it expires', async () => {
    const gateway = open();
    const { runs, batches } = gateway.records;
    const ids = await Promise.all(
      Array.from({ length: volume(60, 15) }, async () => [
        await runs.create({ thread_id: 't' }),
        await batches.create({}),
      ]),
    );
    await gateway.clock.advance('2d');
    for (const [run, batch] of ids) {
      await runs.setStatus(run?.id ?? '', 'queued');
      await batches.setStatus(batch?.id ?? '', 'validating');
    }
    const { threads = {}, batches: changed } = await gateway.state.export();
    for (const { transitions = [] } of [...Object(threads).t.records, ...Object(changed).records]) {
      const times = Array.from(transitions, (one) => Object(one).at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });
});

/** A record may be set to expired before its lifetime is over, and to another state after it. */
const isUnexpected = (error: string): boolean =>
  !/before expires_at in expired$|^expired before|^still .* after its expiry/.test(error);
