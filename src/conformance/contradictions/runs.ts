import { runLifecycle } from '../../operations/list-runs/lifecycle.ts';
import type { Run } from '../../operations/list-runs/types.ts';
import { runStates } from '../../protocol/record-states.ts';
import { finalStates } from '../../world/lifecycle.ts';
import { findDisorder } from './disorder.ts';

const { lifetime: runLifetime, timestamps: runTimestamps } = runLifecycle;

const ended = finalStates(runLifecycle);

/** Yields how a run contradicts its state, or the time `now` in seconds (assumption `run-states`). */
export function* findRunMistakes(run: Run, now: number): Generator<string> {
  const { status, created_at, expires_at, usage } = run;
  if (!(runStates as readonly string[]).includes(status)) return yield `unknown state ${status}`;
  const has = (field: keyof Run): boolean => run[field] !== null && run[field] !== undefined;
  const onlyIn = function* (field: keyof Run, ...states: string[]): Generator<string> {
    if (has(field) !== states.includes(status))
      yield `${field} is ${JSON.stringify(run[field])} in ${status}`;
  };

  yield* onlyIn('required_action', 'requires_action');
  yield* onlyIn('last_error', 'failed');
  yield* onlyIn('failed_at', 'failed');
  yield* onlyIn('completed_at', 'completed');
  yield* onlyIn('cancelled_at', 'cancelled');
  yield* onlyIn('incomplete_details', 'incomplete');
  yield* onlyIn('usage', ...ended);

  if (status !== 'queued' && !has('started_at')) yield `started_at is null in ${status}`;
  const keepsExpiry = !ended.includes(status) || status === 'expired';
  if (keepsExpiry && expires_at !== created_at + runLifetime)
    yield `expires_at is ${expires_at} in ${status}`;
  if (!keepsExpiry && has('expires_at')) yield `expires_at is ${expires_at} in ${status}`;
  if (!ended.includes(status) && now >= created_at + runLifetime) yield `still ${status} after its expiry`;
  if (status === 'expired' && now < created_at + runLifetime) yield 'expired before expires_at';

  yield* findDisorder(run, runTimestamps, now);

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
