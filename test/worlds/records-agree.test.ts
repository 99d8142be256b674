// What is not given of a run or a batch agrees with what is, whatever that is. The states one by one: worlds-records.test.ts.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Batch, Control, Run } from '../../src/index.ts';
import { findBatchMistakes } from '../../src/operations/list-batches/invariants.ts';
import { batchLifecycle } from '../../src/operations/list-batches/lifecycle.ts';
import { findRunMistakes } from '../../src/operations/list-runs/invariants.ts';
import { batchStates, runStates } from '../../src/protocol/record-states.ts';
import { lastTimestamp } from '../../src/world/clock-limits.ts';
import { findBadTimestamps } from '../../src/world/record-schema.ts';
import { openGateway } from '../support/open-gateway.ts';
import { tries } from '../support/settings.ts';

const start = Date.parse('2026-01-15T12:00:00Z') / 1000;

const open = (seed: number) => openGateway({ scenario: { seed, threads: { thread_a: {} } } });

type GivenRun = Parameters<Control['records']['runs']['update']>[1];
type GivenBatch = Parameters<Control['records']['batches']['create']>[0];

const createRun = (given: GivenRun, seed = 1): Promise<Run> =>
  open(seed).gateway.records.runs.create({ thread_id: 'thread_a', ...given });

const createBatch = (given: GivenBatch, seed = 1): Promise<Batch> =>
  open(seed).gateway.records.batches.create(given);

/** Some of these fields. */
const someOf = <Fields extends object>(fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }) =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<Fields>>; // none is required

const seeds = fc.nat({ max: 1000 });

describe('the limits and the usage of a run', () => {
  const limit = fc.option(fc.integer({ min: 1, max: 5000 }));

  test.each([
    [{ status: 'incomplete', max_completion_tokens: 50 }, 'max_completion_tokens'],
    [{ status: 'incomplete', max_prompt_tokens: 50 }, 'max_prompt_tokens'],
    [{ status: 'incomplete', max_completion_tokens: null }, 'max_prompt_tokens'],
    [{ status: 'incomplete', incomplete_details: { reason: 'max_prompt_tokens' } }, 'max_prompt_tokens'],
    [
      { status: 'incomplete', incomplete_details: { reason: 'max_completion_tokens' }, max_prompt_tokens: 9 },
      'max_completion_tokens',
    ],
  ] as const)('of %j: it meets %s', async (given, met) => {
    for (let seed = 0; seed < 30; seed += 1) {
      const run = await createRun(given, seed);
      expect(run).toMatchObject({ ...given, incomplete_details: { reason: met } });
      expect(findTokenMistakes(run)).toEqual([]);
    }
  });

  const someTokens = fc.nat({ max: 4000 });
  const usages = fc.tuple(someTokens, someTokens).map(([prompt_tokens, completion_tokens]) => ({
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
  }));

  test('agree in every state, whatever limits are given', async () => {
    const givens = someOf({
      status: fc.constantFrom(...runStates),
      max_prompt_tokens: limit,
      max_completion_tokens: limit,
    }).filter((given) => given.max_completion_tokens !== null || given.max_prompt_tokens !== null);
    await fc.assert(
      fc.asyncProperty(givens, seeds, async (given, seed) => {
        const run = await createRun(given, seed);
        expect(run).toMatchObject(given);
        expect([...findRunMistakes(run, start), ...findTokenMistakes(run)]).toEqual([]);
      }),
      tries(200),
    );
  });

  test('agree with a usage that is given', async () => {
    const states = fc.constantFrom('completed', 'incomplete', 'failed');
    await fc.assert(
      fc.asyncProperty(usages, states, seeds, async (usage, status, seed) => {
        const run = await createRun({ usage, status }, seed);
        expect(run).toMatchObject({ usage, status });
        expect(findTokenMistakes(run)).toEqual([]);
      }),
      tries(100),
    );
  });
});

/** Where the tokens of a run contradict its limits, or the one that it met. */
const findTokenMistakes = (run: Run): string[] => {
  const { usage, max_prompt_tokens, max_completion_tokens, incomplete_details } = run;
  if (!usage) return [];
  const find = (name: string, used: number, max: number | null | undefined): string[] => {
    const isMet = incomplete_details?.reason === name;
    return (isMet ? used === max : used < (max ?? Number.POSITIVE_INFINITY))
      ? []
      : [`${used} of ${name} ${max}`];
  };
  return [
    ...find('max_prompt_tokens', usage.prompt_tokens, max_prompt_tokens),
    ...find('max_completion_tokens', usage.completion_tokens, max_completion_tokens),
  ];
};

