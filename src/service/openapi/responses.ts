import { type Assumption, type AssumptionId, assumptions } from '../../core/assumptions/table.ts';
import type { OperationContract, OperationDocs } from '../../core/operations/operation.ts';
import { isStatus } from '../../core/protocol/refuse.ts';
import { documented } from './descriptions.ts';
import type { Example } from './examples.ts';
import { errorBody, refTo } from './schemas.ts';

const descriptions: Readonly<Record<number, string>> = {
  400: 'The call is invalid: see error.param and error.code.',
  401: 'The API key is missing, unknown or expired.',
  403: 'The API key may not call this operation.',
  404: 'The record does not exist.',
  412: 'The budget of the API key is used up.',
  413: 'The body is too large.',
  415: 'The media type of the body is not supported.',
  429: 'A rate-limits policy allows no more calls.',
  500: 'The rendering failed.',
};

/** The responses of an operation by status, including the responses under other values of assumptions. */
export const toResponses = (
  contract: OperationContract,
  docs: OperationDocs,
  examples: readonly Example[],
) => {
  const outcomes = refusalsOf(contract, docs).flatMap(outcomesOf);
  const statuses = [...new Set([200, ...outcomes.map(({ status }) => status)])].sort((a, b) => a - b);
  const responses = statuses.map((status) => {
    const own = outcomes.filter((outcome) => outcome.status === status);
    const shown = examples.find((example) => example.status === status);
    const response = {
      description:
        (descriptions[status] ?? `Contract: ${contract.section}.`) + own.map(({ note }) => note).join(''),
      'x-assumptions': [...new Set(own.map(({ id }) => id)), ...(status === 200 ? [] : ['error-body'])],
      headers: { ...commonHeaders, ...(status === 429 && quotaHeaders) },
      content: {
        'application/json': {
          schema: refTo(status === 200 ? contract.reply : errorBody),
          ...(shown && { examples: { [shown.name]: toExample(shown) } }),
        },
      },
    };
    return [status, response];
  });
  return Object.fromEntries(responses);
};

const toExample = ({ summary, marks, reply }: Example) => ({
  summary,
  ...(marks.length > 0 && { 'x-assumptions': marks }),
  value: reply,
});

/** The assumptions by which calls of an operation are refused. */
const refusalsOf = (contract: OperationContract, { refused, refusals }: OperationDocs): AssumptionId[] => {
  const { virtualKey, betaHeader, params, query } = contract;
  const groups: readonly (readonly [boolean, ...AssumptionId[]])[] = [
    [true, 'missing-api-key', 'unknown-api-key', 'expired-api-key', 'exhausted-api-key', 'forbidden-api-key'],
    [virtualKey, 'missing-virtual-key', 'unknown-virtual-key'],
    [betaHeader, 'beta-header'],
    [Object.keys(params.shape).length > 0, 'path-encoding'],
    [Object.keys(query.shape).length > 0, 'repeated-parameter'],
    [true, 'unknown-parameter', 'quota-exceeded', refused.name, ...refusals],
  ];
  return groups.flatMap(([applies, ...ids]) => (applies ? ids : []));
};

/**
 * The status for each value of an assumption: the value itself, or 200. If no value is a status, some calls are refused with 400
 * under each value.
 */
const outcomesOf = (id: AssumptionId) => {
  const { choices }: Assumption = assumptions[id];
  const other = choices.some(([value]) => isStatus(value)) ? 200 : 400;
  return choices.map(([value, meaning], at) => ({
    id,
    status: isStatus(value) ? Number(value) : other,
    note: at === 0 ? '' : ` If ${id} is ${value}: ${meaning}.`,
  }));
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
  RequestId: { ...documented('The id of this request.', 'request-id'), schema: text },
  TraceId: { ...documented('The trace id that was sent, or a new one.', 'request-id'), schema: text },
  Assumptions: {
    description:
      'Only from the mock: the assumptions that this reply depends on, if a client could not have expected it from the contract.',
    schema: text,
  },
  RetryAfter: {
    ...documented('Seconds to wait.', 'quota-exceeded', 'retry-after-cap'),
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    ...documented(
      'The limit of the tightest policy of this type, what remains of it, or the seconds until it is full again.',
      'quota-window',
      'quota-headers',
      'quota-scope',
    ),
    schema: { type: 'number' },
  },
};
