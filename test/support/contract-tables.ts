// The tables of the contract (contract.md), typed by hand: what a description of the service must have, wherever it comes from.

/** What a row states: `const:x` a constant, `x|null` that null is allowed, `a,b` an enumeration after `enum:`. */
export type Row = readonly [field: string, type: string, required?: 'required' | 'optional'];

const runMoments = ['expires_at', 'started_at', 'cancelled_at', 'failed_at', 'completed_at'];
const batchMoments = [
  'in_progress_at',
  'expires_at',
  'finalizing_at',
  'completed_at',
  'failed_at',
  'expired_at',
  'cancelling_at',
  'cancelled_at',
];

/** Resources and their fields: the fields of data of a rendered prompt. */
const chatCompletion: readonly Row[] = [
  ['messages', 'array', 'optional'],
  ['messages[].content', 'string'],
  ['messages[].role', 'string'],
  ['messages[].name', 'string'],
  ['model', 'string', 'optional'],
  ['frequency_penalty', 'number', 'optional'],
  ['logit_bias', 'object|null', 'optional'],
  ['logprobs', 'boolean', 'optional'],
  ['top_logprobs', 'integer', 'optional'],
  ['max_tokens', 'integer', 'optional'],
  ['n', 'integer', 'optional'],
  ['presence_penalty', 'number', 'optional'],
  ['response_format', 'object', 'optional'],
  ['response_format.type', 'string'],
  ['seed', 'integer', 'optional'],
  ['stop', 'string', 'optional'],
  ['stream', 'boolean', 'optional'],
  ['stream_options', 'object|null', 'optional'],
  ['thinking', 'object', 'optional'],
  ['thinking.type', 'string'],
  ['thinking.budget_tokens', 'integer'],
  ['temperature', 'number', 'optional'],
  ['top_p', 'number', 'optional'],
  ['tools', 'array', 'optional'],
  ['tools[].type', 'string'],
  ['tools[].function', 'object'],
  ['tools[].function.name', 'string'],
  ['tools[].function.description', 'string'],
  ['tools[].function.parameters', 'object'],
  ['tools[].function.strict', 'boolean'],
  ['tool_choice', 'string', 'optional'],
  ['parallel_tool_calls', 'boolean', 'optional'],
  ['user', 'string', 'optional'],
  ['function_call', 'string', 'optional'],
  ['functions', 'array', 'optional'],
  ['functions[].name', 'string'],
  ['functions[].description', 'string'],
  ['functions[].parameters', 'object'],
];

const run: readonly Row[] = [
  ['id', 'string'],
  ['object', 'const:thread.run'],
  ['created_at', 'integer'],
  ['thread_id', 'string'],
  ['assistant_id', 'string'],
  ['status', 'string'],
  ['required_action', 'object'],
  ['required_action.type', 'const:submit_tool_outputs'],
  ['required_action.submit_tool_outputs', 'object'],
  ['required_action.submit_tool_outputs.tool_calls', 'array'],
  ['required_action.submit_tool_outputs.tool_calls[].id', 'string'],
  ['required_action.submit_tool_outputs.tool_calls[].type', 'const:function'],
  ['required_action.submit_tool_outputs.tool_calls[].function', 'object'],
  ['required_action.submit_tool_outputs.tool_calls[].function.name', 'string'],
  ['required_action.submit_tool_outputs.tool_calls[].function.arguments', 'string'],
  ['last_error', 'object'],
  ['last_error.code', 'string'],
  ['last_error.message', 'string'],
  ...runMoments.map((field): Row => [field, 'integer']),
  ['incomplete_details', 'object'],
  ['incomplete_details.reason', 'string'],
  ['model', 'string'],
  ['instructions', 'string'],
  ['tools', 'array'],
  ['metadata', 'object'],
  ['usage', 'object'],
  ['usage.completion_tokens', 'integer'],
  ['usage.prompt_tokens', 'integer'],
  ['usage.total_tokens', 'integer'],
  ['max_prompt_tokens', 'integer'],
  ['max_completion_tokens', 'integer'],
  ['truncation_strategy', 'object'],
  ['truncation_strategy.type', 'string'],
  ['truncation_strategy.last_messages', 'integer'],
  ['tool_choice', 'string'],
  ['parallel_tool_calls', 'boolean'],
  ['response_format', 'string'],
  ['temperature', 'number'],
  ['top_p', 'number'],
];

const batch: readonly Row[] = [
  ['id', 'string'],
  ['object', 'const:batch'],
  ['endpoint', 'string'],
  ['input_file_id', 'string'],
  ['completion_window', 'string'],
  ['status', 'string'],
  ['created_at', 'integer'],
  ['errors', 'object'],
  ['errors.object', 'string'],
  ['errors.data', 'array'],
  ['errors.data[].code', 'string'],
  ['errors.data[].message', 'string'],
  ['errors.data[].param', 'string'],
  ['errors.data[].line', 'integer'],
  ['output_file_id', 'string'],
  ['error_file_id', 'string'],
  ...batchMoments.map((field): Row => [field, 'integer']),
  ['request_counts', 'object'],
  ['request_counts.total', 'integer'],
  ['request_counts.completed', 'integer'],
  ['request_counts.failed', 'integer'],
  ['metadata', 'object'],
];

