/** A run of a thread. Timestamps are in seconds since 1970. */
export interface Run {
  /** Its id, such as `run_abc123`. */
  id: string;
  /** Always `thread.run`. */
  object: 'thread.run';
  /** When it was created, in seconds since 1970. */
  created_at: number;
  /** The thread to which it belongs. */
  thread_id: string;
  /** The assistant that it uses. */
  assistant_id: string;
  /** Its state, such as `queued`. */
  status: string;
  /** The function calls whose outputs it waits for; null in other states. */
  required_action?: {
    type: 'submit_tool_outputs';
    submit_tool_outputs: {
      tool_calls: {
        id: string;
        type: 'function';
        function: { name: string; arguments: string };
      }[];
    };
  } | null;
  /** Why it failed; null if it has not. */
  last_error?: { code: string; message: string } | null;
  /** When it expires, in seconds since 1970; null once it has ended otherwise. */
  expires_at?: number | null;
  /** When it started; null if it has not. */
  started_at?: number | null;
  /** When it was cancelled; null if it has not. */
  cancelled_at?: number | null;
  /** When it failed; null if it has not. */
  failed_at?: number | null;
  /** When it completed; null if it has not. */
  completed_at?: number | null;
  /** Why it is incomplete; null in other states. */
  incomplete_details?: { reason: string } | null;
  /** The model that it uses. */
  model: string;
  /** The assistant's instructions; null if it has none. */
  instructions?: string | null;
  /** The tools that it may use; the contract does not show their shape. */
  tools: unknown[];
  /** The caller's own keys and values. */
  metadata?: Record<string, unknown> | null;
  /** The tokens that it has used; null until it has ended. */
  usage?: { completion_tokens: number; prompt_tokens: number; total_tokens: number } | null;
  /** The limit of its prompt tokens; null if there is none. */
  max_prompt_tokens?: number | null;
  /** The limit of its completion tokens; null if there is none. */
  max_completion_tokens?: number | null;
  /** How much of the thread it sends to the model. */
  truncation_strategy?: { type: string; last_messages?: number | null } | null;
  /** Whether the model may use tools, such as `auto` or `none`. */
  tool_choice?: string | null;
  /** Whether it may require several function calls at once. */
  parallel_tool_calls?: boolean | null;
  /** The format of its output, such as `auto`. */
  response_format?: string | null;
  /** The sampling temperature. */
  temperature?: number | null;
  /** The share of probability mass to sample from. */
  top_p?: number | null;
}
