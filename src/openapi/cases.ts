import type { OperationContract } from '../protocol/define-operation.ts';
import type { DocsCase } from '../protocol/operation-docs.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { Documented } from './documented.ts';

/** A call whose answer the document shows. */
export interface Case extends DocsCase {
  /** The path as it is sent, where that is no path of the contract with parameters in it. */
  readonly path?: string;
}

const guarded = {
  keys: {
    valid: ['a-valid-key'],
    expired: ['an-expired-key'],
    limited: { 'a-key-for-batches': ['listBatches'], 'a-key-for-runs': ['listRuns'] },
    virtual: ['a-valid-virtual-key'],
  },
} as const satisfies Scenario;

/** It takes the place of the active policy of the scenario `default`. */
const oneAMinute = {
  id: '11111111-1111-4111-8111-111111111111',
  name: 'One a minute',
  type: 'requests',
  unit: 'rpm',
  value: 1,
  status: 'active',
} as const;
const limited = { quotas: true, policies: { records: [oneAMinute] } } as const satisfies Scenario;

const keyCases = ({ id, virtualKey }: OperationContract): Case[] => [
  { name: 'missing-api-key', summary: 'No API key.', headers: { 'x-gateway-api-key': undefined } },
  {
    name: 'unknown-api-key',
    summary: 'An API key that is not listed.',
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
    summary: 'An API key for other operations.',
    given: guarded,
    headers: { 'x-gateway-api-key': id === 'listBatches' ? 'a-key-for-runs' : 'a-key-for-batches' },
  },
  { name: 'quota-exceeded', summary: 'More calls than a policy leaves.', given: limited },
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
    summary: 'A virtual key that is not listed.',
    given: guarded,
    headers: { 'x-gateway-api-key': 'a-valid-key', 'x-gateway-virtual-key': 'another-virtual-key' },
  },
];

const pathCases = ({ path, query }: OperationContract): Case[] => {
  const [name] = Object.keys(query.shape);
  return [
    ...(path.includes('{')
      ? [
          {
            name: 'path-encoding',
            summary: 'A path that is wrongly encoded.',
            path: path.replace(/\{.*?\}/, '%E0%A4'),
          },
        ]
      : []),
    ...(name === undefined
      ? []
      : [
          {
            name: 'repeated-parameter',
            summary: 'A parameter is sent twice.',
            query: `${name}=1&${name}=2`,
          },
        ]),
  ];
};

/** Every case of one operation. */
export const casesOf = ({ contract, docs }: Documented): Case[] => [
  { name: 'success', summary: docs.example.summary },
  ...docs.cases,
  ...keyCases(contract),
  ...pathCases(contract),
];
