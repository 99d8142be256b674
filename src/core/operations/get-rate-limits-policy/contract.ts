import * as z from 'zod';
import type { ShapeOf } from '../../protocol/contract-types.ts';
import type { Policy } from './types.ts';

/** The schema of a {@link Policy}. A uuid may be of any version. */
export const policySchema = z.object({
  id: z.guid(),
  type: z.enum(['requests', 'tokens']),
  unit: z.enum(['rpm', 'rph', 'rpd']),
  value: z.number(),
  status: z.enum(['active', 'archived']),
  workspace_id: z.guid(),
  organisation_id: z.guid(),
  created_at: z.iso.datetime(),
  last_updated_at: z.iso.datetime(),
  name: z.string().nullable().exactOptional(),
  conditions: z.array(z.object({ key: z.string(), value: z.string() })).exactOptional(),
  group_by: z.array(z.object({ key: z.string() })).exactOptional(),
  object: z.literal('policy_rate_limits').exactOptional(),
} satisfies ShapeOf<Policy>);

export const getRateLimitsPolicyContract = {
  id: 'getRateLimitsPolicy',
  method: 'GET',
  path: '/policies/rate-limits/{rateLimitsPolicyId}',
  section: 'Endpoints, 5. Get a rate-limits policy',
  virtualKey: false,
  betaHeader: false,
  params: z.object({ rateLimitsPolicyId: z.string() }), // the handler checks its format
  query: z.object({ status: z.enum(['active', 'archived']).default('active') }),
  reply: policySchema,
} as const;
