import { earliestOf, fitTimes } from '../../world/given-times.ts';
import { createIds } from '../../world/ids.ts';
import { type NewRecord, randomOf, type Seeding } from '../../world/kind.ts';
import { type Amount, type Deck, dealStates, spreadAges } from '../../world/mix.ts';
import { createRandom, type Random } from '../../world/random.ts';
import type { Source } from '../../world/source.ts';
import { afterSteps, type Life } from '../../world/timeline.ts';
import { type Assistant, assistantOf, functions } from './assistants.ts';
import type { Run } from './contract.ts';
import { type RunEvents, type RunState, runLifetime, runStates, runSteps } from './lifecycle.ts';

const deck: Deck<RunState> = {
  newborn: 'queued',
  live: ['in_progress', 'requires_action', 'cancelling'],
  young: [
    'in_progress',
    'requires_action',
    'cancelling',
    'completed',
    'completed',
    'completed',
    'completed',
    'failed',
  ],
  old: [
    ...Array<RunState>(13).fill('completed'),
    ...(['failed', 'failed', 'incomplete', 'incomplete', 'cancelled', 'expired', 'expired'] as const),
  ],
};

/** Ages in seconds: a live run is younger than its lifetime, an old one has had the time to expire. */
const newborn = { from: 1, to: 25 };
const young = { from: 25, to: 560 };
const old = { from: 900, gap: 2400 };
const usualTies = [0, 0, 0, 1, 2, 2, 3, 3];

/** The runs of one thread, newest first. */
export const seedRuns = (
  amount: Amount<RunState>,
  ties: number | undefined,
  thread: string,
  seeding: Seeding,
): Source<Run> => {
  const key = `${seeding.seed}/run/${thread}`;
  const ids = createIds('run_', key);
  const mix = dealStates(`${key}/state`, amount, deck);
  const ages = spreadAges(
    (group) => createRandom(key, 'age', group),
    [
      { count: mix.newborn, ...newborn },
      { count: mix.young, ...young },
    ],
    old,
    ties ?? usualTies,
  );
  const createdAt = (rank: number): number => seeding.start - ages.ageAt(rank);
  return {
    size: mix.size,
    ids,
    createdAt,
    make: (rank) => {
      const random = randomOf(seeding, 'run', thread, rank);
      const plan = {
        id: ids.at(rank),
        thread,
        created: createdAt(rank),
        seed: seeding.seed,
        now: seeding.start,
        random,
      };
      return makeRun(plan, choosePath(mix.stateAt(rank), random));
    },
  };
};

/** A run written by hand: what is not given agrees with the state and the time that are. */
export const completeRun = (given: Partial<Run>, { seed, id, owner, now }: NewRecord): Run => {
  const random = createRandom(seed, 'run', owner, id);
  const givenCreation =
    given.created_at ?? (typeof given.expires_at === 'number' ? given.expires_at - runLifetime : undefined);
  const age = givenCreation === undefined ? undefined : now - givenCreation;
  const usualState = (age ?? 0) < runLifetime ? 'queued' : 'completed';
  const state = runStates.find((known) => known === given.status) ?? stateBy(given) ?? usualState;
  const usualAge = state === 'queued' ? 0 : state === 'expired' ? runLifetime + 60 : random.int(60, 500);
  const created =
    givenCreation ?? Math.min(now - usualAge, (earliestOf(given, moments) ?? Number.POSITIVE_INFINITY) - 1);
  const plan = { id, thread: owner, created, seed, now, random };
  const life = makeRun(plan, { behind: choosePath(state, random).behind, ahead: [] });
  const whole = afterSteps(life, life.timeline.length);
  return { ...whole, ...fitTimes(whole, given, moments), ...given };
};

/** The moments of a run, in the order of its states: at the most one of the last three is set. */
const moments = ['created_at', 'started_at', 'completed_at', 'failed_at', 'cancelled_at'] as const;

