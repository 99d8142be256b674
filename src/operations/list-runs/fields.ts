import { words } from 'virtual:words';
import { alphanumeric, type Random } from '../../world/random.ts';
import { type Assistant, sampleArguments } from './assistants.ts';
import type { Run } from './contract.ts';
import type { RunEvents, RunState } from './lifecycle.ts';

/** A run to be made. */
export interface Plan {
  readonly id: string;
  readonly thread: string;
  readonly created: number;
  /** How many seconds after its creation it expires, unless it has ended by then. */
  readonly lifetime: number;
  readonly seed: number;
  /** The moment that parts what lies behind from what lies ahead. */
  readonly now: number;
  readonly random: Random;
}

/** Each limit of a run's tokens, and what of its usage it limits. */
const limited = { max_prompt_tokens: 'prompt_tokens', max_completion_tokens: 'completion_tokens' } as const;

type Limit = keyof typeof limited;

/** The limits of a run's tokens. */
export interface Limits {
  readonly max_prompt_tokens: number | null;
  readonly max_completion_tokens: number | null;
  /** The limit that the run meets and that ends it incomplete; null where it meets none. */
  readonly met: Limit | null;
}

/** A run that ends incomplete has the limit that it met. @param given what they agree with */
export const chooseLimits = (states: readonly RunState[], random: Random, given: Partial<Run>): Limits => {
  const usual = states.includes('incomplete')
    ? random.pick(['max_completion_tokens', 'max_completion_tokens', 'max_prompt_tokens'])
    : null;
  const met = usual && metBy(given, usual);
  const prompt = met === 'max_prompt_tokens' || random.chance(0.2) ? random.pick([4096, 8192, 16_384]) : null;
  const completion =
    met === 'max_completion_tokens' || random.chance(0.3) ? random.pick([256, 512, 1024]) : null;
  return {
    max_prompt_tokens: limitBy(given, 'max_prompt_tokens', met, prompt),
    max_completion_tokens: limitBy(given, 'max_completion_tokens', met, completion),
    met,
  };
};

/** The limit that an incomplete run met, by the reason that is given, or by the limits and the usage that are. */
const metBy = (given: Partial<Run>, usual: Limit): Limit | null => {
  const order: readonly Limit[] = [usual, 'max_completion_tokens', 'max_prompt_tokens'];
  const reason = given.incomplete_details?.reason;
  if (reason !== undefined) return order.find((limit) => limit === reason) ?? null;
  const isMet = (limit: Limit): boolean => {
    const max = given[limit];
    return typeof max === 'number' && (given.usage?.[limited[limit]] ?? max) >= max;
  };
  return order.find(isMet) ?? order.find((limit) => given[limit] === undefined) ?? usual;
};

/** A limit as it is given, or one that agrees with the usage that is. */
const limitBy = (given: Partial<Run>, limit: Limit, met: Limit | null, usual: number | null) => {
  const used = given.usage?.[limited[limit]];
  if (given[limit] !== undefined) return given[limit];
  if (used === undefined) return usual;
  if (limit === met) return used;
  return usual !== null && usual > used ? usual : null;
};

/** A run as it is made, before anything happens to it. */
export const newRun = (
  { id, thread, created, lifetime, random }: Plan,
  { id: assistant_id, model, instructions }: Assistant,
  tools: readonly unknown[],
  { max_prompt_tokens, max_completion_tokens }: Limits,
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
    expires_at: created + lifetime,
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
  return {
    customer: random.pick(words.people),
    channel: random.pick(['web', 'web', 'ios', 'android', 'email', 'slack']),
    ...(random.chance(0.5) && { ticket: `T-${random.int(10_000, 99_999)}` }),
    ...(random.chance(0.3) && { country: random.pick(words.countries) }),
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

/**
 * What a run meets on its way, whatever its way.
 *
 * @param functions the names of those that it can call
 */
export const chooseEvents = (functions: readonly string[], limits: Limits, random: Random): RunEvents => {
  const called = functions.slice(0, random.int(1, 2));
  const usage = {
    completion_tokens: chooseTokens(limits, 'max_completion_tokens', () => random.int(12, 250)),
    prompt_tokens: chooseTokens(limits, 'max_prompt_tokens', () => random.int(180, 3900)),
  };
  return {
    requiredAction: {
      type: 'submit_tool_outputs',
      submit_tool_outputs: {
        tool_calls: called.map((name) => ({
          id: `call_${random.text(24, alphanumeric)}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(sampleArguments(name, random)) },
        })),
      },
    },
    lastError: random.pick(errors),
    incompleteDetails: { reason: limits.met ?? 'max_completion_tokens' },
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  };
};

/** All that a limit allows where the run met it, less otherwise. */
const chooseTokens = (limits: Limits, limit: Limit, chooseUsual: () => number): number => {
  const max = limits[limit];
  if (max === null) return chooseUsual();
  return Math.max(0, limits.met === limit ? max : Math.min(chooseUsual(), max - 1));
};
