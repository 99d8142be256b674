import * as z from 'zod';
import { listEnvelope, timestamp, whereItApplies } from '../../protocol/contract-types.ts';

/** A function call whose output a run waits for (contract: Run, required_action). */
const toolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

/** The schema of a {@link Run}. */
export const runSchema = z.object({
  /** Its id, such as `run_abc123`. */
  id: z.string(),
  /** Always `thread.run`. */
  object: z.literal('thread.run'),
  /** When it was created, in seconds since 1970. */
  created_at: timestamp,
  /** The thread to which it belongs. */
  thread_id: z.string(),
  /** The assistant that it uses. */
  assistant_id: z.string(),
  /** Its state, such as `queued`. */
  status: z.string(),
  /** The function calls whose outputs it waits for; null in other states. */
  required_action: whereItApplies(
    z.object({
      type: z.literal('submit_tool_outputs'),
      submit_tool_outputs: z.object({ tool_calls: z.array(toolCall) }),
    }),
  ),
  /** Why it failed; null if it has not. */
  last_error: whereItApplies(z.object({ code: z.string(), message: z.string() })),
  /** When it expires, in seconds since 1970; null once it has ended otherwise. */
  expires_at: whereItApplies(timestamp),
  /** When it started; null if it has not. */
  started_at: whereItApplies(timestamp),
  /** When it was cancelled; null if it has not. */
  cancelled_at: whereItApplies(timestamp),
  /** When it failed; null if it has not. */
  failed_at: whereItApplies(timestamp),
  /** When it completed; null if it has not. */
  completed_at: whereItApplies(timestamp),
  /** Why it is incomplete; null in other states. */
  incomplete_details: whereItApplies(z.object({ reason: z.string() })),
  /** The model that it uses. */
  model: z.string(),
  /** The assistant's instructions; null if it has none. */
  instructions: whereItApplies(z.string()),
  /** The tools that it may use; the contract does not show their shape. */
  tools: z.array(z.unknown()),
  /** The caller's own keys and values. */
  metadata: whereItApplies(z.looseObject({})),
  /** The tokens that it has used; null until it has ended. */
  usage: whereItApplies(
    z.object({ completion_tokens: z.int(), prompt_tokens: z.int(), total_tokens: z.int() }),
  ),
  /** The limit of its prompt tokens; null if there is none. */
  max_prompt_tokens: whereItApplies(z.int()),
  /** The limit of its completion tokens; null if there is none. */
  max_completion_tokens: whereItApplies(z.int()),
  /** How much of the thread it sends to the model. */
  truncation_strategy: whereItApplies(z.object({ type: z.string(), last_messages: whereItApplies(z.int()) })),
  /** Whether the model may use tools, such as `auto` or `none`. */
  tool_choice: whereItApplies(z.string()),
  /** Whether it may require several function calls at once. */
  parallel_tool_calls: whereItApplies(z.boolean()),
  /** The format of its output, such as `auto`. */
  response_format: whereItApplies(z.string()),
  /** The sampling temperature. */
  temperature: whereItApplies(z.number()),
  /** The share of probability mass to sample from. */
  top_p: whereItApplies(z.number()),
});

/** Contract: Endpoints, 2. List runs of a thread. */
export const listRunsContract = {
  id: 'listRuns',
  method: 'GET',
  path: '/threads/{thread_id}/runs',
  section: 'Endpoints, 2. List runs of a thread',
  virtualKey: true,
  betaHeader: true,
  params: z.object({ thread_id: z.string() }),
  query: z.object({
    limit: z.int().min(1).max(100).default(20),
    order: z.enum(['asc', 'desc']).default('desc'),
    after: z.string().exactOptional(),
    before: z.string().exactOptional(),
  }),
  reply: z.object({
    ...listEnvelope(runSchema),
    first_id: z.string(),
    last_id: z.string(),
    has_more: z.boolean(),
  }),
} as const;

/** A run of a thread (contract: Resources and their fields, Run). Timestamps are in seconds since 1970. */
export type Run = z.output<typeof runSchema>;
