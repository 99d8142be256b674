import { primaryKey } from '@mswjs/data';
import { type ColumnsOf, noValue, value } from '../../world/database.ts';
import { faker } from '../../world/faker.ts';
import type { Run } from './types.ts';

const { arrayElement } = faker.helpers;
const { boolean } = faker.datatype;

/** The model of threads. A thread only has an id, since no operation returns more. */
export const threadModel = { id: primaryKey(String) };

/**
 * The model of runs, as they are created: the contract's fields, in its order. `seed.ts` gives what depends on other fields,
 * and the getters draw the rest.
 */
export const runModel = {
  id: primaryKey(String),
  object: () => 'thread.run' as const,
  created_at: Number,
  thread_id: String,
  assistant_id: String,
  status: () => 'queued',
  required_action: noValue<Run['required_action']>(),
  last_error: noValue<Run['last_error']>(),
  expires_at: noValue<Run['expires_at']>(),
  started_at: noValue<Run['started_at']>(),
  cancelled_at: noValue<Run['cancelled_at']>(),
  failed_at: noValue<Run['failed_at']>(),
  completed_at: noValue<Run['completed_at']>(),
  incomplete_details: noValue<Run['incomplete_details']>(),
  model: String,
  instructions: noValue<Run['instructions']>(),
  tools: value<Run['tools']>(() => []),
  metadata: value<Run['metadata']>(() => ({})),
  usage: noValue<Run['usage']>(),
  max_prompt_tokens: value<number | null>(() => (boolean(0.2) ? arrayElement([4096, 8192, 16_384]) : null)),
  max_completion_tokens: value<number | null>(() => (boolean(0.3) ? arrayElement([256, 512, 1024]) : null)),
  truncation_strategy: value<Run['truncation_strategy']>(() =>
    boolean(0.8)
      ? { type: 'auto', last_messages: null }
      : { type: 'last_messages', last_messages: faker.number.int({ min: 4, max: 20 }) },
  ),
  tool_choice: value<Run['tool_choice']>(() => 'auto'),
  parallel_tool_calls: value<boolean | null>(() => boolean(0.8)),
  response_format: value<Run['response_format']>(() => 'auto'),
  temperature: value<number | null>(() => arrayElement([1, 1, 0.2, 0.7])),
  top_p: value<number | null>(() => arrayElement([1, 1, 1, 0.9])),
} satisfies ColumnsOf<Run>;
