import type { Faker } from '@faker-js/faker';
import type { RunState } from '../../assumptions/record-states.ts';
import type { Amount } from '../../world/amount.ts';
import { lastTimestamp } from '../../world/clock-limits.ts';
import { createDatabase, recordOf } from '../../world/database.ts';
import { type Distribution, distribute } from '../../world/distribution.ts';
import { drawId, fakerOf } from '../../world/faker.ts';
import type { RecordPlan, Resource, Seeding, WriteContext } from '../../world/kind.ts';
import { type Ending, isFinal } from '../../world/lifecycle.ts';
import {
  chooseStates,
  chooseTimes,
  enterState,
  planWritten,
  type StateEntry,
  schedule,
  statesAfter,
} from '../../world/schedule.ts';
import { layWritten, livesOn } from '../../world/state-fields.ts';
import type { Timeline } from '../../world/timeline.ts';
import { functionNames, isReasoning, sampleArguments, type Thread, threadOf } from './assistants.ts';
import { type RunEvents, runLifecycle } from './lifecycle.ts';
import { runModel } from './model.ts';
import type { Run } from './types.ts';

/** If only a total is set, the newest run may be active. The others have ended, and each starts after the previous run has ended. */
const distribution: Distribution<RunState> = {
  newest: [1, 25],
  bands: [
    {
      until: 660, // a minute after its lifetime
      gap: [660, 14_400],
      states: { queued: 3, in_progress: 4, requires_action: 2, cancelling: 1 },
    },
    {
      until: Number.POSITIVE_INFINITY,
      gap: [660, 14_400],
      states: { completed: 13, failed: 2, incomplete: 2, cancelled: 1, expired: 2 },
    },
  ],
  tied: 0,
  young: { states: ['queued', 'in_progress', 'requires_action', 'cancelling'], within: 560 },
};

/** A database for the runs of one thread. */
export const createRunDatabase = () => createDatabase({ run: runModel });

/** Plans the runs of one thread, oldest first. */
export const seedRuns = (
  db: ReturnType<typeof createRunDatabase>,
  amount: Amount<RunState>,
  ties: number | undefined,
  thread_id: string,
  { seed, start }: Seeding,
): readonly RecordPlan<Run>[] => {
  const source = { db, thread: threadOf(seed, thread_id), seed };
  const fakerFor = (purpose: string) => fakerOf(seed, 'runs', thread_id, purpose);
  return distribute(distribution, amount, ties, fakerFor, () => drawId('run_'))
    .map(({ id, state, age }) => ({
      id,
      created_at: start - age,
      finalStatus: isFinal(runLifecycle, state) ? state : undefined,
      make: () => {
        const faker = fakerOf(seed, 'run', thread_id, id, 'choices');
        const path = chooseStates(runLifecycle, state, faker);
        return makeRun(id, source, chooseTimes(runLifecycle, path, start - age, start, faker), faker);
      },
    }))
    .reverse();
};

export const writeRun = (
  written: Partial<Run> & Resource,
  { seed, owner, now }: Pick<WriteContext, 'seed' | 'owner' | 'now'>,
  ending?: Ending,
): Timeline<Run> => {
  const source = { db: createRunDatabase(), thread: threadOf(seed, owner), seed };
  const faker = fakerOf(seed, 'run', owner, written.id, 'choices');
  const entries = planWritten(runLifecycle, written, now, ending);
  const timeline = makeRun(written.id, source, entries, faker, livesOn(written, ending) ? written : {});
  return layWritten(runLifecycle, timeline, written, ending);
};

/** A written run that enters a state now. */
export const enterRunState = (
  run: Run,
  state: RunState,
  { seed, owner, now }: Pick<WriteContext, 'seed' | 'owner' | 'now'>,
  ending?: Ending,
): Timeline<Run> => {
  const { record } = writeRun({ id: run.id, created_at: run.created_at }, { seed, owner, now });
  const faker = fakerOf(seed, 'run', owner, run.id, state);
  return enterState(runLifecycle, run, record, state, now, faker, chooseEvents, ending);
};

/** What the runs of one thread are made of. */
interface RunSource {
  readonly db: ReturnType<typeof createRunDatabase>;
  readonly thread: Thread;
  readonly seed: number;
}

