import type { AssumptionChoices } from '../protocol/assumptions.ts';
import type { OperationContract } from '../protocol/define-operation.ts';
import type { DocsCase } from '../protocol/operation-docs.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { Documented } from './documented.ts';

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
  const [name] = Object.keys(query.shape);
  return [
    ...(path.includes('{')
      ? [
          {
            name: 'path-encoding',
            summary: 'A path with invalid percent-encoding.',
            path: path.replace(/\{.*?\}/, '%E0%A4'),
          },
        ]
      : []),
    ...(name === undefined
      ? []
      : [
          {
            name: 'repeated-parameter',
            summary: 'A repeated parameter.',
            query: `${name}=1&${name}=2`,
          },
        ]),
  ];
};

/** Calls that are refused only with some values of assumptions. */
const switchedCases = ({ contract, docs }: Documented, choices: AssumptionChoices): Case[] => [
  ...(contract.betaHeader && choices['beta-header'] === 'required'
    ? [{ name: 'beta-header', summary: 'No beta header.', headers: { 'vendor-beta': undefined } }]
    : []),
  ...(choices['unknown-parameter'] === '400'
    ? [
        {
          name: 'unknown-parameter',
          summary: 'A query parameter that is not in the contract.',
          query: 'colour=red',
        },
      ]
    : []),
  ...(docs.query.limit?.['x-assumptions']?.includes('checkpoint-limit-bounds') &&
  choices['checkpoint-limit-bounds'] === '1-to-100'
    ? [{ name: 'limit-too-large', summary: 'limit above 100.', query: 'limit=101' }]
    : []),
];

/** All cases of an operation. @param choices the assumptions that differ from their defaults */
export const casesOf = (documented: Documented, choices: AssumptionChoices): Case[] => [
  { name: 'success', summary: documented.docs.example.summary },
  ...documented.docs.cases,
  ...keyCases(documented.contract),
  ...pathCases(documented.contract),
  ...switchedCases(documented, choices),
];
