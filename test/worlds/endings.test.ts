// How runs and batches end that a user creates, writes into a scenario, or gives a status.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchStates, runStates } from '../../src/core/assumptions/record-states.ts';
import { openGateway } from '../support/open-gateway.ts';
import { tries } from '../support/settings.ts';

const start = Date.parse('2026-01-15T12:00:00Z') / 1000;
const open = (scenario: object = {}) => openGateway({ scenario: { threads: { t: {} }, ...scenario } });

type Gateway = ReturnType<typeof open>['gateway'];

/** The states of a record with the seconds after the start at which they begin. */
const historyOf = async ({ clock }: Gateway, id: string): Promise<string> => {
  const [history] = await clock.timeline({ search: id });
  return (history?.states ?? []).map(({ status, at }) => `${status} ${at - start}`).join(', ');
};

describe('a created record', () => {
  test('ends at the same age, whatever its id, the seed and the other records', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.stringMatching(/^[a-z]{1,9}$/),
        fc.nat({ max: 4 }),
        async (seed, id, others) => {
          const { gateway } = open({ seed });
          const { runs, batches } = gateway.records;
          for (let count = 0; count < others; count += 1) await runs.create({ thread_id: 't' });
          await runs.create({ thread_id: 't', id: `run_${id}` });
          await batches.create({ id: `batch_${id}` });
          expect(await historyOf(gateway, `run_${id}`)).toBe('queued 0, in_progress 2, completed 30');
          expect(await historyOf(gateway, `batch_${id}`)).toBe(
            'validating 0, in_progress 5, finalizing 600, completed 602',
          );
        },
      ),
      tries(100),
    );
  });

  test.each([
    ['completed', 'queued 0, in_progress 2, completed 30'],
    ['failed', 'queued 0, in_progress 2, failed 30'],
    ['incomplete', 'queued 0, in_progress 2, incomplete 30'],
    ['cancelled', 'queued 0, in_progress 2, cancelling 30, cancelled 35'],
    ['expired', 'queued 0, in_progress 2, expired 600'],
    ['requires_action', 'queued 0, in_progress 2, requires_action 30'],
    ['cancelling', 'queued 0, in_progress 2, cancelling 30'],
    ['in_progress', 'queued 0, in_progress 2'],
    ['queued', 'queued 0'],
  ] as const)('a run that ends %s: %s', async (ends, history) => {
    const { gateway } = open();
    const { id } = await gateway.records.runs.create({ thread_id: 't' }, { ends });
    expect(await historyOf(gateway, id)).toBe(history);
    await gateway.clock.advance('400d');
    expect((await gateway.records.runs.get(id))?.status).toBe(ends);
  });

  test.each([
    ['completed', 'validating 0, in_progress 5, finalizing 600, completed 602'],
    ['failed', 'validating 0, failed 5'],
    ['cancelled', 'validating 0, in_progress 5, cancelling 600, cancelled 1200'],
    ['expired', 'validating 0, in_progress 5, expired 87001'],
    ['cancelling', 'validating 0, in_progress 5, cancelling 600'],
    ['finalizing', 'validating 0, in_progress 5, finalizing 600'],
    ['in_progress', 'validating 0, in_progress 5'],
    ['validating', 'validating 0'],
  ] as const)('a batch that ends %s: %s', async (ends, history) => {
    const { gateway } = open();
    const { id } = await gateway.records.batches.create({}, { ends });
    expect(await historyOf(gateway, id)).toBe(history);
    await gateway.clock.advance('400d');
    expect((await gateway.records.batches.get(id))?.status).toBe(ends);
  });

  test('ends exactly after a given time, which the states between divide evenly', async () => {
    const { gateway } = open();
    const { runs, batches } = gateway.records;
    const run = await runs.create({ thread_id: 't' }, { ends: 'failed', after: '5m' });
    expect(await historyOf(gateway, run.id)).toBe('queued 0, in_progress 150, failed 300');
    const batch = await batches.create({}, { ends: 'cancelled', after: 90 });
    expect(await historyOf(gateway, batch.id)).toBe(
      'validating 0, in_progress 30, cancelling 60, cancelled 90',
    );
    expect((await runs.create({ thread_id: 't' }, { after: 0 })).status).toBe('completed');
  });

  test('with a status and an end begins in that status', async () => {
    const { gateway } = open();
    const { runs } = gateway.records;
    const run = await runs.create(
      { thread_id: 't', status: 'requires_action' },
      { ends: 'failed', after: '1m' },
    );
    expect(run).toMatchObject({
      status: 'requires_action',
      required_action: { type: 'submit_tool_outputs' },
    });
    await gateway.clock.advance('59s');
    expect((await runs.get(run.id))?.status).not.toBe('failed');
    await gateway.clock.advance('1s');
    expect(await runs.get(run.id)).toMatchObject({ status: 'failed', failed_at: start + 60 });
  });
});

