import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openGateway } from '../../../test/support/open-gateway.ts';
import { tries } from '../../../test/support/settings.ts';
import type { Scenario } from '../../index.ts';
import type { Checkpoint } from './contract.ts';
import { findCheckpointMistakes } from './invariants.ts';

const start = Date.parse('2026-01-15T12:00:00Z') / 1000;

const seeds = fc.nat({ max: 1000 });

describe('a checkpoint written by hand', () => {
  const job = { fine_tuning_job_id: 'job_a' };

  const openJob = (jobs: Scenario['jobs'], seed = 1) => {
    const { gateway } = openGateway({ scenario: { seed, jobs } });
    const { create, list } = gateway.records.checkpoints;
    return {
      clock: gateway.clock,
      create: (given: Partial<Checkpoint> = {}) => create({ ...job, ...given }),
      list: () => list(job),
    };
  };

  test('is the newest, and goes on from the one before', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.integer({ min: 2, max: 30 }), async (seed, size) => {
        const { create, list } = openJob({ job_a: { checkpoints: size } }, seed);
        const [last, before] = (await list()) as [Checkpoint, Checkpoint];
        const made = await create();
        expect((await list())[0]).toEqual(made);
        expect(made.step_number - last.step_number).toBe(last.step_number - before.step_number);
        expect(made.metrics.step).toBe(made.step_number);
        expect(made.metrics.train_loss).toBeLessThan((last.metrics.train_loss ?? 0) + 0.1);
        // The model that the training ended with keeps its name, and each checkpoint is a model of its own.
        const [own, name] = [made, last].map((one) => one.fine_tuned_model_checkpoint.split(':'));
        expect(own?.slice(0, 4)).toEqual(name?.slice(0, 4));
        expect(own?.[4]).toMatch(/^\w{8}$/);
        expect(own?.[4]).not.toBe(name?.[4]);
        expect(own?.[5]).toBe(`ckpt-step-${made.step_number}`);
      }),
      tries(50),
    );
  });

  test('stands between those that there are and those to come', async () => {
    const givens = fc.array(
      fc.oneof(
        fc.constant({}),
        fc.record({ step_number: fc.integer({ min: 1, max: 700 }) }),
        fc.record({ created_at: fc.integer({ min: start - 4000, max: start }) }),
      ),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(seeds, fc.nat({ max: 12 }), givens, async (seed, made, some) => {
        const { clock, create, list } = openJob({ job_a: { checkpoints: 12, made } }, seed);
        const isToCome = made < 12;
        for (const given of some) {
          const steps = (await list()).map(({ step_number }) => step_number);
          // One that is further than the clock, or the same once more, cannot agree.
          if ('step_number' in given && given.step_number >= Math.max(0, ...steps)) continue;
          if ('step_number' in given && steps.includes(given.step_number)) continue;
          expect(await create(given)).toMatchObject(given);
          await clock.advance('9s'); // two of one second leave no room between them
        }
        await clock.advance('2d');
        const all = await list();
        const steps = all.map(({ step_number }) => step_number);
        expect(steps).toEqual(steps.toSorted((a, b) => b - a));
        if (isToCome)
          expect([...findCheckpointMistakes(all, true)].filter(([, one]) => !/come/.test(one))).toEqual([]);
      }),
      tries(150),
    );
  });

  test('without others is the model itself, and one behind it is a step on the way to one', async () => {
    const { create } = openJob({ job_a: {} });
    const first = await create();
    expect(first.fine_tuned_model_checkpoint).not.toContain('ckpt-step');
    const next = await create();
    const trained = first.fine_tuned_model_checkpoint.replace(/:\w{8}$/, '');
    expect(next.fine_tuned_model_checkpoint).toMatch(
      new RegExp(`^${trained}:\\w{8}:ckpt-step-${next.step_number}$`),
    );
  });

  test('goes on from those written by hand: their model, and their spacing', async () => {
    const step = (step_number: number, name: string) => ({
      id: `step_${step_number}`,
      created_at: start - 1000 + step_number,
      step_number,
      fine_tuned_model_checkpoint: name,
    });
    const records = [step(88, 'ft:mine:ckpt-step-88'), step(176, 'ft:mine:ckpt-step-176')];
    const { create } = openJob({ job_a: { records } });
    const { step_number, fine_tuned_model_checkpoint } = await create();
    expect(step_number).toBe(264);
    expect(fine_tuned_model_checkpoint).toMatch(/^ft:mine:\w{8}$/);
  });

  test('has no step that its own state could not be loaded with', async () => {
    const { create } = openJob({ job_a: { checkpoints: 2 } });
    await create({ step_number: Number.MAX_SAFE_INTEGER });
    expect((await create()).step_number).toBe(Number.MAX_SAFE_INTEGER);
    expect((await create({ metrics: { step: 1e300 } })).step_number).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('has a step among its metrics, unless another is given', async () => {
    const { create } = openJob({ job_a: { checkpoints: 3 } });
    for (const metrics of [{}, { train_loss: 1 }]) {
      const made = await create({ metrics });
      expect(made.metrics).toEqual({ ...metrics, step: made.step_number });
    }
    const given = { step_number: 7, metrics: { step: 8 } };
    expect(await create(given)).toMatchObject(given);
    const records = [{ id: 'ckpt_mine', metrics: { train_loss: 1 } }];
    const [written] = await openJob({ job_a: { records } }).list();
    expect(written?.metrics).toEqual({ step: written?.step_number, train_loss: 1 });
  });
});