/**
 * Makes a run that goes through these states. The decisions, the columns that the model draws, and the later states each have
 * their own stream of draws, so that changing one does not change the others. There is a single faker: starting a stream ends the
 * stream before.
 *
 * @param faker draws the decisions
 * @param written the fields that a user wrote: the drawn fields agree with them
 */
const makeRun = (
  id: string,
  { db, thread, seed }: RunSource,
  entries: readonly StateEntry<RunState>[],
  faker: Faker,
  written: Partial<Run> = {},
): Timeline<Run> => {
  const { arrayElement } = faker.helpers;
  const states = statesAfter(entries);
  const created = entries[0]?.at ?? 0;
  // The first assistant has functions.
  const assistant = states.includes('requires_action')
    ? thread.assistants[0]
    : arrayElement(thread.assistants);
  const decided = {
    id,
    created_at: created,
    thread_id: thread.id,
    assistant_id: assistant.id,
    expires_at: Math.min(lastTimestamp, created + runLifecycle.lifetime),
    model: assistant.model,
    instructions: assistant.instructions,
    tools: [...assistant.tools],
    metadata: drawMetadata(thread, faker),
    ...(isReasoning(assistant.model) && { temperature: 1, top_p: 1 }),
    // A run that ends incomplete needs a limit to reach.
    ...(states.includes('incomplete') &&
      arrayElement([
        { max_completion_tokens: arrayElement([256, 512, 1024]) },
        { max_completion_tokens: arrayElement([256, 512, 1024]) },
        { max_prompt_tokens: arrayElement([4096, 8192, 16_384]) },
      ])),
  };
  fakerOf(seed, 'run', thread.id, id, 'columns'); // the getters of the model draw from here
  const drawn: Run = recordOf(db.run.create(decided));
  const calls = written.required_action?.submit_tool_outputs.tool_calls.length ?? 0;
  const parallel_tool_calls = written.parallel_tool_calls ?? (calls > 1 ? true : drawn.parallel_tool_calls);
  const run = { ...drawn, ...(parallel_tool_calls !== undefined && { parallel_tool_calls }) };
  return schedule(runLifecycle, run, entries, fakerOf(seed, 'run', thread.id, id, 'states'), chooseEvents);
};

const drawMetadata = ({ customer, channel, country }: Thread, faker: Faker) =>
  faker.datatype.boolean(0.35)
    ? {}
    : {
        customer,
        channel,
        ...(faker.datatype.boolean() && {
          ticket: `T-${faker.string.numeric({ length: 5, allowLeadingZeros: false })}`,
        }),
        ...(faker.datatype.boolean(0.3) && { country }),
      };

/** Draws the values that a run gets in its states, for all possible states. */
const chooseEvents = (run: Run, states: readonly RunState[], faker: Faker): RunEvents => {
  const { max_completion_tokens, max_prompt_tokens, parallel_tool_calls } = run;
  const { arrayElement } = faker.helpers;
  const most = faker.number.int({ min: 1, max: 2 });
  const names = functionNames(run.tools);
  const callable = names.length > 0 ? names : ['get_weather']; // a user's own run may have no functions
  const called = callable.slice(0, parallel_tool_calls === false ? 1 : most);
  const reached =
    typeof max_prompt_tokens === 'number' && typeof max_completion_tokens !== 'number'
      ? 'max_prompt_tokens'
      : 'max_completion_tokens';
  /** As many tokens as the limit if the run reaches it, otherwise fewer. */
  const tokens = (limit: 'max_prompt_tokens' | 'max_completion_tokens', min: number, max: number): number => {
    const usual = faker.number.int({ min, max });
    const allowed = run[limit] ?? max;
    return states.includes('incomplete') && limit === reached
      ? allowed
      : Math.max(0, Math.min(usual, allowed - 1));
  };
  const completion_tokens = tokens('max_completion_tokens', 12, 250);
  const prompt_tokens = tokens('max_prompt_tokens', 180, 3900);
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
    last_error: arrayElement(lastErrors),
    incomplete_details: { reason: reached },
    usage: { completion_tokens, prompt_tokens, total_tokens: completion_tokens + prompt_tokens },
  };
};

const lastErrors: readonly RunEvents['last_error'][] = [
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
];
