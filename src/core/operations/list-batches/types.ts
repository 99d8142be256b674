/** A batch. Timestamps are in seconds since 1970. */
export interface Batch {
  /** Its id, such as `batch_abc123`. */
  id: string;
  /** Always `batch`. */
  object: 'batch';
  /** The endpoint of its requests, such as `/v1/chat/completions`. */
  endpoint: string;
  /** The file with its requests. */
  input_file_id: string;
  /** The time within which it should be completed, such as `24h`. */
  completion_window: string;
  /** Its state, such as `validating`. */
  status: string;
  /** When it was created, in seconds since 1970. */
  created_at: number;
  /** Why it failed; null if it has not. */
  errors?: {
    object: string;
    data: { code: string; message: string; param?: string | null; line?: number | null }[];
  } | null;
  /** The file with the results of completed requests; null if there is none. */
  output_file_id?: string | null;
  /** The file with the errors of failed requests; null if there is none. */
  error_file_id?: string | null;
  /** When it was started; null if it has not. */
  in_progress_at?: number | null;
  /** When it expires, in seconds since 1970. */
  expires_at?: number | null;
  /** When it began to finalize; null if it has not. */
  finalizing_at?: number | null;
  /** When it completed; null if it has not. */
  completed_at?: number | null;
  /** When it failed; null if it has not. */
  failed_at?: number | null;
  /** When it expired; null if it has not. */
  expired_at?: number | null;
  /** When it began to cancel; null if it has not. */
  cancelling_at?: number | null;
  /** When it was cancelled; null if it has not. */
  cancelled_at?: number | null;
  /** The number of its requests, and how many have completed and failed. */
  request_counts?: { total: number; completed: number; failed: number } | null;
  /** The caller's own keys and values. */
  metadata?: Record<string, unknown> | null;
}
