import type { OperationDocs } from '../../protocol/operation-docs.ts';
import type { renderPromptContract } from './contract.ts';

const welcome = { product: 'Lumen', language: 'English', name: 'Ada', question: 'Where do I start?' };

/** Sections in one another. */
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
    'Fills a stored prompt template with the variables. The result is the body of a chat-completion call, which the caller sends separately.',
  'x-assumptions': ['template-syntax', 'missing-variable', 'root-messages', 'prompt-version'],
  params: {
    promptId: {
      description: 'The id of the prompt template to render.',
      'x-assumptions': ['prompt-version'],
      kind: 'prompts',
    },
  },
  query: {},
  example: { summary: 'The template, filled in.', body: { variables: welcome } },
  cases: [
    {
      name: 'hyperparameters',
      summary: 'Hyperparameters of the request go over those of the template.',
      body: { variables: welcome, temperature: 0, max_tokens: 50, stream: false },
    },
    { name: 'missing-variable', summary: 'A variable is missing.', body: { variables: { name: 'Ada' } } },
    {
      name: 'prompt-version',
      summary: 'A version by its number.',
      params: { promptId: 'prompt_versions@1' },
    },
    {
      name: 'root-messages',
      summary: 'Messages of the request.',
      body: { variables: {}, messages: [{ role: 'user', content: 'As it is: {{name}}' }] },
    },
    { name: 'unknown-prompt', summary: 'There is no such prompt.', params: { promptId: 'prompt_none' } },
    {
      name: 'recursive-partial',
      summary: 'A partial includes itself.',
      params: { promptId: 'prompt_circle' },
      given: odd,
    },
    {
      name: 'render-size',
      summary: 'The rendering takes too much.',
      params: { promptId: 'prompt_deep' },
      body: { variables: { a: true } },
      given: odd,
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
};
