import * as z from 'zod';

/** The schema of a {@link Policy}. A uuid may be of any version. */
export const policySchema = z.object({
  /** A uuid. */
  id: z.guid(),
  /** What it limits. */
  type: z.enum(['requests', 'tokens']),
  /** The time unit: requests or tokens per minute, hour or day. */
  unit: z.enum(['rpm', 'rph', 'rpd']),
  /** The limit: how many requests or tokens per unit. */
  value: z.number(),
  /** Whether it applies to callers. */
  status: z.enum(['active', 'archived']),
  /** The workspace to which it belongs, a uuid. */
  workspace_id: z.guid(),
  /** The organisation to which it belongs, a uuid. */
  organisation_id: z.guid(),
  /** A date-time in UTC. */
  created_at: z.iso.datetime(),
  /** A date-time in UTC. */
  last_updated_at: z.iso.datetime(),
  /** A name for people. */
  name: z.string().nullable().exactOptional(),
  /** Which calls it limits: those that match all conditions. */
  conditions: z.array(z.object({ key: z.string(), value: z.string() })).exactOptional(),
  /** The keys by whose values calls are counted separately. */
  group_by: z.array(z.object({ key: z.string() })).exactOptional(),
  /** Always `policy_rate_limits`. */
  object: z.literal('policy_rate_limits').exactOptional(),
});

/** Contract: Endpoints, 5. Get a rate-limits policy. */
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

/** A rate-limits policy (contract: Resources and their fields, Rate-limits policy). */
export type Policy = z.output<typeof policySchema>;