describe('the functions that a run calls', () => {
  const toolOf = (name: string) => ({ type: 'function', function: { name } });
  const namesOf = ({ required_action }: Run) =>
    required_action?.submit_tool_outputs.tool_calls.map((call) => call.function.name);

  test('are among the tools that are given, where there are any', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const create = (tools: object[]) => createRun({ status: 'requires_action', tools }, seed);
      expect(namesOf(await create([{ type: 'file_search' }, toolOf('mine')]))).toEqual(['mine']);
      expect(namesOf(await create([toolOf('get_weather')]))).toEqual(['get_weather']);
      const without = await create([]);
      expect(without).toMatchObject({ tools: [], tool_choice: 'auto' });
      expect(namesOf(without)).not.toEqual([]);
    }
  });

  test('are among the tools that are seeded', async () => {
    const { required_action } = await createRun({ status: 'requires_action', tools: [toolOf('mine')] });
    const { tools } = await createRun({
      status: 'requires_action',
      required_action: required_action ?? null,
    });
    expect(tools).toContainEqual({ type: 'function', function: expect.objectContaining({ name: 'mine' }) });
  });
});

describe('what has expired did so by now', () => {
  test.each([{}, { created_at: start }, { created_at: start - 599 }, { started_at: start - 10 }])(
    'a run of %j',
    async (given) => {
      for (let seed = 0; seed < 20; seed += 1) {
        const run = await createRun({ ...given, status: 'expired' }, seed);
        const { created_at, started_at, expires_at } = run;
        expect(run).toMatchObject(given);
        expectRising([created_at, started_at, expires_at, start]);
      }
    },
  );

  test.each([
    {},
    { created_at: start },
    { created_at: start - 40_000 },
    { in_progress_at: start - 10 },
    { created_at: start - 40_000, finalizing_at: start - 60 },
    { created_at: start - 40_000, expired_at: start - 60 },
  ])('a batch of %j', async (given) => {
    for (let seed = 0; seed < 20; seed += 1) {
      const batch = await createBatch({ ...given, status: 'expired' }, seed);
      const { created_at, in_progress_at, expires_at, finalizing_at, expired_at } = batch;
      expect(batch).toMatchObject(given);
      expectRising([created_at, in_progress_at, expires_at, finalizing_at, expired_at, start]);
    }
  });
});

const expectRising = (times: readonly (number | null | undefined)[]): void => {
  expect(times).toEqual(times.toSorted((a, b) => Number(a) - Number(b)));
};

describe('the timestamps that are not given lie from 1970 to 9999', () => {
  const time = fc.oneof(
    fc.constantFrom(0, 1, 5, lastTimestamp),
    fc.integer({ min: 0, max: lastTimestamp }),
    fc.integer({ min: start - 100_000, max: start + 100_000 }),
  );
  const timestampsOf = (fields: readonly string[]) =>
    someOf(Object.fromEntries(fields.map((field) => [field, time])));

  test('of a run', async () => {
    const fields = ['created_at', 'expires_at', 'started_at', 'completed_at', 'failed_at', 'cancelled_at'];
    const states = someOf({ status: fc.constantFrom(...runStates) });
    await fc.assert(
      fc.asyncProperty(timestampsOf(fields), states, seeds, async (times, status, seed) => {
        const run = await createRun({ ...times, ...status }, seed);
        expect(run).toMatchObject(times);
        expect(findBadTimestamps(run)).toEqual([]);
      }),
      tries(300),
    );
  });

  test('of a batch', async () => {
    const states = someOf({ status: fc.constantFrom(...batchStates) });
    const fields = timestampsOf(['expires_at', ...batchLifecycle.timestamps]);
    await fc.assert(
      fc.asyncProperty(fields, states, seeds, async (times, status, seed) => {
        const batch = await createBatch({ ...times, ...status }, seed);
        expect(batch).toMatchObject(times);
        expect(findBadTimestamps(batch)).toEqual([]);
      }),
      tries(300),
    );
  });

  test('of a run that has no time at all', async () => {
    for (const status of runStates)
      expect(findBadTimestamps(await createRun({ expires_at: 0, status }))).toEqual([]);
  });

  test.each([5, start + 100])('of a run that expires at %i', async (expires_at) => {
    const { created_at, started_at } = await createRun({ expires_at });
    expectRising([created_at, started_at ?? created_at, Math.min(start, expires_at)]);
  });
});

describe('the files and the counts of a batch', () => {
  const file = fc.constantFrom('file-mine', null);

  test('agree', async () => {
    const givens = someOf({
      status: fc.constantFrom('completed', 'expired', 'cancelled'),
      output_file_id: file,
      error_file_id: file,
      // Requests that were not finished stand in the error file, and what expired had started.
    }).filter(({ status, output_file_id, error_file_id }) => {
      if (status === undefined) return false; // one that was just created has no files
      if (status === 'expired') return output_file_id !== null && error_file_id !== null;
      return status !== 'cancelled' || error_file_id !== null || !output_file_id;
    });
    await fc.assert(
      fc.asyncProperty(givens, seeds, async (given, seed) => {
        const batch = await createBatch(given, seed);
        expect(batch).toMatchObject(given);
        expect([...findBatchMistakes(batch, start)]).toEqual([]);
      }),
      tries(200),
    );
  });
});
