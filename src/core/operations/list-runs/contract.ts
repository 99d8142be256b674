import * as z from 'zod';
import { listEnvelope, type ShapeOf, timestamp, whereItApplies } from '../../protocol/contract-types.ts';
import type { Run } from './types.ts';

/** A function call whose output a run waits for (contract: Run, required_action). */
const toolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

export const runSchema = z.object({
  id: z.string(),
  object: z.literal('thread.run'),
  created_at: timestamp,
  thread_id: z.string(),
  assistant_id: z.string(),
  status: z.string(),
  required_action: whereItApplies(
    z.object({
      type: z.literal('submit_tool_outputs'),
      submit_tool_outputs: z.object({ tool_calls: z.array(toolCall) }),
    }),
  ),
  last_error: whereItApplies(z.object({ code: z.string(), message: z.string() })),
  expires_at: whereItApplies(timestamp),
  started_at: whereItApplies(timestamp),
  cancelled_at: whereItApplies(timestamp),
  failed_at: whereItApplies(timestamp),
  completed_at: whereItApplies(timestamp),
  incomplete_details: whereItApplies(z.object({ reason: z.string() })),
  model: z.string(),
  instructions: whereItApplies(z.string()),
  tools: z.array(z.unknown()),
  metadata: whereItApplies(z.looseObject({})),
  usage: whereItApplies(
    z.object({ completion_tokens: z.int(), prompt_tokens: z.int(), total_tokens: z.int() }),
  ),
  max_prompt_tokens: whereItApplies(z.int()),
  max_completion_tokens: whereItApplies(z.int()),
  truncation_strategy: whereItApplies(z.object({ type: z.string(), last_messages: whereItApplies(z.int()) })),
  tool_choice: whereItApplies(z.string()),
  parallel_tool_calls: whereItApplies(z.boolean()),
  response_format: whereItApplies(z.string()),
  temperature: whereItApplies(z.number()),
  top_p: whereItApplies(z.number()),
} satisfies ShapeOf<Run>);

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
