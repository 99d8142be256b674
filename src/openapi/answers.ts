import { type OpenPlainGateway, openPlainGateway } from '../open-gateway.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import { scenarios } from './case-scenarios.ts';
import { casesOf } from './cases.ts';
import { type Case, plainCalls } from './own-cases.ts';

/** The gateway's own answer to a case. */
export interface CaseAnswer extends Case {
  readonly status: number;
  readonly reply: unknown;
  /** The assumptions that the reply is marked with. */
  readonly marks: readonly string[];
}

/** Answers every case of these operations, by gateways made for it: the same bytes each time. */
export const answerCases = (contracts: readonly OperationContract[]): Map<string, CaseAnswer[]> => {
  const gateways = new Map<string, OpenPlainGateway>();
  const open = (scenario: keyof typeof scenarios): OpenPlainGateway => {
    const known = gateways.get(scenario) ?? openPlainGateway({ scenario: scenarios[scenario], journal: 0 });
    gateways.set(scenario, known);
    return known;
  };
  return new Map(
    contracts.map((contract) => [
      contract.id,
      casesOf(contract).map((one) => answer(contract, one, open(one.scenario ?? 'default'))),
    ]),
  );
};

const answer = (contract: OperationContract, one: Case, gateway: OpenPlainGateway): CaseAnswer => {
  const { path, body } = plainCalls[contract.id] ?? { path: contract.path };
  const call = toCall(contract.method, one.path ?? path, one.body ?? body, one.headers);
  // The first call of a minute uses the quota up, if there is one.
  if (one.name === 'quota-exceeded') gateway.answer(call);
  const { status, headers, body: text } = gateway.answer(call);
  return {
    ...one,
    status,
    reply: JSON.parse(text ?? 'null'),
    marks: headers['x-mock-assumptions']?.split(', ') ?? [],
  };
};

const toCall = (method: string, target: string, body: unknown, given: Case['headers'] = {}) => {
  const [path = '', query = ''] = target.split('?');
  const headers: Readonly<Record<string, string | undefined>> = {
    'x-gateway-api-key': 'a-valid-key',
    'x-gateway-virtual-key': 'a-valid-virtual-key',
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
