import type { ExampleCall } from '../gateway/example-call.ts';
import type { AssumptionChoices } from '../protocol/assumptions.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import type { DocsCase, OperationDocs } from '../protocol/operation-docs.ts';
import type { Scenario } from '../scenario/types.ts';
import { isBounded } from './parameters.ts';

/** An operation with everything that its documentation needs. */
export interface Documented {
  readonly contract: OperationContract;
  readonly docs: OperationDocs;
  /** A call with ids of records of the scenario `default`. */
  readonly example: ExampleCall;
}

/** A call whose reply the document shows. */
export interface Case extends DocsCase {
  /** The path to send, if it is not the contract's path with parameters filled in. */
  readonly path?: string;
}

/** The API key of the calls. */
export const validKey = 'a-valid-key';

const guarded = {
  keys: {
    valid: [validKey],
    expired: ['an-expired-key'],
    limited: { 'a-key-for-batches': ['listBatches'], 'a-key-for-runs': ['listRuns'] },
    virtual: ['a-valid-virtual-key'],
  },
} as const satisfies Scenario;

const workspace_id = '5e1f0c5a-7d54-4c2b-9a54-0d6f7d1c2b11';

/** One call per minute, with a policy that replaces the active one of the scenario `default`. */
const limited = {
  quotas: true,
  policies: {
    records: [
      {
        id: '11111111-1111-4111-8111-111111111111',
        name: 'One a minute',
        type: 'requests',
        unit: 'rpm',
        value: 1,
        status: 'active',
        workspace_id,
        conditions: [{ key: 'workspace_id', value: workspace_id }], // all calls
        group_by: [{ key: 'api_key' }],
      },
    ],
  },
} satisfies Scenario;

const keyCases = ({ id, virtualKey }: OperationContract): Case[] => [
  { name: 'missing-api-key', summary: 'No API key.', headers: { 'x-gateway-api-key': undefined } },
  {
    name: 'unknown-api-key',
    summary: 'An unknown API key.',
    given: guarded,
    headers: { 'x-gateway-api-key': 'another-key' },
  },
  {
    name: 'expired-api-key',
    summary: 'An expired API key.',
    given: guarded,
    headers: { 'x-gateway-api-key': 'an-expired-key' },
  },
  {
    name: 'forbidden-api-key',
    summary: 'An API key for other operations only.',
    given: guarded,
    headers: { 'x-gateway-api-key': id === 'listBatches' ? 'a-key-for-runs' : 'a-key-for-batches' },
  },
  { name: 'quota-exceeded', summary: 'More calls than a policy allows.', given: limited },
  ...(virtualKey ? virtualKeyCases : []),
];

const virtualKeyCases: readonly Case[] = [
  {
    name: 'missing-virtual-key',
    summary: 'No virtual key.',
    headers: { 'x-gateway-virtual-key': undefined },
  },
  {
    name: 'unknown-virtual-key',
    summary: 'An unknown virtual key.',
    given: guarded,
    headers: { 'x-gateway-api-key': validKey, 'x-gateway-virtual-key': 'another-virtual-key' },
  },
];

const pathCases = ({ path, query }: OperationContract): Case[] => {
  const cases: Case[] = [];
  const badPath = path.replace(/\{.*?\}/, '%E0%A4');
  if (badPath !== path)
    cases.push({ name: 'path-encoding', summary: 'A path with invalid percent-encoding.', path: badPath });
  for (const name of Object.keys(query.shape).slice(0, 1))
    cases.push({
      name: 'repeated-parameter',
      summary: 'A repeated parameter.',
      query: `${name}=1&${name}=2`,
    });
  return cases;
};

/** Calls that are refused only with some values of assumptions. */
const switchedCases = ({ contract, docs }: Documented, choices: AssumptionChoices): Case[] => {
  const cases: Case[] = [];
  if (contract.betaHeader && choices['beta-header'] === 'required')
    cases.push({ name: 'beta-header', summary: 'No beta header.', headers: { 'vendor-beta': undefined } });
  if (choices['unknown-parameter'] === '400')
    cases.push({
      name: 'unknown-parameter',
      summary: 'A query parameter that is not in the contract.',
      query: 'colour=red',
    });
  if (isBounded(docs.query.limit, choices))
    cases.push({ name: 'limit-too-large', summary: 'limit above 100.', query: 'limit=101' });
  return cases;
};

/** All cases of an operation. @param choices the assumptions that differ from their defaults */
export const casesOf = (documented: Documented, choices: AssumptionChoices): Case[] => [
  { name: 'success', summary: documented.docs.example.summary },
  ...documented.docs.cases,
  ...keyCases(documented.contract),
  ...pathCases(documented.contract),
  ...switchedCases(documented, choices),
];
