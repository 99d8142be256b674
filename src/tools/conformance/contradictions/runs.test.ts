import { expect, test } from 'vitest';
import { writeRun } from '../../../core/operations/list-runs/seed.ts';
import type { Run } from '../../../core/operations/list-runs/types.ts';
import { findRunContradictions } from './runs.ts';

const now = 1_768_478_400;
const lifetime = 600;

/** A consistent run. */
const make = (given: Partial<Run>): Run =>
  writeRun({ id: 'run_a', ...given }, { seed: 1, owner: 'thread_a', now }).record;

const contradictionsOf = (given: Partial<Run>, change: Partial<Run> = {}, at = now): string[] => [
  ...findRunContradictions({ ...make(given), ...change }, at),
];

const queued = { status: 'queued', created_at: now - 10 };
const completed = { status: 'completed', created_at: now - 50 };
const actionOf = (calls: number): NonNullable<Run['required_action']> => ({
  type: 'submit_tool_outputs',
  submit_tool_outputs: {
    tool_calls: Array.from({ length: calls }, (_, at) => ({
      id: `call_${at}`,
      type: 'function',
      function: { name: 'f', arguments: '{}' },
    })),
  },
});
const tools = (count: number) => Array<object>(count).fill({ type: 'file_search' });
const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));

test.each<[change: Partial<Run>, of: Partial<Run>, contradiction: RegExp]>([
  [{ required_action: actionOf(1) }, queued, /^required_action is \{.*\} in queued$/],
  [{ last_error: null }, { status: 'failed' }, /^last_error is null in failed$/],
  [{ failed_at: now }, queued, /^failed_at is \d+ in queued$/],
  [{ completed_at: null }, completed, /^completed_at is null in completed$/],
  [{ cancelled_at: now }, queued, /^cancelled_at is/],
  [{ incomplete_details: null }, { status: 'incomplete' }, /^incomplete_details is null in incomplete$/],
  [{ usage: null }, { status: 'expired' }, /^usage is null in expired$/],
  [{ usage: { completion_tokens: 1, prompt_tokens: 2, total_tokens: 3 } }, queued, /^usage is \{.*queued$/],
  [{ usage: { completion_tokens: 1, prompt_tokens: 2, total_tokens: 4 } }, completed, /does not add up/],
  [{ started_at: null }, { status: 'in_progress' }, /^started_at is null in in_progress$/],
  [{ expires_at: null }, queued, /^expires_at is null in queued$/],
  [{ expires_at: now }, queued, /^expires_at is \d+ in queued$/],
  [{ expires_at: null }, { status: 'expired' }, /^expires_at is null in expired$/],
  [{ expires_at: now }, completed, /^expires_at is \d+ in completed$/],
  [
    { parallel_tool_calls: false },
    { status: 'requires_action', required_action: actionOf(2) },
    /^2 calls in required_action, but parallel_tool_calls is false$/,
  ],
  [{ tools: tools(21) }, queued, /^too many tools: 21$/],
  [{ metadata: pairs(17) }, queued, /^too many pairs of metadata: 17$/],
  [{ metadata: { ['k'.repeat(65)]: 'v' } }, queued, /^the metadata is too long$/],
  [{ metadata: { k: 'v', l: 'v'.repeat(513) } }, queued, /^the metadata is too long$/],
])('%j is an error in %j', (change, of, contradiction) => {
  expect(contradictionsOf(of, change)).toEqual([expect.stringMatching(contradiction)]);
});

test('an unknown state is the only error that is reported', () => {
  expect(contradictionsOf(completed, { status: 'lost', usage: null })).toEqual(['unknown state lost']);
});

test.each<Partial<Run>>([
  { tools: tools(20) },
  { metadata: pairs(16) },
  { metadata: { ['k'.repeat(64)]: 'v'.repeat(512) } },
  { metadata: null },
])('allows values at the limits: %j', (change) => {
  expect(contradictionsOf(queued, change)).toEqual([]);
});

test('a run expires exactly at the end of its lifetime', () => {
  const created_at = now - 10;
  const end = created_at + lifetime;
  expect(contradictionsOf({ status: 'queued', created_at }, {}, end - 1)).toEqual([]);
  expect(contradictionsOf({ status: 'queued', created_at }, {}, end)).toEqual([
    'still queued after its expiry',
  ]);
  expect(contradictionsOf({ status: 'completed', created_at }, {}, end)).toEqual([]);
  const expired = make({ status: 'expired', created_at: now - lifetime });
  expect([...findRunContradictions(expired, now)]).toEqual([]);
  expect([...findRunContradictions(expired, now - 1)]).toEqual(['expired before expires_at']);
});

test.each<[status: string, times: Partial<Run>, isWrong: boolean]>([
  ['completed', { started_at: now - 50, completed_at: now }, false],
  ['completed', { started_at: now - 51 }, true],
  ['completed', { started_at: now - 20, completed_at: now - 21 }, true],
  ['completed', { started_at: now - 20, completed_at: now + 1 }, true],
  ['cancelled', { started_at: now - 20, cancelled_at: now - 21 }, true],
  ['in_progress', { started_at: now }, false],
  ['in_progress', { started_at: now + 1 }, true],
])('the times of a run that is %s must rise: %j', (status, times, isWrong) => {
  const contradictions = contradictionsOf({ status, created_at: now - 50 }, times);
  expect(contradictions).toEqual(
    isWrong ? [expect.stringMatching(/^\w+_at is (after \w+_at|in the future)$/)] : [],
  );
});
