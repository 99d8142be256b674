import { assumptions } from '../protocol/assumptions.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import { operations } from '../scenario/schema.ts';
import { answerCases, type CaseAnswer } from './answers.ts';
import { plainCalls } from './own-cases.ts';
import { toParameters } from './parameters.ts';
import { headerComponents, toResponses } from './responses.ts';
import { refTo, schemaComponents } from './schemas.ts';
import { operationWords, tags } from './words.ts';

/** The operations in the order of the contract. */
const order = ['renderPrompt', 'listRuns', 'listBatches', 'listCheckpoints', 'getRateLimitsPolicy'];
const placeOf = (id: string): number => (order.includes(id) ? order.indexOf(id) : order.length);

const contracts: readonly OperationContract[] = operations
  .map(({ contract }) => contract)
  .toSorted((a, b) => placeOf(a.id) - placeOf(b.id));

/** That of `gateway-mock` without options. */
const usualBaseUrl = 'http://127.0.0.1:4010/v1';

/**
 * The gateway's API as an OpenAPI 3.1 document: its schemas are those that replies are held against, its examples are
 * answers of a gateway, and `x-assumptions` names what the contract leaves open.
 */
export const openapiDocument = (version: string, baseUrl = usualBaseUrl) => {
  const answers = answerCases(contracts);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gateway',
      version,
      description:
        'An HTTP/JSON gateway in front of language-model providers, as gateway-mock answers it. What the contract leaves open is an assumption: x-assumptions names those that an operation, a parameter, a schema or a response rests on, and at the root it tells what each says.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{baseUrl}',
        description: 'It ends with the version segment (contract: Versioning).',
        variables: {
          baseUrl: {
            default: baseUrl,
            description: 'Ends with /v1. That of a session NAME of the mock ends with /sessions/NAME/v1.',
          },
        },
      },
    ],
    tags,
    paths: Object.fromEntries(
      contracts.map((contract) => [
        contract.path,
        { [contract.method.toLowerCase()]: toOperation(contract, answers.get(contract.id) ?? []) },
      ]),
    ),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-gateway-api-key',
          description: 'Required on all five operations (contract: Authentication).',
          'x-assumptions': ['api-keys', 'bearer'],
        },
        virtualKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-gateway-virtual-key',
          description:
            'Names the provider credential to use; required on the three lists (contract: Authentication).',
        },
      },
      headers: headerComponents,
      schemas: schemaComponents(),
    },
    'x-assumptions': Object.entries(assumptions).map(([id, { silent, says, choices, ...rest }]) => ({
      id,
      contract: silent,
      says,
      choices: choices.map(([value, meaning]) => ({ value, meaning })),
      marked: !('standing' in rest),
    })),
  };
};

const toOperation = (contract: OperationContract, answers: readonly CaseAnswer[]) => {
  const { summary, tag, description, ...marks } = operationWords[contract.id] ?? {
    summary: contract.id,
    tag: contract.id,
    description: '',
  };
  return {
    operationId: contract.id,
    summary,
    description: `${description} Contract: ${contract.section}.`.trimStart(),
    tags: [tag],
    ...marks,
    security: [{ apiKey: [], ...(contract.virtualKey && { virtualKey: [] }) }],
    parameters: toParameters(contract),
    ...(contract.body && { requestBody: toRequestBody(contract, answers) }),
    responses: toResponses(contract, answers),
  };
};

/** The bodies that were answered with 200. */
const toRequestBody = ({ id, body }: OperationContract, answers: readonly CaseAnswer[]) => ({
  required: true,
  content: {
    'application/json': {
      ...(body && { schema: refTo(body) }),
      examples: Object.fromEntries(
        answers
          .filter(({ status }) => status === 200)
          .map(({ name, summary, body: sent }) => [name, { summary, value: sent ?? plainCalls[id]?.body }]),
      ),
    },
  },
});

/** The document's bytes, the same from the command and from a server but for its base URL. */
export const openapiText = (version: string, baseUrl?: string): string =>
  `${JSON.stringify(openapiDocument(version, baseUrl), null, 2)}\n`;
