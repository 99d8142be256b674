import type { OperationDocs } from '../../protocol/operation-docs.ts';
import type { renderPromptContract } from './contract.ts';

const welcome = { product: 'Lumen', language: 'English', name: 'Ada', question: 'Where do I start?' };

/** Nested sections. */
const deep = (depth: number, text: string): string =>
  `${'{{#a}}'.repeat(depth)}${text}${'{{/a}}'.repeat(depth)}`;

/** Prompts that cannot be rendered. */
const odd = {
  prompts: {
    prompt_circle: { messages: [{ role: 'user', content: '{{>prompt_circle}}' }] },
    prompt_deep: { messages: [{ role: 'user', content: deep(300, '{{>prompt_deeper}}') }] },
    prompt_deeper: { messages: [{ role: 'user', content: deep(300, 'the bottom') }] },
  },
};

export const docs: OperationDocs<typeof renderPromptContract> = {
  summary: 'Render a prompt',
  tag: 'Prompts',
  description:
    'Fills a stored prompt template with variables. The result is the body of a chat-completion call, which the client sends separately.',
  'x-assumptions': ['template-syntax', 'missing-variable', 'root-messages', 'prompt-version'],
  params: {
    promptId: {
      description: 'The id of the prompt template to render.',
      'x-assumptions': ['prompt-version'],
      kind: 'prompts',
    },
  },
  query: {},
  example: { summary: 'The rendered template.', body: { variables: welcome } },
  cases: [
    {
      name: 'hyperparameters',
      summary: 'Hyperparameters of the request replace those of the template.',
      body: { variables: welcome, temperature: 0, max_tokens: 50, stream: false },
    },
    { name: 'missing-variable', summary: 'A variable is missing.', body: { variables: { name: 'Ada' } } },
    {
      name: 'prompt-version',
      summary: 'A version, by its number.',
      params: { promptId: 'prompt_versions@1' },
    },
    {
      name: 'root-messages',
      summary: 'Messages of the request replace those of the template.',
      body: { variables: {}, messages: [{ role: 'user', content: 'As it is: {{name}}' }] },
    },
    { name: 'unknown-prompt', summary: 'The prompt does not exist.', params: { promptId: 'prompt_none' } },
    {
      name: 'recursive-partial',
      summary: 'A partial includes itself.',
      params: { promptId: 'prompt_circle' },
      given: odd,
    },
    {
      name: 'render-size',
      summary: 'The rendering is too large.',
      params: { promptId: 'prompt_deep' },
      body: { variables: { a: true } },
      given: odd,
    },
    { name: 'body-format', summary: 'The body is not JSON.', body: '{"variables":' },
    {
      name: 'body-depth',
      summary: 'The body is nested too deeply.',
      body: `{"variables":${'{"a":'.repeat(600)}1${'}'.repeat(601)}`,
    },
    {
      name: 'body-keys',
      summary: 'The body has too many keys.',
      body: `{"variables":{}${Array.from({ length: 1000 }, (_, at) => `,"k${at}":1`).join('')}}`,
    },
    { name: 'body-size', summary: 'The body is too large.', body: { length: 10_000_001 } },
    {
      name: 'body-type',
      summary: 'The body has another content type.',
      headers: { 'content-type': 'text/plain' },
    },
    { name: 'variables-required', summary: 'variables is missing.', body: { temperature: 0 } },
    {
      name: 'nested-hyperparameters',
      summary: 'Hyperparameters that are not at the root.',
      body: { variables: {}, hyperparameters: { temperature: 0 } },
    },
    {
      name: 'hyperparameter-type',
      summary: "A hyperparameter whose type differs from the contract's.",
      body: { variables: {}, temperature: 'warm' },
    },
  ],
};
