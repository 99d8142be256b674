import type { OperationDocs } from '../operation.ts';
import type { renderPromptContract } from './contract.ts';

export const docs: OperationDocs<typeof renderPromptContract> = {
  summary: 'Render a prompt',
  tag: 'Prompts',
  description:
    'Fills a stored prompt template with variables. The result is the body of a chat-completion call, which the client sends separately.',
  'x-assumptions': [
    'template-syntax',
    'template-lines',
    'template-text',
    'missing-variable',
    'root-messages',
    'prompt-version',
  ],
  params: {
    promptId: {
      description: 'The id of the prompt template to render.',
      'x-assumptions': ['prompt-version'],
      kind: 'prompts',
    },
  },
  query: {},
  example: { summary: 'The rendered template.', body: { variables: {} } }, // those of a prompt take their place
  refused: { name: 'variables-required', summary: 'variables is missing.', body: { temperature: 0 } },
  refusals: [
    'missing-variable',
    'missing-partial',
    'structured-values',
    'template-text',
    'unknown-prompt',
    'recursive-partial',
    'render-size',
    'body-format',
    'body-size',
    'body-type',
    'nested-hyperparameters',
    'hyperparameter-type',
  ],
};
