import { describe, expect, test } from 'vitest';
import type { Control } from '../../src/service/control/control-interface.ts';
import { openGateway } from '../support/open-gateway.ts';
import { smallScenario } from '../support/read-world.ts';

const noon = '2026-01-15T12:00:00.000Z';
const lists = [
  '/threads/thread_a/runs?limit=100',
  '/batches?limit=100',
  '/fine_tuning/jobs/job_a/checkpoints',
];

const open = () => {
  const { gateway, send, getJson } = openGateway({ scenario: smallScenario });
  const bodies = (): (string | null)[] => lists.map((path) => send({ path }).body);
  return { ...gateway, getJson, bodies };
};

describe('the clock', () => {
  test("stands still at the scenario's start, and is moved and set", async () => {
    const { clock } = open();
    expect(await clock.now()).toEqual({ now: noon, speed: 0 });
    expect((await clock.advance('250ms')).now).toBe('2026-01-15T12:00:00.250Z');
    expect((await clock.advance(-1.5)).now).toBe('2026-01-15T11:59:58.750Z');
    expect((await clock.set('2026-02-01T01:00:00.5+01:00')).now).toBe('2026-02-01T00:00:00.500Z');
    expect((await clock.set(0)).now).toBe('1970-01-01T00:00:00.000Z');
    expect(await clock.now()).toEqual({ now: '1970-01-01T00:00:00.000Z', speed: 0 });
    expect((await clock.run()).speed).toBe(1);
  });

  test.each<[(clock: Control['clock']) => Promise<unknown>, words: string]>([
    [(clock) => clock.advance('10'), 'such as "90s", "10m", "1h30m"'],
    [(clock) => clock.set('2026-02-30T00:00:00Z'), 'such as "2026-01-15T13:00:00Z"'],
    [(clock) => clock.set(1e12), 'such as "2026-01-15T13:00:00Z"'],
    [(clock) => clock.run(-1), 'speed: -1 is too small: at least 0'],
    [(clock) => clock.run(1_000_001), 'speed: 1000001 is too large: at most 1000000'],
    [(clock) => clock.run(Number.NaN), 'argument 1: expected a finite number, but found NaN'],
  ])('refuses %s in words that help, and stays', async (change, words) => {
    const { clock } = open();
    await expect(change(clock)).rejects.toThrow(words);
    expect(await clock.now()).toEqual({ now: noon, speed: 0 });
  });

  test('runs on by itself at its speed, and its records with it, until it is frozen', async () => {
    const { clock, records } = open();
    const [queued] = (await records.runs.list({ thread_id: 'thread_b' })).filter(
      ({ status }) => status === 'queued',
    );
    expect(await clock.run(1000)).toMatchObject({ speed: 1000 });
    await expect.poll(async () => (await clock.now()).now > '2026-01-15T12:10:00').toBe(true);
    expect((await records.runs.get(queued?.id ?? ''))?.status).not.toBe('queued');
    const frozen = await clock.freeze();
    expect(frozen.speed).toBe(0);
    expect(await clock.now()).toEqual(frozen);
  });
});

test('a seeded record that was patched stays so at any time', async () => {
  const { clock, records } = open();
  const [queued] = await records.runs.list({ thread_id: 'thread_b', limit: 1 });
  const patched = await records.runs.update(queued?.id ?? '', { metadata: { patched: 'yes' } });
  expect(patched).toEqual({ ...queued, metadata: { patched: 'yes' } });
  for (const duration of ['20m', '-10d', '20d']) {
    await clock.advance(duration);
    expect(await records.runs.get(patched.id)).toEqual(patched);
  }
});

describe('a job under way', () => {
  test('shows each checkpoint from its very second on, newest first, and none twice', async () => {
    const { clock, getJson } = open();
    const list = (): { id: string; created_at: number; step_number: number }[] =>
      getJson('/fine_tuning/jobs/job_a/checkpoints').data;
    const made = list();
    expect(made).toHaveLength(3);
    await clock.advance('2d');
    const all = list();
    expect(all).toHaveLength(8);
    expect(all.slice(-3)).toEqual(made);
    expect(all.map(({ step_number }) => step_number)).toEqual(
      all.map(({ step_number }) => step_number).sort((a, b) => b - a),
    );
    for (const [index, { created_at }] of all.slice(0, 5).entries()) {
      await clock.set(created_at - 1);
      expect(list()).toEqual(all.slice(index + 1));
      await clock.set(created_at);
      expect(list()).toEqual(all.slice(index));
    }
  });

  test('has no cursor at a checkpoint that is still to come', async () => {
    const { clock, getJson } = open();
    await clock.advance('2d');
    const last = getJson('/fine_tuning/jobs/job_a/checkpoints').first_id;
    await clock.advance('-2d');
    expect(getJson(`/fine_tuning/jobs/job_a/checkpoints?after=${last}`).error.param).toBe('after');
  });
});
