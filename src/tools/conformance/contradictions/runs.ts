import { runStates } from '../../../core/assumptions/record-states.ts';
import { runLifecycle } from '../../../core/operations/list-runs/lifecycle.ts';
import type { Run } from '../../../core/operations/list-runs/types.ts';
import { finalStates } from '../../../core/world/lifecycle.ts';
import { findDisorderedTimes, findMisplaced } from './fields.ts';

const { lifetime: runLifetime, timestamps: runTimestamps, setIn } = runLifecycle;

const ended = finalStates(runLifecycle);

const withExpiry: readonly string[] = setIn.expires_at ?? [];

/** Yields how a run contradicts its state, or the time `now` in seconds (assumption `run-states`). */
export function* findRunContradictions(run: Run, now: number): Generator<string> {
  const { status, created_at, expires_at, usage } = run;
  if (!(runStates as readonly string[]).includes(status)) return yield `unknown state ${status}`;
  yield* findMisplaced(run, setIn);
  if (status !== 'queued' && typeof run.started_at !== 'number') yield `started_at is null in ${status}`;
  const end = created_at + runLifetime;
  if (withExpiry.includes(status) && typeof expires_at === 'number' && expires_at !== end)
    yield `expires_at is ${expires_at} in ${status}`;
  if (!ended.includes(status) && now >= end) yield `still ${status} after its expiry`;
  if (status === 'expired' && now < end) yield 'expired before expires_at';
  yield* findDisorderedTimes(run, runTimestamps, now);

  const calls = run.required_action?.submit_tool_outputs.tool_calls ?? [];
  if (calls.length > 1 && run.parallel_tool_calls === false)
    yield `${calls.length} calls in required_action, but parallel_tool_calls is false`;
  if (usage && usage.total_tokens !== usage.prompt_tokens + usage.completion_tokens)
    yield 'the usage does not add up';
  if (run.tools.length > 20) yield `too many tools: ${run.tools.length}`;
  const pairs = Object.entries(run.metadata ?? {});
  if (pairs.length > 16) yield `too many pairs of metadata: ${pairs.length}`;
  if (pairs.some(([key, value]) => key.length > 64 || String(value).length > 512))
    yield 'the metadata is too long';
}
