import type { AssumptionId } from '../protocol/assumptions.ts';

/** What the document says of one thing, beyond what its schema says: the contract's words, and the assumptions it rests on. */
export interface Words {
  readonly description: string;
  readonly 'x-assumptions'?: readonly AssumptionId[];
}

/** Of the named schemas, and of fields of them where the contract's table has a note. */
export const schemaWords: Readonly<Record<string, Words>> = {
  Run: {
    description:
      'Contract: Resources and their fields, Run. Which fields may be null or missing is not stated there.',
    'x-assumptions': ['absent-values', 'run-states'],
  },
  'Run.status': {
    description:
      "'queued' is a shown value. The mock has nine: queued, in_progress, requires_action, cancelling, cancelled, failed, completed, incomplete, expired.",
    'x-assumptions': ['run-states'],
  },
  'Run.created_at': { description: 'A timestamp: seconds since 1970.' },
  'Run.tools': { description: 'The shape of its items is not shown.' },
  'Run.metadata': { description: 'Its contents are not shown.' },
  'Run.tool_choice': { description: "'none' is a shown value.", 'x-assumptions': ['absent-values'] },
  'Run.response_format': { description: "'none' is a shown value.", 'x-assumptions': ['absent-values'] },
  Batch: {
    description:
      'Contract: Resources and their fields, Batch. Which fields may be null or missing is not stated there.',
    'x-assumptions': ['absent-values', 'batch-states'],
  },
  'Batch.status': {
    description:
      "'validating' is a shown value. The mock has eight: validating, in_progress, finalizing, completed, failed, expired, cancelling, cancelled.",
    'x-assumptions': ['batch-states'],
  },
  'Batch.created_at': { description: 'A timestamp: seconds since 1970.' },
  Checkpoint: { description: 'Contract: Resources and their fields, Fine-tuning job checkpoint.' },
  'Checkpoint.created_at': { description: 'A timestamp: seconds since 1970.' },
  'Checkpoint.metrics': { description: 'Each is a number. Not all need be measured.' },
  RateLimitsPolicy: { description: 'Contract: Resources and their fields, Rate-limits policy.' },
  'RateLimitsPolicy.value': { description: 'The limit.' },
  'RateLimitsPolicy.conditions': {
    description: 'The allowed values of key are not shown.',
    'x-assumptions': ['policy-keys'],
  },
  'RateLimitsPolicy.group_by': {
    description: 'The allowed values of key are not shown.',
    'x-assumptions': ['policy-keys'],
  },
  RenderedPrompt: { description: 'Contract: Resources and their fields, Rendered prompt response.' },
  'RenderedPrompt.success': { description: 'true when the render succeeded.' },
  ChatCompletionRequest: {
    description:
      'Contract: Resources and their fields, fields of data. The template and the request decide which appear; it is fit to be the body of a separate chat-completion call.',
    'x-assumptions': ['unknown-hyperparameter'],
  },
  RenderRequest: {
    description:
      'Contract: Endpoints, 1. Render a prompt. Hyperparameters stand at the root beside variables, never under a field named hyperparameters. Their allowed ranges are not shown.',
    'x-assumptions': ['hyperparameter-type', 'hyperparameter-null', 'unknown-hyperparameter'],
  },
  'RenderRequest.variables': { description: 'The values substituted into the template.' },
  'RenderRequest.messages': {
    description: "Take the place of the template's.",
    'x-assumptions': ['root-messages'],
  },
  'RenderRequest.stream': { description: 'Sent at root level.' },
  RunList: {
    description: 'Contract: List envelope; all five fields are required.',
    'x-assumptions': ['page-ends', 'empty-run-ends'],
  },
  BatchList: {
    description: 'Contract: List envelope; first_id and last_id are optional.',
    'x-assumptions': ['page-ends'],
  },
  CheckpointList: {
    description: 'Contract: List envelope; first_id and last_id may be null.',
    'x-assumptions': ['page-ends'],
  },
  Error: {
    description:
      'The body of every refusal. The contract shows none (Errors: not shown): all of it is an assumption.',
    'x-assumptions': ['error-body'],
  },
};

/** Of the parameters, by operation and name, or by name alone. */
export const parameterWords: Readonly<Record<string, Words>> = {
  promptId: {
    description: 'The id of the prompt template to render.',
    'x-assumptions': ['prompt-version'],
  },
  thread_id: { description: 'The thread whose runs are listed.' },
  fine_tuning_job_id: { description: 'The job whose checkpoints are listed.' },
  rateLimitsPolicyId: { description: 'The id of the policy.', 'x-assumptions': ['policy-id-format'] },
  status: { description: 'Filters by status.' },
  limit: { description: 'How many records a page has.' },
  'listCheckpoints.limit': {
    description: 'The number of checkpoints to return. Its bounds are not stated.',
    'x-assumptions': ['checkpoint-limit-bounds'],
  },
  order: { description: 'Sorts by created_at.', 'x-assumptions': ['total-order'] },
  'listRuns.after': { description: 'A cursor: a run id; returns the page after it.' },
  'listRuns.before': {
    description: 'A cursor: a run id; returns the page before it.',
    'x-assumptions': ['before-page', 'after-and-before'],
  },
  'listBatches.after': { description: 'A cursor: a batch id.' },
  'listCheckpoints.after': { description: 'The id of the last checkpoint of the previous page.' },
  'Vendor-Beta': {
    description:
      'The run-list request is sent with it (contract: Versioning). The vendor word is neutral here; OpenAI-Beta is taken, too. Whether it is required is not shown.',
    'x-assumptions': ['beta-header'],
  },
};

/** Of the operations. */
export const operationWords: Readonly<
  Record<string, Words & { readonly summary: string; readonly tag: string }>
> = {
  renderPrompt: {
    summary: 'Render a prompt',
    tag: 'Prompts',
    description:
      'Fills a stored prompt template with the variables. The result is the body of a chat-completion call, which the caller sends separately.',
    'x-assumptions': ['template-syntax', 'missing-variable', 'root-messages', 'prompt-version'],
  },
  listRuns: {
    summary: 'List the runs of a thread',
    tag: 'Threads',
    description: 'A page of the runs, by default the newest first.',
    'x-assumptions': ['total-order', 'blank-parameter', 'unknown-parameter'],
  },
  listBatches: {
    summary: 'List batches',
    tag: 'Batches',
    description: 'A page of the batches.',
    'x-assumptions': ['newest-first', 'total-order', 'blank-parameter', 'unknown-parameter'],
  },
  listCheckpoints: {
    summary: 'List the checkpoints of a fine-tuning job',
    tag: 'Fine-tuning',
    description: 'A page of the checkpoints.',
    'x-assumptions': ['newest-first', 'total-order', 'blank-parameter', 'unknown-parameter'],
  },
  getRateLimitsPolicy: {
    summary: 'Get a rate-limits policy',
    tag: 'Policies',
    description: 'The policy of this id, where it has the status asked for.',
    'x-assumptions': ['blank-parameter', 'unknown-parameter'],
  },
};

export const tags = [
  { name: 'Prompts', description: 'Stored prompt templates, rendered.' },
  { name: 'Threads', description: 'The runs of a thread of an assistants-style API.' },
  { name: 'Batches', description: 'Batch jobs.' },
  { name: 'Fine-tuning', description: 'The checkpoints of a fine-tuning job.' },
  { name: 'Policies', description: 'Policies that limit requests or tokens per time unit.' },
];
