import { type Assumption, assumptions } from '../../core/assumptions/table.ts';
import type {
  ContractOperation,
  Documentation,
  OperationContract,
  OperationDocs,
  PathParamDocs,
} from '../../core/operations/operation.ts';
import { operations } from '../../core/scenario/scenario-schema.ts';
import { toSecurity } from './add-calls.ts';
import { callExamples, type Example } from './examples.ts';
import { headerComponents, toResponses } from './responses.ts';
import { fieldSchemas, openapiHead, refTo, schemaComponents } from './schemas.ts';

const tags: Readonly<Record<OperationDocs['tag'], string>> = {
  Prompts: 'Stored prompt templates, rendered.',
  Threads: 'The runs of a thread of an assistants-style API.',
  Batches: 'Batch jobs.',
  'Fine-tuning': 'The checkpoints of a fine-tuning job.',
  Policies: 'Policies that limit requests or tokens per time unit.',
};

/**
 * The gateway's API as an OpenAPI 3.1 document, written by the build. Its schemas are those that tests check replies
 * against, its examples are replies of a gateway, and `x-assumptions` lists what the contract leaves open. It is the same for
 * all sessions: each reply under the default assumptions validates, and other values are described in words.
 */
export const openapiDocument = async () => ({
  ...openapiHead(
    'Gateway',
    'An HTTP/JSON gateway in front of language-model providers, as mocked by gateway-mock. Where the contract is silent, the mock has an assumption: x-assumptions lists the assumptions that an operation, parameter, schema or response depends on, and at the root describes each of them. A session can switch an assumption to another of its values; the schemas are those of the default values, and descriptions say what else there can be.',
  ),
  servers: [
    { url: '/v1', description: 'The server that this document comes from.' },
    {
      url: '/sessions/{session}/v1',
      description: 'A session of it.',
      variables: { session: { default: 'default', description: 'Its name.' } },
    },
    {
      url: '{baseUrl}',
      description: 'The base URL, which ends with the version segment (contract: Versioning).',
      variables: {
        baseUrl: {
          default: 'http://127.0.0.1:4010/v1',
          description: 'Ends with /v1. For a session NAME of the mock, it ends with /sessions/NAME/v1.',
        },
      },
    },
  ],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: await toPaths(),
  components: {
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-gateway-api-key',
        description: 'Required on every operation (contract: Authentication).',
        'x-assumptions': ['api-keys', 'bearer', 'cors'],
      },
      virtualKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-gateway-virtual-key',
        description:
          'The provider credential to use; required by operations that list it (contract: Authentication), unless missing-virtual-key is ignored.',
        'x-assumptions': ['missing-virtual-key'],
      },
    },
    headers: headerComponents,
    schemas: schemaComponents(),
  },
  'x-assumptions': Object.entries<Assumption>(assumptions).map(
    ([id, { section, description, choices, standing = false }]) => ({
      id,
      section,
      description,
      choices: choices.map(([value, meaning]) => ({ value, meaning })),
      marked: !standing,
    }),
  ),
});

/** The paths in contract order. Two operations may share a path. */
const toPaths = async () => {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations.toSorted(byPlace)) {
    const { path, method } = operation.contract;
    paths[path] = { ...paths[path], [method.toLowerCase()]: await toOperation(operation) };
  }
  return paths;
};

const byPlace = ({ contract: a }: ContractOperation, { contract: b }: ContractOperation): number =>
  a.section.localeCompare(b.section, 'en');

const toOperation = async (operation: ContractOperation) => {
  const { contract } = operation;
  const { docs } = await operation.docs();
  const [good, refused] = await callExamples(operation);
  return {
    operationId: contract.id,
    summary: docs.summary,
    description: `${docs.description} Contract: ${contract.section}.`,
    tags: [docs.tag],
    ...(docs['x-assumptions'] && { 'x-assumptions': docs['x-assumptions'] }),
    security: toSecurity(contract.virtualKey),
    parameters: toParameters(contract, docs, good),
    ...(contract.body && { requestBody: toRequestBody(contract.body, good) }),
    responses: toResponses(contract, docs, [good, refused]),
  };
};

/** The parameters of the path and the query, and the beta header if the contract has it. */
const toParameters = (contract: OperationContract, docs: OperationDocs, { params }: Example): object[] => [
  ...Object.entries(fieldSchemas(contract.params)).map(([name, schema]) => {
    const words: Partial<PathParamDocs> = docs.params[name] ?? {};
    const { kind: _, where: __, format, ...rest } = words;
    return {
      name,
      in: 'path',
      required: true,
      ...rest,
      schema: format === undefined ? schema : { ...schema, format },
      example: params[name],
    };
  }),
  ...Object.entries(fieldSchemas(contract.query)).map(([name, schema]) => {
    const words: Documentation | undefined = docs.query[name];
    return { name, in: 'query', ...words, schema };
  }),
  ...(contract.betaHeader ? [betaHeader] : []),
];

const betaHeader = {
  name: 'Vendor-Beta',
  in: 'header',
  required: false,
  description:
    'Sent with the run-list request (contract: Versioning). The vendor name is neutral here; OpenAI-Beta is also accepted. The contract does not state whether it is required: it is if beta-header is required.',
  'x-assumptions': ['beta-header'],
  schema: { type: 'string', const: 'assistants=v2' },
};

const toRequestBody = (schema: NonNullable<OperationContract['body']>, { name, summary, body }: Example) => ({
  required: true,
  content: {
    'application/json': { schema: refTo(schema), examples: { [name]: { summary, value: body } } },
  },
});
