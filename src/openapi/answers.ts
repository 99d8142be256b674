import { findExampleCall } from '../gateway/example-call.ts';
import { type OpenGateway, openGateway } from '../gateway/open-gateway.ts';
import { gatewayOptions } from '../gateway/options.ts';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import { fillPath } from '../protocol/paths.ts';
import { operations } from '../scenario/schema.ts';
import { parseOptions } from '../util/parse-options.ts';
import { type Case, casesOf, type Documented, validKey } from './cases.ts';

/** The gateway's reply to a case. */
export interface CaseAnswer extends Case {
  readonly status: number;
  readonly reply: unknown;
  /** The ids of the assumptions that mark the reply. */
  readonly marks: readonly string[];
}

/** An operation with its replies. */
export interface Answered extends Documented {
  readonly answers: readonly CaseAnswer[];
}

/**
 * Calls every case of every operation on gateways created for this, with the same bytes each time.
 *
 * @param choices the assumptions that differ from their defaults
 * @throws Error if the scenario `default` has no record for the example call of an operation
 */
export const answerCases = async (choices: AssumptionChoices): Promise<Answered[]> => {
  const gateways = new Map<object | undefined, OpenGateway>();
  const keys = choices['api-keys'] === 'listed' ? { valid: [validKey] } : {};
  const open = (given?: object): OpenGateway => {
    const scenario = { extends: 'default', keys, ...given, assumptions: choices };
    const known =
      gateways.get(given) ?? openGateway(parseOptions(gatewayOptions(), { scenario, journal: 0 }));
    gateways.set(given, known);
    return known;
  };
  const answered: Answered[] = [];
  for (const operation of operations) {
    const { contract } = operation;
    const { docs } = await operation.docs();
    const example = await findExampleCall(operation, open().gateway.records);
    if (example === undefined)
      throw new Error(
        `Failed to document ${contract.id}: the scenario "default" has no record for the params of its docs.ts.`,
      );
    const documented = { contract, docs, example };
    const answers = casesOf(documented, choices).map((one) => answer(documented, one, open(one.given)));
    answered.push({ ...documented, answers });
  }
  return answered;
};

/** @throws Error if the example call is refused */
const answer = ({ contract, example }: Documented, one: Case, gateway: OpenGateway): CaseAnswer => {
  const { params, query = '', body } = { ...example, ...one };
  const path = one.path ?? fillPath(contract.path, params);
  const call = toCall(contract, path, query, body, one.headers);
  // The first call of a minute uses up the quota, if there is one.
  if (one.name === 'quota-exceeded') gateway.answer(call);
  const { status, headers, body: text } = gateway.answer(call);
  if (one.name === 'success' && status !== 200)
    throw new Error(
      `Failed to document ${contract.id}: the example call of its docs.ts returned ${status}. ${text}`,
    );
  return {
    ...one,
    body,
    status,
    reply: JSON.parse(text ?? 'null'),
    marks: headers['x-mock-assumptions']?.split(', ') ?? [],
  };
};

const toCall = (
  { method, betaHeader }: OperationContract,
  path: string,
  query: string,
  body: unknown,
  given: Case['headers'] = {},
) => {
  const headers: Readonly<Record<string, string | undefined>> = {
    'x-gateway-api-key': validKey,
    'x-gateway-virtual-key': 'a-valid-virtual-key',
    ...(betaHeader && { 'vendor-beta': 'assistants=v2' }),
    ...given,
  };
  return {
    method,
    path: `/v1${path}`,
    query,
    header: (name: string) => headers[name],
    headers: () => headers,
    body: toBytes(body),
  };
};

const toBytes = (body: unknown): Uint8Array | 'too-large' => {
  if (typeof body === 'object' && body !== null && 'length' in body) return 'too-large';
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  return new TextEncoder().encode(text);
};
