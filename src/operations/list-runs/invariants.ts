import { runStates } from '../../protocol/record-states.ts';
import { finalStates } from '../../world/lifecycle.ts';
import type { Run } from './contract.ts';
import { runLifecycle } from './lifecycle.ts';

const { lifetime: runLifetime } = runLifecycle;

const ended = finalStates(runLifecycle);

/** Yields how a run contradicts its state, or the time `now` in seconds (assumption `run-states`). */
export function* findRunMistakes(run: Run, now: number): Generator<string> {
  const { status, created_at, started_at, expires_at, usage } = run;
  const has = (field: keyof Run): boolean => run[field] !== null && run[field] !== undefined;
  const onlyIn = function* (field: keyof Run, ...states: string[]): Generator<string> {
    if (has(field) !== states.includes(status))
      yield `${field} is ${JSON.stringify(run[field])} in ${status}`;
  };

  if (!(runStates as readonly string[]).includes(status)) yield `unknown state ${status}`;
  yield* onlyIn('required_action', 'requires_action');
  yield* onlyIn('last_error', 'failed');
  yield* onlyIn('failed_at', 'failed');
  yield* onlyIn('completed_at', 'completed');
  yield* onlyIn('cancelled_at', 'cancelled');
  yield* onlyIn('incomplete_details', 'incomplete');
  yield* onlyIn('usage', ...ended);

  if (status !== 'queued' && !has('started_at')) yield `not started in ${status}`;
  const keepsExpiry = !ended.includes(status) || status === 'expired';
  if (keepsExpiry && expires_at !== created_at + runLifetime)
    yield `expires_at is ${expires_at} in ${status}`;
  if (!keepsExpiry && has('expires_at')) yield `expires_at is ${expires_at} in ${status}`;
  if (!ended.includes(status) && now >= created_at + runLifetime) yield `still ${status} after its expiry`;
  if (status === 'expired' && now < created_at + runLifetime) yield 'expired before expires_at';

  const end = run.completed_at ?? run.failed_at ?? run.cancelled_at ?? now;
  const order = [created_at, started_at ?? created_at, end, now];
  if (order.some((at, index) => index > 0 && at < (order[index - 1] ?? 0)))
    yield `timestamps out of order: ${order.join(', ')}`;

  if (usage && usage.total_tokens !== usage.prompt_tokens + usage.completion_tokens)
    yield 'the usage does not add up';
  if (run.tools.length > 20) yield `too many tools: ${run.tools.length}`;
  const pairs = Object.entries(run.metadata ?? {});
  if (pairs.length > 16) yield `too many pairs of metadata: ${pairs.length}`;
  if (pairs.some(([key, value]) => key.length > 64 || String(value).length > 512))
    yield 'the metadata is too long';
}
