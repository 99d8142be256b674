// The tables of the contract (contract.md), typed by hand: what a description of the service must have, wherever it comes from.

/** What a row states: `const:x` a constant, `x|null` that null is allowed, `a,b` an enumeration after `enum:`. */
export type Row = readonly [field: string, type: string, required?: 'required' | 'optional'];

/** Fields by their type: each type with its fields, separated by blanks. */
const typed = (fields: Readonly<Record<string, string>>, required?: 'required' | 'optional'): Row[] =>
  Object.entries(fields).flatMap(([type, names]) =>
    names.split(' ').map((name): Row => (required === undefined ? [name, type] : [name, type, required])),
  );

const below = (field: string, rows: readonly Row[]): Row[] =>
  rows.map(([name, ...rest]) => [`${field}.${name}`, ...rest]);

/** Resources and their fields: the fields of data of a rendered prompt. */
export const chatCompletion: readonly Row[] = [
  ...typed(
    {
      array: 'messages tools functions',
      string: 'model stop tool_choice user function_call',
      number: 'frequency_penalty presence_penalty temperature top_p',
      integer: 'top_logprobs max_tokens n seed',
      boolean: 'logprobs stream parallel_tool_calls',
      object: 'response_format thinking',
      'object|null': 'logit_bias stream_options',
    },
    'optional',
  ),
  ...below('messages[]', typed({ string: 'content role name' })),
  ...below('response_format', typed({ string: 'type' })),
  ...below('thinking', typed({ string: 'type', integer: 'budget_tokens' })),
  ...below('tools[]', typed({ string: 'type', object: 'function' })),
  ...below(
    'tools[].function',
    typed({ string: 'name description', object: 'parameters', boolean: 'strict' }),
  ),
  ...below('functions[]', typed({ string: 'name description', object: 'parameters' })),
];

const calls = 'required_action.submit_tool_outputs.tool_calls';

const run: readonly Row[] = [
  ...typed({
    'const:thread.run': 'object',
    string: 'id thread_id assistant_id status model instructions tool_choice response_format',
    integer: 'created_at expires_at started_at cancelled_at failed_at completed_at',
    object: 'required_action last_error incomplete_details metadata usage truncation_strategy',
    array: 'tools',
    number: 'temperature top_p',
    boolean: 'parallel_tool_calls',
  }),
  ...typed({ integer: 'max_prompt_tokens max_completion_tokens', array: calls }),
  ...below('required_action', typed({ 'const:submit_tool_outputs': 'type', object: 'submit_tool_outputs' })),
  ...below(`${calls}[]`, typed({ string: 'id', 'const:function': 'type', object: 'function' })),
  ...below(`${calls}[].function`, typed({ string: 'name arguments' })),
  ...below('last_error', typed({ string: 'code message' })),
  ...below('incomplete_details', typed({ string: 'reason' })),
  ...below('usage', typed({ integer: 'completion_tokens prompt_tokens total_tokens' })),
  ...below('truncation_strategy', typed({ string: 'type', integer: 'last_messages' })),
];

const batch: readonly Row[] = [
  ...typed({
    'const:batch': 'object',
    string: 'id endpoint input_file_id completion_window status output_file_id error_file_id',
    integer: 'created_at in_progress_at expires_at finalizing_at completed_at failed_at expired_at',
    object: 'errors request_counts metadata',
  }),
  ...typed({ integer: 'cancelling_at cancelled_at' }),
  ...below('errors', typed({ string: 'object', array: 'data' })),
  ...below('errors.data[]', typed({ string: 'code message param', integer: 'line' })),
  ...below('request_counts', typed({ integer: 'total completed failed' })),
];

const checkpoint: readonly Row[] = [
  ...typed({
    'const:fine_tuning.job.checkpoint': 'object',
    string: 'id fine_tuned_model_checkpoint fine_tuning_job_id',
    integer: 'created_at step_number',
    object: 'metrics',
  }),
  ...below('metrics', typed({ number: 'step train_loss train_mean_token_accuracy valid_loss' })),
  ...below('metrics', typed({ number: 'valid_mean_token_accuracy full_valid_loss' })),
  ...below('metrics', typed({ number: 'full_valid_mean_token_accuracy' })),
];

const policy: readonly Row[] = [
  ...typed(
    {
      'format:uuid': 'id workspace_id organisation_id',
      'enum:requests,tokens': 'type',
      'enum:rpm,rph,rpd': 'unit',
      number: 'value',
      'enum:active,archived': 'status',
      'format:date-time': 'created_at last_updated_at',
    },
    'required',
  ),
  ...typed(
    { 'string|null': 'name', array: 'conditions group_by', 'const:policy_rate_limits': 'object' },
    'optional',
  ),
  ...below('conditions[]', typed({ string: 'key value' })),
  ...below('group_by[]', typed({ string: 'key' })),
];

const list = (items: readonly Row[], ...ends: readonly Row[]): Row[] => [
  ['object', 'const:list', 'required'],
  ['data', 'array', 'required'],
  ['has_more', 'boolean', 'required'],
  ...ends,
  ...below('data[]', items),
];

/** A query parameter: name, type, default and, where there are, bounds. */
interface QueryRow {
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
