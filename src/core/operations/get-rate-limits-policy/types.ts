/** A rate-limits policy. */
export interface Policy {
  /** A uuid. */
  id: string;
  /** What it limits. */
  type: 'requests' | 'tokens';
  /** The time unit: requests or tokens per minute, hour or day. */
  unit: 'rpm' | 'rph' | 'rpd';
  /** The limit: how many requests or tokens per unit. */
  value: number;
  /** Whether it applies to callers. */
  status: 'active' | 'archived';
  /** The workspace to which it belongs, a uuid. */
  workspace_id: string;
  /** The organisation to which it belongs, a uuid. */
  organisation_id: string;
  /** A date-time in UTC. */
  created_at: string;
  /** A date-time in UTC. */
  last_updated_at: string;
  /** A name for people. */
  name?: string | null;
  /** Which calls it limits: those that match all conditions. */
  conditions?: { key: string; value: string }[];
  /** The keys by whose values calls are counted separately. */
  group_by?: { key: string }[];
  /** Always `policy_rate_limits`. */
  object?: 'policy_rate_limits';
}
