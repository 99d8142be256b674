import { type AssumptionId, assumptions } from '../protocol/assumptions.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import type { CaseAnswer } from './answers.ts';
import { errorBody, refTo } from './schemas.ts';

const descriptions: Readonly<Record<number, string>> = {
  400: 'The call is invalid: see error.param and error.code.',
  401: 'The API key is missing, unknown or expired.',
  403: 'The API key may not call this operation.',
  404: 'The record does not exist.',
  413: 'The body is too large.',
  415: 'The media type of the body is not supported.',
  429: 'A rate-limits policy allows no more calls.',
};

/** The responses of an operation by status, with the gateway's replies as examples. */
export const toResponses = (contract: OperationContract, answers: readonly CaseAnswer[]) => {
  const statuses = [...new Set(answers.map(({ status }) => status))].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [status, toResponse(contract, status, answers)]));
};

const toResponse = (contract: OperationContract, status: number, all: readonly CaseAnswer[]) => {
  const answers = all.filter((answer) => answer.status === status);
  const marks = new Set(answers.flatMap((answer) => answer.marks));
  return {
    description: descriptions[status] ?? `Contract: ${contract.section}.`,
    // In the order of the registry, not of the cases.
    'x-assumptions': (Object.keys(assumptions) as AssumptionId[]).filter((id) => marks.has(id)),
    headers: {
      ...commonHeaders,
      ...(status === 429 && quotaHeaders),
    },
    content: {
      'application/json': {
        schema: refTo(status === 200 ? contract.reply : errorBody),
        examples: Object.fromEntries(
          answers.map(({ name, summary, reply, marks: own }) => [
            name,
            { summary, ...(own.length > 0 && { 'x-assumptions': own }), value: reply },
          ]),
        ),
      },
    },
  };
};

const refToHeader = (name: string) => ({ $ref: `#/components/headers/${name}` });

const commonHeaders = {
  'x-request-id': refToHeader('RequestId'),
  'x-gateway-trace-id': refToHeader('TraceId'),
  'x-mock-assumptions': refToHeader('Assumptions'),
};

const quotaHeaders = {
  'retry-after': refToHeader('RetryAfter'),
  ...Object.fromEntries(
    ['limit', 'remaining', 'reset'].flatMap((what) =>
      ['requests', 'tokens'].map((type) => [`x-ratelimit-${what}-${type}`, refToHeader('RateLimit')]),
    ),
  ),
};

const text = { type: 'string' };

/** The headers of replies. The contract states none. */
export const headerComponents = {
  RequestId: {
    description: 'The id of this request.',
    'x-assumptions': ['request-id'],
    schema: text,
  },
  TraceId: {
    description: 'The trace id that was sent, or a new one.',
    'x-assumptions': ['request-id'],
    schema: text,
  },
  Assumptions: {
    description:
      'Only from the mock: the assumptions that this reply depends on, if a client could not have expected it from the contract.',
    schema: text,
  },
  RetryAfter: {
    description: 'Seconds to wait.',
    'x-assumptions': ['quota-exceeded', 'retry-after-cap'],
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    description:
      'The limit of the tightest policy of this type, what remains of it, or the seconds until it is full again.',
    'x-assumptions': ['quota-window'],
    schema: { type: 'number' },
  },
};