/** The state that the fields given tell of, where they do. */
const stateBy = (given: Partial<Run>): RunState | undefined => {
  if (given.completed_at) return 'completed';
  if (given.failed_at || given.last_error) return 'failed';
  if (given.cancelled_at) return 'cancelled';
  if (given.incomplete_details) return 'incomplete';
  if (given.required_action) return 'requires_action';
  if (given.usage) return 'completed';
  return given.started_at ? 'in_progress' : undefined;
};

interface Plan {
  readonly id: string;
  readonly thread: string;
  readonly created: number;
  readonly seed: number;
  /** The moment that parts what lies behind from what lies ahead. */
  readonly now: number;
  readonly random: Random;
}

const makeRun = ({ id, thread, created, seed, now, random }: Plan, path: Path): Life<Run> => {
  const callsFunctions = [...path.behind, ...path.ahead].includes('requires_action');
  const assistant = assistantOf(seed, random, callsFunctions);
  const limits = chooseLimits(path, random);
  return {
    resource: newRun(id, thread, created, assistant, limits, random),
    timeline: runSteps(timePath(path, created, now, random), chooseEvents(assistant, limits, random)),
  };
};

/** The states that lie behind a run at some moment, and those still ahead of it. */
interface Path {
  readonly behind: readonly RunState[];
  readonly ahead: readonly RunState[];
}

const toolRound = ['requires_action', 'queued', 'in_progress'] as const;

const choosePath = (state: RunState, random: Random): Path => {
  const usesTool = random.chance(0.3);
  const round = usesTool ? toolRound : [];
  switch (state) {
    case 'queued':
      return { behind: [], ahead: ['in_progress', ...round, ...chooseEnd(random)] };
    case 'in_progress':
      return { behind: ['in_progress'], ahead: [...round, ...chooseEnd(random)] };
    case 'requires_action':
      return {
        behind: ['in_progress', 'requires_action'],
        ahead: random.pick([
          ['queued', 'in_progress', ...chooseEnd(random)],
          ['expired'],
          ['cancelling', 'cancelled'],
        ]),
      };
    case 'cancelling':
      return { behind: ['in_progress', 'cancelling'], ahead: ['cancelled'] };
    case 'cancelled':
      return {
        behind: [
          'in_progress',
          ...(usesTool ? (['requires_action'] as const) : []),
          'cancelling',
          'cancelled',
        ],
        ahead: [],
      };
    case 'expired':
      return {
        behind: ['in_progress', ...(usesTool ? (['requires_action'] as const) : []), 'expired'],
        ahead: [],
      };
    default:
      return { behind: ['in_progress', ...round, state], ahead: [] };
  }
};

const chooseEnd = (random: Random): RunState[] => {
  const ends: RunState[][] = [['completed'], ['failed'], ['incomplete'], ['cancelling', 'cancelled']];
  return ends[random.weighted([4, 1, 1, 1])] ?? [];
};

/** Gives each state its moment: those behind before now, those ahead after it, and expiry at its very second. */
const timePath = ({ behind, ahead }: Path, created: number, now: number, random: Random) => {
  const age = now - created;
  const isLive = ahead.length > 0;
  const lastBehind = isLive ? age : Math.min(age, runLifetime - 1, random.int(12, 200));
  const offsets = [
    ...random.rising(behind.length, Math.min(1, lastBehind), lastBehind),
    ...random.rising(ahead.length, age + 1, runLifetime - 1),
  ];
  const soon = random.int(1, 8);
  return [...behind, ...ahead].map((status, index) => {
    const offset = offsets[index] ?? 0;
    const isStart = index === 0 && behind.length > 0;
    return {
      status,
      at: created + (status === 'expired' ? runLifetime : isStart ? Math.min(offset, soon) : offset),
    };
  });
};

interface Limits {
  readonly max_prompt_tokens: number | null;
  readonly max_completion_tokens: number | null;
  /** The limit that the run meets and that ends it incomplete; null where it meets none. */
  readonly met: 'max_prompt_tokens' | 'max_completion_tokens' | null;
}

