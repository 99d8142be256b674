import type { Faker } from '@faker-js/faker';
import type { RunState } from '../../protocol/record-states.ts';
import type { Amount } from '../../world/amount.ts';
import { type Distribution, distribute } from '../../world/distribution.ts';
import { drawId, fakerOf } from '../../world/faker.ts';
import type { NewRecord, Seed, Seeding } from '../../world/kind.ts';
import { finalState } from '../../world/lifecycle.ts';
import {
  chooseStates,
  fitTimestamps,
  type Span,
  type StatePath,
  schedule,
  spanOf,
} from '../../world/schedule.ts';
import { recordAt, type Timeline } from '../../world/timeline.ts';
import {
  type Assistant,
  functionNames,
  isReasoning,
  sampleArguments,
  type Thread,
  threadOf,
  withFunctions,
} from './assistants.ts';
import type { Run } from './contract.ts';
import { type RunEvents, runLifecycle } from './lifecycle.ts';
import { chooseLimits, type Limits, tokensWithin } from './limits.ts';

/** The newest run may be active. The others have ended, and no run starts before the previous one has ended. */
const distribution: Distribution<RunState> = {
  newest: { min: 1, max: 25 },
  bands: [
    {
      until: 660,
      gap: { min: 660, max: 14_400 },
      states: { queued: 3, in_progress: 4, requires_action: 2, cancelling: 1 },
    },
    {
      until: Number.POSITIVE_INFINITY,
      gap: { min: 660, max: 14_400 },
      states: { completed: 13, failed: 2, incomplete: 2, cancelled: 1, expired: 2 },
    },
  ],
  tied: 0,
  young: { states: ['queued', 'in_progress', 'requires_action', 'cancelling'], within: 560 },
};

/** Seeds the runs of one thread, oldest first. */
export const seedRuns = (
  amount: Amount<RunState>,
  ties: number | undefined,
  thread_id: string,
  { seed, start }: Seeding,
): readonly Seed<Run>[] => {
  let thread: Thread | undefined;
  const fakerFor = (purpose: string) => fakerOf(seed, 'runs', thread_id, purpose);
  return distribute(distribution, amount, ties, fakerFor, () => drawId('run_'))
    .map(({ id, state, age }) => ({
      id,
      created_at: start - age,
      finalStatus: finalState(runLifecycle, state),
      make: () => {
        thread ??= threadOf(seed, thread_id);
        const own = fakerOf(seed, 'run', thread_id, id);
        const span = { created: start - age, lifetime: runLifecycle.lifetime, now: start };
        return makeRun({ id, thread_id }, thread, chooseStates(runLifecycle, state, own), span, own);
      },
    }))
    .reverse();
};

/** Completes a written run: the other fields are consistent with the given ones and with the time. */
export const completeRun = (given: Partial<Run>, { seed, id, owner, now }: NewRecord): Run => {
  const thread = threadOf(seed, owner);
  const faker = fakerOf(seed, 'run', owner, id);
  const { state, ...span } = spanOf(runLifecycle, given, now, faker);
  const path = { behind: chooseStates(runLifecycle, state, faker).behind, ahead: [] };
  const timeline = makeRun({ id, thread_id: owner }, thread, path, span, faker, given);
  const whole = recordAt(timeline, Number.POSITIVE_INFINITY);
  return { ...whole, ...fitTimestamps(runLifecycle, whole, given), ...given };
};

/** Makes a run that goes through these states. @param given fields with which the others must be consistent */
const makeRun = (
  ids: Pick<Run, 'id' | 'thread_id'>,
  thread: Thread,
  path: StatePath<RunState>,
  span: Span,
  faker: Faker,
  given: Partial<Run> = {},
): Timeline<Run> => {
  const states = [...path.behind, ...path.ahead];
  const [first] = thread.assistants;
  // The first assistant has functions.
  const assistant = states.includes('requires_action')
    ? first
    : faker.helpers.arrayElement(thread.assistants);
  const calls = given.required_action?.submit_tool_outputs.tool_calls ?? [];
  const called = calls.map(({ function: { name } }) => name);
  const tools = given.tools ?? withFunctions(assistant.tools, called);
  const limits = chooseLimits(states, faker, given);
  const record = newRun(ids, thread, assistant, tools, limits, span, faker);
  const inParallel = given.parallel_tool_calls ?? record.parallel_tool_calls ?? true;
  // A written run may require an action although its tools have no function.
  const callable =
    [tools, assistant.tools, first.tools].map(functionNames).find((names) => names.length > 0) ?? [];
  const events = chooseEvents(inParallel ? callable : callable.slice(0, 1), limits, faker);
  return { record, transitions: schedule(runLifecycle, path, span, faker, events) };
};

