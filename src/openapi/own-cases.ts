import { activePolicy, type scenarios } from './case-scenarios.ts';

/** A call whose answer the document shows. */
export interface Case {
  /** Of a refusal, the assumption that answers. */
  readonly name: string;
  readonly summary: string;
  /** Below the base URL, with the query. Default: the operation's plain path. */
  readonly path?: string;
  /** What is sent, as JSON unless it is a text or a mark of what went wrong with it. Default: the plain one. */
  readonly body?: unknown;
  /** Over the usual headers; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The scenario that answers it. Default: `default`. */
  readonly scenario?: keyof typeof scenarios;
}

const welcome = { product: 'Lumen', language: 'English', name: 'Ada', question: 'Where do I start?' };
/** What each operation is called with where nothing else is said. */
export const plainCalls: Readonly<Record<string, { readonly path: string; readonly body?: object }>> = {
  renderPrompt: { path: '/prompts/prompt_welcome/render', body: { variables: welcome } },
  listRuns: { path: '/threads/thread_demo/runs?limit=2' },
  listBatches: { path: '/batches?limit=2' },
  listCheckpoints: { path: '/fine_tuning/jobs/ftjob_demo/checkpoints?limit=2' },
  getRateLimitsPolicy: { path: `/policies/rate-limits/${activePolicy}` },
};

/** The cases of one operation alone, those that succeed first. */
export const ownCases: Readonly<Record<string, readonly Case[]>> = {
  renderPrompt: [
    { name: 'plain', summary: 'The template, filled in.' },
    {
      name: 'hyperparameters',
      summary: 'Hyperparameters of the request go over those of the template.',
      body: { variables: welcome, temperature: 0, max_tokens: 50, stream: false },
    },
    { name: 'missing-variable', summary: 'A variable is missing.', body: { variables: { name: 'Ada' } } },
    {
      name: 'prompt-version',
      summary: 'A version by its number.',
      path: '/prompts/prompt_versions@1/render',
    },
    {
      name: 'root-messages',
      summary: 'Messages of the request.',
      body: { variables: {}, messages: [{ role: 'user', content: 'As it is: {{name}}' }] },
    },
    { name: 'unknown-prompt', summary: 'There is no such prompt.', path: '/prompts/prompt_none/render' },
    {
      name: 'recursive-partial',
      summary: 'A partial includes itself.',
      path: '/prompts/prompt_circle/render',
      scenario: 'odd',
    },
    {
      name: 'render-size',
      summary: 'The rendering takes too much.',
      path: '/prompts/prompt_deep/render',
      body: { variables: { a: true } },
      scenario: 'odd',
    },
    { name: 'body-format', summary: 'The body is no JSON.', body: '{"variables":' },
    {
      name: 'body-depth',
      summary: 'The body nests too deep.',
      body: `{"variables":${'{"a":'.repeat(600)}1${'}'.repeat(601)}`,
    },
    { name: 'body-size', summary: 'The body is too large.', body: { length: 10_000_001 } },
    { name: 'body-type', summary: 'The body is of another type.', headers: { 'content-type': 'text/plain' } },
    { name: 'variables-required', summary: 'variables is missing.', body: { temperature: 0 } },
    {
      name: 'nested-hyperparameters',
      summary: 'Hyperparameters that do not stand at the root.',
      body: { variables: {}, hyperparameters: { temperature: 0 } },
    },
    {
      name: 'hyperparameter-type',
      summary: "A hyperparameter of another type than the contract's.",
      body: { variables: {}, temperature: 'warm' },
    },
  ],
  listRuns: [
    { name: 'plain', summary: 'The first page.' },
    { name: 'ascending', summary: 'The oldest first.', path: '/threads/thread_demo/runs?limit=1&order=asc' },
    { name: 'empty-run-ends', summary: 'A thread without runs.', path: '/threads/thread_empty/runs' },
    { name: 'unknown-thread', summary: 'There is no such thread.', path: '/threads/thread_none/runs' },
    { name: 'limit-too-large', summary: 'limit above 100.', path: '/threads/thread_demo/runs?limit=101' },
    { name: 'limit-too-small', summary: 'limit below 1.', path: '/threads/thread_demo/runs?limit=0' },
    { name: 'limit-format', summary: 'limit is no integer.', path: '/threads/thread_demo/runs?limit=ten' },
    { name: 'order-value', summary: 'order is none.', path: '/threads/thread_demo/runs?order=newest' },
    {
      name: 'unknown-cursor',
      summary: 'The cursor names no run.',
      path: '/threads/thread_demo/runs?after=run_none',
    },
  ],
  listBatches: [
    { name: 'plain', summary: 'The first page.' },
    { name: 'limit-too-large', summary: 'limit above 100.', path: '/batches?limit=101' },
    { name: 'limit-too-small', summary: 'limit below 1.', path: '/batches?limit=0' },
    { name: 'limit-format', summary: 'limit is no integer.', path: '/batches?limit=ten' },
    { name: 'unknown-cursor', summary: 'The cursor names no batch.', path: '/batches?after=batch_none' },
  ],
  listCheckpoints: [
    { name: 'plain', summary: 'The first page.' },
    {
      name: 'empty',
      summary: 'A job without checkpoints.',
      path: '/fine_tuning/jobs/ftjob_empty/checkpoints',
    },
    {
      name: 'unknown-job',
      summary: 'There is no such job.',
      path: '/fine_tuning/jobs/ftjob_none/checkpoints',
    },
    {
      name: 'checkpoint-limit-bounds',
      summary: 'limit below 1.',
      path: '/fine_tuning/jobs/ftjob_demo/checkpoints?limit=0',
    },
    {
      name: 'limit-format',
      summary: 'limit is no integer.',
      path: '/fine_tuning/jobs/ftjob_demo/checkpoints?limit=ten',
    },
    {
      name: 'unknown-cursor',
      summary: 'The cursor names no checkpoint.',
      path: '/fine_tuning/jobs/ftjob_demo/checkpoints?after=ftckpt_none',
    },
  ],
  getRateLimitsPolicy: [
    { name: 'plain', summary: 'An active policy.' },
    {
      name: 'archived',
      summary: 'An archived policy.',
      path: '/policies/rate-limits/22222222-2222-4222-8222-222222222222?status=archived',
    },
    {
      name: 'unknown-policy',
      summary: 'There is no such policy of this status.',
      path: `/policies/rate-limits/${activePolicy}?status=archived`,
    },
    { name: 'policy-id-format', summary: 'The id is no uuid.', path: '/policies/rate-limits/chat' },
    {
      name: 'policy-status-value',
      summary: 'status is none.',
      path: `/policies/rate-limits/${activePolicy}?status=retired`,
    },
  ],
};
