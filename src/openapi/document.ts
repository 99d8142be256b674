import { createAssumptions } from '../protocol/assume.ts';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import { tags } from '../protocol/operation-docs.ts';
import { type Answered, answerCases } from './answers.ts';
import { toParameters } from './parameters.ts';
import { headerComponents, toResponses } from './responses.ts';
import { refTo, schemaComponents } from './schemas.ts';

/** The base URL of `gateway-mock` without options. */
const usualBaseUrl = 'http://127.0.0.1:4010/v1';

/** The gateway to describe. */
export interface Described {
  /** Its base URL. Default: that of `gateway-mock` without options. */
  readonly baseUrl?: string;
  /** The values of its assumptions. Default: their defaults. */
  readonly choices?: AssumptionChoices;
}

/**
 * The gateway's API as an OpenAPI 3.1 document. Its schemas are those that tests check replies against, its examples are
 * replies of a gateway, and `x-assumptions` lists what the contract leaves open, with this gateway's values.
 */
export const openapiDocument = async (
  version: string,
  { baseUrl = usualBaseUrl, choices: given = {} }: Described = {},
) => {
  const listed = createAssumptions(given).list();
  const choices: AssumptionChoices = Object.fromEntries(
    listed.flatMap(({ id, value, choices: [byDefault] }) => (value === byDefault?.[0] ? [] : [[id, value]])),
  );
  const answered = await answerCases(choices);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gateway',
      version,
      description:
        'An HTTP/JSON gateway in front of language-model providers, as mocked by gateway-mock. Where the contract is silent, the mock has an assumption: x-assumptions lists the assumptions that an operation, parameter, schema or response depends on, and at the root describes each of them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{baseUrl}',
        description: 'The base URL, which ends with the version segment (contract: Versioning).',
        variables: {
          baseUrl: {
            default: baseUrl,
            description: 'Ends with /v1. For a session NAME of the mock, it ends with /sessions/NAME/v1.',
          },
        },
      },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: toPaths(answered, choices),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-gateway-api-key',
          description: 'Required on every operation (contract: Authentication).',
          'x-assumptions': ['api-keys', 'bearer'],
        },
        virtualKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-gateway-virtual-key',
          description:
            'The provider credential to use; required by operations that list it (contract: Authentication).',
        },
      },
      headers: headerComponents,
      schemas: schemaComponents(choices),
    },
    'x-assumptions': listed.map(
      ({ id, section, description, value: chosen, choices: all, standing = false }) => ({
        id,
        section,
        description,
        value: chosen,
        choices: all.map(([value, meaning]) => ({ value, meaning })),
        marked: !standing,
      }),
    ),
  };
};

/** The paths in contract order. Two operations may share a path. */
const toPaths = (answered: readonly Answered[], choices: AssumptionChoices) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const one of answered.toSorted(byPlace)) {
    const { path, method } = one.contract;
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(one, choices) };
  }
  return paths;
};

const byPlace = (a: Answered, b: Answered): number =>
  a.contract.section.localeCompare(b.contract.section, 'en', { numeric: true });

const toOperation = (answered: Answered, choices: AssumptionChoices) => {
  const { contract, docs, answers } = answered;
  return {
    operationId: contract.id,
    summary: docs.summary,
    description: `${docs.description} Contract: ${contract.section}.`,
    tags: [docs.tag],
    ...(docs['x-assumptions'] && { 'x-assumptions': docs['x-assumptions'] }),
    security: toSecurity(contract, choices),
    parameters: toParameters(answered, choices),
    ...(contract.body && { requestBody: toRequestBody(answered) }),
    responses: toResponses(contract, answers),
  };
};

/** The alternative sets of keys that a call may have. */
const toSecurity = ({ virtualKey }: OperationContract, choices: AssumptionChoices) => {
  if (!virtualKey) return [{ apiKey: [] }];
  const both = { apiKey: [], virtualKey: [] };
  return choices['missing-virtual-key'] === 'ignored' ? [both, { apiKey: [] }] : [both];
};

/** The request bodies of calls that returned 200. */
const toRequestBody = ({ contract: { body }, answers }: Answered) => ({
  required: true,
  content: {
    'application/json': {
      ...(body && { schema: refTo(body) }),
      examples: Object.fromEntries(
        answers
          .filter(({ status }) => status === 200)
          .map(({ name, summary, body: sent }) => [name, { summary, value: sent }]),
      ),
    },
  },
});

/** The document as text. The command and a server give the same bytes for the same gateway. */
export const openapiText = async (version: string, described?: Described): Promise<string> =>
  `${JSON.stringify(await openapiDocument(version, described), null, 2)}\n`;