const chooseLimits = ({ behind, ahead }: Path, random: Random): Limits => {
  const isMet = [...behind, ...ahead].includes('incomplete');
  const met = isMet
    ? random.pick(['max_completion_tokens', 'max_completion_tokens', 'max_prompt_tokens'])
    : null;
  return {
    max_prompt_tokens:
      met === 'max_prompt_tokens' || random.chance(0.2) ? random.pick([4096, 8192, 16_384]) : null,
    max_completion_tokens:
      met === 'max_completion_tokens' || random.chance(0.3) ? random.pick([256, 512, 1024]) : null,
    met,
  };
};

const newRun = (
  id: string,
  thread: string,
  created: number,
  { id: assistant_id, model, instructions, tools }: Assistant,
  { max_prompt_tokens, max_completion_tokens }: Limits,
  random: Random,
): Run => {
  const lastMessages = random.chance(0.2) ? random.int(4, 20) : null;
  return {
    id,
    object: 'thread.run',
    created_at: created,
    thread_id: thread,
    assistant_id,
    status: 'queued',
    required_action: null,
    last_error: null,
    expires_at: created + runLifetime,
    started_at: null,
    cancelled_at: null,
    failed_at: null,
    completed_at: null,
    incomplete_details: null,
    model,
    instructions,
    tools: [...tools],
    metadata: chooseMetadata(random),
    usage: null,
    max_prompt_tokens,
    max_completion_tokens,
    truncation_strategy: {
      type: lastMessages === null ? 'auto' : 'last_messages',
      last_messages: lastMessages,
    },
    tool_choice: tools.length === 0 ? 'none' : 'auto',
    parallel_tool_calls: random.chance(0.8),
    response_format: 'auto',
    temperature: random.pick([1, 1, 0.2, 0.7]),
    top_p: random.pick([1, 1, 1, 0.9]),
  };
};

const chooseMetadata = (random: Random): Record<string, string> => {
  if (random.chance(0.35)) return {};
  const { person, location } = random.faker();
  const customer = person.fullName();
  const country = location.countryCode();
  return {
    customer,
    channel: random.pick(['web', 'web', 'ios', 'android', 'email', 'slack']),
    ...(random.chance(0.5) && { ticket: `T-${random.int(10_000, 99_999)}` }),
    ...(random.chance(0.3) && { country }),
  };
};

const errors = [
  { code: 'server_error', message: 'Sorry, something went wrong.' },
  {
    code: 'rate_limit_exceeded',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  {
    code: 'rate_limit_exceeded',
    message: 'Request too large for the model: the limit is 30000 tokens per minute, 34217 were requested.',
  },
  {
    code: 'invalid_prompt',
    message:
      'The prompt was flagged as potentially violating the usage policy. Please try again with a different prompt.',
  },
] as const;

const chooseEvents = (assistant: Assistant, limits: Limits, random: Random): RunEvents => {
  const called = assistant.tools.flatMap((tool) => (tool.type === 'function' ? [tool.function.name] : []));
  const calls = functions.filter(({ name }) => called.includes(name)).slice(0, random.int(1, 2));
  const prompt = limits.met === 'max_prompt_tokens' ? limits.max_prompt_tokens : null;
  const completion = limits.met === 'max_completion_tokens' ? limits.max_completion_tokens : null;
  const usage = {
    completion_tokens: completion ?? random.int(12, 250),
    prompt_tokens: prompt ?? random.int(180, 3900),
  };
  return {
    requiredAction: {
      type: 'submit_tool_outputs',
      submit_tool_outputs: {
        tool_calls: calls.map(({ name, sample }) => ({
          id: `call_${random.text(24, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(sample(random)) },
        })),
      },
    },
    lastError: random.pick(errors),
    incompleteDetails: { reason: limits.met ?? 'max_completion_tokens' },
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  };
};
