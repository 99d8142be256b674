import type { OperationContract } from '../protocol/define-operation.ts';
import { fieldSchemas, type JsonSchema } from './schemas.ts';
import { parameterWords } from './words.ts';

/** What the contract states of a path parameter, where the mock words the refusal itself and its schema says less. */
const pathSchemas: Readonly<Record<string, JsonSchema>> = {
  rateLimitsPolicyId: { type: 'string', format: 'uuid' },
};

/** Names that the default scenario has. */
const pathExamples: Readonly<Record<string, string>> = {
  promptId: 'prompt_welcome',
  thread_id: 'thread_demo',
  fine_tuning_job_id: 'ftjob_demo',
  rateLimitsPolicyId: '11111111-1111-4111-8111-111111111111',
};

/** The parameters of one operation: in its path, its query and, for the run list, its beta header. */
export const toParameters = (contract: OperationContract): object[] => [
  ...Object.entries(fieldSchemas(contract.params)).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    ...wordsOf(contract.id, name),
    schema: pathSchemas[name] ?? schema,
    example: pathExamples[name],
  })),
  ...Object.entries(fieldSchemas(contract.query)).map(([name, schema]) => ({
    name,
    in: 'query',
    ...wordsOf(contract.id, name),
    schema,
  })),
  ...(contract.betaHeader
    ? [
        {
          name: 'Vendor-Beta',
          in: 'header',
          required: false,
          ...wordsOf(contract.id, 'Vendor-Beta'),
          schema: { type: 'string', const: 'assistants=v2' },
        },
      ]
    : []),
];

const wordsOf = (operation: string, name: string) =>
  parameterWords[`${operation}.${name}`] ?? parameterWords[name];
