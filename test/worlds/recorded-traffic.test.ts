// What recordings of the API family show of runs and batches, in the public tests of its clients (spec/fixtures/cassettes of
// alexrudall/ruby-openai: runs_list, batches_list): which fields are null, which go together, how long things take.

import { expect, test } from 'vitest';
import type { Batch } from '../../src/core/operations/list-batches/types.ts';
import type { Run } from '../../src/core/operations/list-runs/types.ts';
import { openGateway } from '../support/open-gateway.ts';

const threads = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`thread_${at}`, { runs: 12 }]));
const { records } = openGateway({ scenario: { seed: 7, threads, batches: 300 } }).gateway;

const readRuns = async (): Promise<Run[]> => [...(await records.runs.list())];
const readBatches = async (): Promise<Batch[]> => [...(await records.batches.list())];

/** Which share of some records is such. */
const shareOf = <Record>(all: readonly Record[], isSuch: (one: Record) => boolean): number => {
  expect(all.length).toBeGreaterThan(20);
  return all.filter(isSuch).length / all.length;
};

test('runs: instructions are null in a third, metadata is empty in a third, limits and temperature are mostly left alone', async () => {
  const runs = await readRuns();
  for (const share of [
    shareOf(runs, ({ instructions }) => instructions === null),
    shareOf(runs, ({ metadata }) => Object.keys(metadata ?? {}).length === 0),
  ]) {
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.5);
  }
  expect(shareOf(runs, ({ max_prompt_tokens }) => max_prompt_tokens === null)).toBeGreaterThan(0.5);
  expect(shareOf(runs, ({ max_completion_tokens }) => max_completion_tokens === null)).toBeGreaterThan(0.5);
  expect(shareOf(runs, ({ temperature, top_p }) => temperature === 1 && top_p === 1)).toBeGreaterThan(0.4);
});

test('runs: a run starts within seconds, and belongs to one of two assistants of its thread at the most', async () => {
  const runs = await readRuns();
  const waits = runs.flatMap(({ started_at, created_at }) => (started_at ? [started_at - created_at] : []));
  expect(Math.min(...waits)).toBeLessThanOrEqual(2);
  expect(Math.max(...waits)).toBeLessThan(60);
  for (const thread of Object.keys(threads)) {
    const own = runs.filter(({ thread_id }) => thread_id === thread);
    const assistants = new Set(own.map(({ assistant_id }) => assistant_id));
    expect(own).toHaveLength(12);
    expect(assistants.size).toBeLessThanOrEqual(2);
  }
});

test('batches: many are created in the second of their neighbour, start within two minutes, and have no metadata or some', async () => {
  const batches = await readBatches();
  expect(
    shareOf(batches, ({ created_at }) => batches.filter((one) => one.created_at === created_at).length > 1),
  ).toBeGreaterThan(0.5);
  const noMetadata = shareOf(batches, ({ metadata }) => metadata === null);
  expect(noMetadata).toBeGreaterThan(0.15);
  expect(noMetadata).toBeLessThan(0.9);
  for (const { created_at, in_progress_at } of batches)
    if (typeof in_progress_at === 'number') expect(in_progress_at - created_at).toBeLessThanOrEqual(120);
});

test('batches: one that was cancelled was cancelling for ten minutes; if it had started, it has an error file', async () => {
  const cancelled = (await readBatches()).filter(({ status }) => status === 'cancelled');
  const started = cancelled.filter(({ in_progress_at }) => in_progress_at);
  expect(started.length).toBeGreaterThan(0);
  for (const { cancelling_at, cancelled_at } of cancelled)
    expectWithin(Number(cancelled_at) - Number(cancelling_at), [600, 609]);
  for (const { request_counts, output_file_id, error_file_id } of started)
    expect([output_file_id !== null, error_file_id !== null]).toEqual([
      request_counts?.completed !== 0,
      true,
    ]);
});

test('batches: one that expired took ten more minutes, and has one file: for errors only if nothing was completed', async () => {
  const scenario = { seed: 7, batches: { expired: 60 } };
  const expired = await openGateway({ scenario }).gateway.records.batches.list();
  for (const { expires_at, finalizing_at, expired_at } of expired) {
    expect(finalizing_at).toBe(Number(expires_at) + 1);
    expectWithin(Number(expired_at) - Number(finalizing_at), [600, 610]);
  }
  for (const { request_counts, output_file_id, error_file_id } of expired) {
    const hasOutput = request_counts?.completed !== 0;
    expect([output_file_id !== null, error_file_id !== null]).toEqual([hasOutput, !hasOutput]);
  }
});

const expectWithin = (value: number, [min, max]: readonly [number, number]): void => {
  expect(value).toBeGreaterThanOrEqual(min);
  expect(value).toBeLessThanOrEqual(max);
};

test('ids: letters and digits of both cases behind their prefix, as long as recorded ones', async () => {
  const runs = await readRuns();
  expect(shareOf(runs, ({ id }) => /^run_[A-Za-z0-9]{24}$/.test(id))).toBe(1);
  expect(shareOf(runs, ({ assistant_id }) => /^asst_[A-Za-z0-9]{24}$/.test(assistant_id ?? ''))).toBe(1);
  const letters = new Set(runs.flatMap(({ id }) => [...id.slice('run_'.length)]));
  expect(letters.size).toBe(62);
});
