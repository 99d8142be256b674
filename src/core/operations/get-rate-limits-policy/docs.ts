import type { OperationDocs } from '../operation.ts';
import type { getRateLimitsPolicyContract } from './contract.ts';

export const docs: OperationDocs<typeof getRateLimitsPolicyContract> = {
  summary: 'Get a rate-limits policy',
  tag: 'Policies',
  description: 'Returns a rate-limits policy, if it has the requested status.',
  'x-assumptions': ['blank-parameter', 'unknown-parameter'],
  params: {
    rateLimitsPolicyId: {
      description: 'The id of the policy.',
      'x-assumptions': ['policy-id-format'],
      kind: 'policies',
      where: { status: 'active' },
      format: 'uuid',
    },
  },
  query: { status: { description: 'Filters by status.' } },
  example: { summary: 'An active policy.' },
  refused: {
    name: 'unknown-policy',
    summary: 'No policy with this id and status.',
    query: 'status=archived',
  },
  refusals: ['policy-id-format', 'policy-status-value'],
};
