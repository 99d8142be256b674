import type { FaultInfo } from './faults.ts';
import type { Rule } from './rule.ts';

/** What a fault has done so far. */
export interface FaultRecord {
  readonly rule: Rule;
  readonly calls: number;
  readonly hits: number;
  /** Why it did nothing to the last call that it applied to and could not act on. */
  readonly idle?: string | undefined;
}

/** Why a fault has not come into play; null once it has. With a share of the calls, chance decides: then one call is enough. */
export const whyUnused = ({ rule, calls, hits, idle }: FaultRecord): string | null => {
  if (hits > 0 || (calls > 0 && rule.share < 1)) return null;
  if (calls === 0) return 'no call matched';
  const matched = calls === 1 ? '1 call matched' : `${calls} calls matched`;
  if (idle !== undefined) return `${matched}, but the fault could not act: ${idle}`;
  if (calls < rule.from) return `${matched}, but the fault starts at call ${rule.from}`;
  return `${matched}, but ${rule.until === Number.POSITIVE_INFINITY ? 'the fault could not act' : 'its time was over'}`;
};

/**
 * The faults that never came into play, one line each, with the reason.
 *
 * @example
 * describeUnused(await gateway.faults.list()); // ['listRuns#3: reset (1 call matched, but the fault starts at call 3)']
 */
export const describeUnused = (faults: readonly FaultInfo[]): string[] =>
  faults.flatMap(({ fault, unused }) => (unused === null ? [] : [`${fault} (${unused})`]));