const checkpoint: readonly Row[] = [
  ['id', 'string'],
  ['created_at', 'integer'],
  ['fine_tuned_model_checkpoint', 'string'],
  ['step_number', 'integer'],
  ['metrics', 'object'],
  ['metrics.step', 'number'],
  ['metrics.train_loss', 'number'],
  ['metrics.train_mean_token_accuracy', 'number'],
  ['metrics.valid_loss', 'number'],
  ['metrics.valid_mean_token_accuracy', 'number'],
  ['metrics.full_valid_loss', 'number'],
  ['metrics.full_valid_mean_token_accuracy', 'number'],
  ['fine_tuning_job_id', 'string'],
  ['object', 'const:fine_tuning.job.checkpoint'],
];

const policy: readonly Row[] = [
  ['id', 'format:uuid', 'required'],
  ['type', 'enum:requests,tokens', 'required'],
  ['unit', 'enum:rpm,rph,rpd', 'required'],
  ['value', 'number', 'required'],
  ['status', 'enum:active,archived', 'required'],
  ['workspace_id', 'format:uuid', 'required'],
  ['organisation_id', 'format:uuid', 'required'],
  ['created_at', 'format:date-time', 'required'],
  ['last_updated_at', 'format:date-time', 'required'],
  ['name', 'string|null', 'optional'],
  ['conditions', 'array', 'optional'],
  ['conditions[].key', 'string'],
  ['conditions[].value', 'string'],
  ['group_by', 'array', 'optional'],
  ['group_by[].key', 'string'],
  ['object', 'const:policy_rate_limits', 'optional'],
];

const below = (field: string, rows: readonly Row[]): Row[] =>
  rows.map(([name, ...rest]) => [`${field}.${name}`, ...rest]);

const list = (items: readonly Row[], ...ends: readonly Row[]): Row[] => [
  ['object', 'const:list', 'required'],
  ['data', 'array', 'required'],
  ['has_more', 'boolean', 'required'],
  ...ends,
  ...below('data[]', items),
];

/** A query parameter: name, type, default and, where there are, bounds. */
export interface QueryRow {
  readonly name: string;
  readonly type: string;
  readonly default?: string | number;
  readonly range?: readonly [number, number];
  readonly enum?: readonly string[];
}

const pageLimit: QueryRow = { name: 'limit', type: 'integer', default: 20, range: [1, 100] };

/** Endpoints, with Authentication and Versioning. */
export const endpoints = [
  {
    id: 'renderPrompt',
    method: 'post',
    path: '/prompts/{promptId}/render',
    pathParameters: [['promptId', 'string']],
    query: [],
    headers: ['x-gateway-api-key'],
    beta: false,
    body: [['variables', 'object', 'required'], ...chatCompletion],
    reply: [
      ['success', 'boolean', 'required'],
      ['data', 'object', 'required'],
      ...below('data', chatCompletion),
    ],
  },
  {
    id: 'listRuns',
    method: 'get',
    path: '/threads/{thread_id}/runs',
    pathParameters: [['thread_id', 'string']],
    query: [
      pageLimit,
      { name: 'order', type: 'string', default: 'desc', enum: ['asc', 'desc'] },
      { name: 'after', type: 'string' },
      { name: 'before', type: 'string' },
    ],
    headers: ['x-gateway-api-key', 'x-gateway-virtual-key'],
    beta: true,
    reply: list(run, ['first_id', 'string', 'required'], ['last_id', 'string', 'required']),
  },
  {
    id: 'listBatches',
    method: 'get',
    path: '/batches',
    query: [{ name: 'after', type: 'string' }, pageLimit],
    headers: ['x-gateway-api-key', 'x-gateway-virtual-key'],
    beta: false,
    reply: list(batch, ['first_id', 'string', 'optional'], ['last_id', 'string', 'optional']),
  },
  {
    id: 'listCheckpoints',
    method: 'get',
    path: '/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints',
    pathParameters: [['fine_tuning_job_id', 'string']],
    query: [
      { name: 'after', type: 'string' },
      { name: 'limit', type: 'integer', default: 10 }, // its bounds are not stated
    ],
    headers: ['x-gateway-api-key', 'x-gateway-virtual-key'],
    beta: false,
    reply: list(checkpoint, ['first_id', 'string|null'], ['last_id', 'string|null']),
  },
  {
    id: 'getRateLimitsPolicy',
    method: 'get',
    path: '/policies/rate-limits/{rateLimitsPolicyId}',
    pathParameters: [['rateLimitsPolicyId', 'format:uuid']],
    query: [{ name: 'status', type: 'string', default: 'active', enum: ['active', 'archived'] }],
    headers: ['x-gateway-api-key'],
    beta: false,
    reply: policy,
  },
] as const satisfies readonly {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly pathParameters?: readonly (readonly [string, string])[];
  readonly query: readonly QueryRow[];
  readonly headers: readonly string[];
  readonly beta: boolean;
  readonly body?: readonly Row[];
  readonly reply: readonly Row[];
}[];
