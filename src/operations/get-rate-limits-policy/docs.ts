import type { OperationDocs } from '../../protocol/operation-docs.ts';
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
  cases: [
    {
      name: 'archived',
      summary: 'An archived policy.',
      params: { rateLimitsPolicyId: '22222222-2222-4222-8222-222222222222' },
      query: 'status=archived',
    },
    { name: 'unknown-policy', summary: 'No policy with this id and status.', query: 'status=archived' },
    { name: 'policy-id-format', summary: 'The id is not a uuid.', params: { rateLimitsPolicyId: 'chat' } },
    {
      name: 'policy-status-value',
      summary: 'status is neither active nor archived.',
      query: 'status=retired',
    },
  ],
};
