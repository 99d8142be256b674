import type { OperationContract } from '../protocol/define-operation.ts';
import { activePolicy } from './case-scenarios.ts';
import { type Case, ownCases } from './own-cases.ts';

const guarded = { scenario: 'guarded' } as const;

const keyCases = ({ id, virtualKey }: OperationContract): Case[] => [
  { name: 'missing-api-key', summary: 'No API key.', headers: { 'x-gateway-api-key': undefined } },
  {
    name: 'unknown-api-key',
    summary: 'An API key that is not listed.',
    ...guarded,
    headers: { 'x-gateway-api-key': 'another-key' },
  },
  {
    name: 'expired-api-key',
    summary: 'An expired API key.',
    ...guarded,
    headers: { 'x-gateway-api-key': 'an-expired-key' },
  },
  {
    name: 'forbidden-api-key',
    summary: 'An API key for other operations.',
    ...guarded,
    headers: { 'x-gateway-api-key': id === 'listBatches' ? 'a-key-for-runs' : 'a-key-for-batches' },
  },
  { name: 'quota-exceeded', summary: 'More calls than a policy leaves.', scenario: 'limited' },
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
    ...guarded,
    headers: { 'x-gateway-api-key': 'a-valid-key', 'x-gateway-virtual-key': 'another-virtual-key' },
  },
];

const pathCases = ({ path, query }: OperationContract): Case[] => {
  const [name] = Object.keys(query.shape);
  const plain = path.replace(/\{.*?\}/, activePolicy);
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
            path: `${plain}?${name}=1&${name}=2`,
          },
        ]),
  ];
};

/** Every case of one operation. */
export const casesOf = (contract: OperationContract): Case[] => [
  ...(ownCases[contract.id] ?? []),
  ...keyCases(contract),
  ...pathCases(contract),
];
