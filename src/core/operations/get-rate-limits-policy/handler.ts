import * as z from 'zod';
import { refuse } from '../../protocol/refuse.ts';
import { truncate } from '../../util/truncate.ts';
import { defineOperation } from '../operation.ts';
import { getRateLimitsPolicyContract } from './contract.ts';
import { policies } from './record.ts';

const uuid = z.guid();

export const getRateLimitsPolicy = defineOperation({
  contract: getRateLimitsPolicyContract,
  kinds: [policies],
  listsKind: undefined,
  docs: () => import('./docs.ts'),
  handle({ params: { rateLimitsPolicyId: id }, query: { status } }, world) {
    if (!uuid.safeParse(id).success)
      refuse('policy-id-format', {
        message: `Invalid 'rateLimitsPolicyId': '${truncate(id)}' is not a uuid.`,
        param: 'rateLimitsPolicyId',
      });
    const policy = world.list(policies)?.get(id.toLowerCase());
    if (policy === undefined || policy.status !== status)
      return refuse('unknown-policy', {
        message: `No rate-limits policy found with id '${id}' and status '${status}'.`,
      });
    return policy;
  },
});
