import type { Random } from '../../world/random.ts';
import { alphanumeric } from '../../world/random.ts';
import { type Assistant, functions } from './assistants.ts';
import type { Run } from './contract.ts';
import { type RunEvents, type RunState, runLifetime } from './lifecycle.ts';

/** The limits of a run's tokens. */
export interface Limits {
  readonly max_prompt_tokens: number | null;
  readonly max_completion_tokens: number | null;
  /** The limit that the run meets and that ends it incomplete; null where it meets none. */
  readonly met: 'max_prompt_tokens' | 'max_completion_tokens' | null;
}

/** A run that ends incomplete has the limit that it met. */
export const chooseLimits = (states: readonly RunState[], random: Random): Limits => {
  const isMet = states.includes('incomplete');
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

/** A run as it is made, before anything happens to it. */
export const newRun = (
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

/** What a run meets on its way, whatever its way. */
export const chooseEvents = (assistant: Assistant, limits: Limits, random: Random): RunEvents => {
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
          id: `call_${random.text(24, alphanumeric)}`,
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