/** A run at its creation. */
const newRun = (
  ids: Pick<Run, 'id' | 'thread_id'>,
  thread: Thread,
  { id: assistant_id, model, instructions }: Assistant,
  tools: readonly unknown[],
  { max_prompt_tokens, max_completion_tokens }: Limits,
  { created, lifetime }: Span,
  faker: Faker,
): Run => {
  const lastMessages = faker.datatype.boolean(0.2) ? faker.number.int({ min: 4, max: 20 }) : null;
  const choosesTemperature = !isReasoning(model);
  return {
    id: ids.id,
    object: 'thread.run',
    created_at: created,
    thread_id: ids.thread_id,
    assistant_id,
    status: 'queued',
    required_action: null,
    last_error: null,
    expires_at: created + lifetime,
    started_at: null,
    cancelled_at: null,
    failed_at: null,
    completed_at: null,
    incomplete_details: null,
    model,
    instructions,
    tools: [...tools],
    metadata: faker.datatype.boolean(0.35)
      ? {}
      : {
          customer: thread.customer,
          channel: thread.channel,
          ...(faker.datatype.boolean() && {
            ticket: `T-${faker.string.numeric({ length: 5, allowLeadingZeros: false })}`,
          }),
          ...(faker.datatype.boolean(0.3) && { country: thread.country }),
        },
    usage: null,
    max_prompt_tokens,
    max_completion_tokens,
    truncation_strategy: {
      type: lastMessages === null ? 'auto' : 'last_messages',
      last_messages: lastMessages,
    },
    tool_choice: 'auto',
    parallel_tool_calls: faker.datatype.boolean(0.8),
    response_format: 'auto',
    temperature: choosesTemperature ? faker.helpers.arrayElement([1, 1, 0.2, 0.7]) : 1,
    top_p: choosesTemperature ? faker.helpers.arrayElement([1, 1, 1, 0.9]) : 1,
  };
};

/**
 * Draws the values that a run gets in its states, for all possible states.
 *
 * @param functions the names of the functions that it can call
 */
const chooseEvents = (functions: readonly string[], limits: Limits, faker: Faker): RunEvents => {
  const called = functions.slice(0, faker.number.int({ min: 1, max: 2 }));
  const completion_tokens = tokensWithin(limits, 'max_completion_tokens', () =>
    faker.number.int({ min: 12, max: 250 }),
  );
  const prompt_tokens = tokensWithin(limits, 'max_prompt_tokens', () =>
    faker.number.int({ min: 180, max: 3900 }),
  );
  return {
    required_action: {
      type: 'submit_tool_outputs',
      submit_tool_outputs: {
        tool_calls: called.map((name) => ({
          id: drawId('call_'),
          type: 'function',
          function: { name, arguments: JSON.stringify(sampleArguments(name, faker)) },
        })),
      },
    },
    last_error: faker.helpers.arrayElement([
      { code: 'server_error', message: 'Sorry, something went wrong.' },
      {
        code: 'rate_limit_exceeded',
        message: 'You exceeded your current quota, please check your plan and billing details.',
      },
      {
        code: 'rate_limit_exceeded',
        message: 'Rate limit reached: 30000 tokens per minute. Please try again in a few seconds.',
      },
      {
        code: 'invalid_prompt',
        message:
          'The prompt was flagged as potentially violating the usage policy. Please try again with a different prompt.',
      },
    ]),
    incomplete_details: { reason: limits.met ?? 'max_completion_tokens' },
    usage: { completion_tokens, prompt_tokens, total_tokens: completion_tokens + prompt_tokens },
  };
};