describe('setStatus', () => {
  test('leads to completed if that can still be reached', async () => {
    const { gateway } = open();
    const { runs } = gateway.records;
    for (const status of runStates) {
      const { id } = await runs.create({ thread_id: 't' });
      await runs.setStatus(id, status);
      await gateway.clock.advance('5m');
      const cannot = { cancelling: 'cancelled', cancelled: 0, failed: 0, incomplete: 0, expired: 0 };
      const end = status in cannot ? cannot[status as keyof typeof cannot] || status : 'completed';
      expect((await runs.get(id))?.status).toBe(end);
    }
  });

  test('counts `after` from now, and stays in a state that is not final', async () => {
    const { gateway } = open();
    const { runs } = gateway.records;
    const { id } = await runs.create({ thread_id: 't' });
    await gateway.clock.advance('10s');
    await runs.setStatus(id, 'in_progress', { ends: 'failed', after: '1m' });
    await gateway.clock.advance('59s');
    expect((await runs.get(id))?.status).toBe('in_progress');
    await gateway.clock.advance('1s');
    expect(await runs.get(id)).toMatchObject({ status: 'failed', failed_at: start + 70 });
    const waiting = await runs.create({ thread_id: 't' });
    await runs.setStatus(waiting.id, 'requires_action', { ends: 'requires_action' });
    await gateway.clock.advance('2d');
    expect((await runs.get(waiting.id))?.status).toBe('requires_action');
  });
});

test('an ending of a scenario is the same as that of `create`; an export has it as transitions, and no reply has its keys', async () => {
  const endings = fc.record(
    { ends: fc.constantFrom(...batchStates), after: fc.integer({ min: 1, max: 80_000 }) },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(endings, async ({ after, ends }) => {
      const ending = {
        ...(ends && { ends }),
        ...(after && !/expired|validating/.test(ends ?? '') && { after }),
      };
      const created = open();
      await created.gateway.records.batches.create({ id: 'batch_a' }, ending);
      const written = open({ batches: { records: [{ id: 'batch_a', ...ending }] } });
      const copy = openGateway({ scenario: await created.gateway.state.export() });
      for (const time of [0, 4, 6, 500, 1100, 40_000, 86_000, 90_000, 400_000]) {
        const bodies = [];
        for (const { gateway, send } of [created, written, copy]) {
          await gateway.clock.set(start + time);
          bodies.push(send().body);
        }
        expect(bodies[1]).toBe(bodies[0]);
        expect(bodies[2]).toBe(bodies[0]);
        expect(bodies[0]).not.toMatch(/"(ends|after|transitions)"/);
      }
      expect(JSON.stringify(await created.gateway.state.export())).not.toMatch(/"(ends|after)":/);
    }),
    tries(100),
  );
});

test.each([
  [
    {},
    { ends: 'failed', after: '10m' },
    /after: 600 s is too late, since the record expires 600 s from then/,
  ],
  [
    {},
    { ends: 'expired', after: '1m' },
    /after: leave it out, since a record becomes expired at its expires_at/,
  ],
  [{}, { after: '1.5s' }, /after: expected a whole number of seconds from 0 on, but found 1.5 s/],
  [{}, { after: '-1s' }, /after: expected a whole number of seconds/],
  [{}, { after: 'soon' }, /after: Failed to read the duration "soon"/],
  [{}, { ends: 'queued', after: '1m' }, /after: leave it out, since the record is queued from the start/],
  [{ status: 'completed' }, { ends: 'failed' }, /ends: from completed it cannot become failed/],
  [
    { status: 'cancelling' },
    { ends: 'completed' },
    /from cancelling it cannot become completed. It can become: cancelled/,
  ],
] as const)('a run with %j cannot end by %j', async (fields, ending, message) => {
  const { runs } = open().gateway.records;
  const record = { id: 'run_a', ...fields, ...ending };
  await expect(runs.create({ thread_id: 't', ...fields }, ending)).rejects.toThrow(message);
  expect(() => open({ threads: { t: { records: [record] } } })).toThrow(message);
});
