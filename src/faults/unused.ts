import { defaultSession } from '../protocol/session-name.ts';
import type { FaultEnd } from './faults.ts';
import type { Rule } from './rule.ts';

/** What a fault has done so far. */
export interface FaultRecord {
  readonly rule: Rule;
  readonly calls: number;
  readonly hits: number;
  /** How often chance alone spared a call. */
  readonly spared: number;
  /** Why it did nothing to the last call that it applied to and could not act on. */
  readonly idle?: string | undefined;
}

/** Why a fault has not come into play; null once it has. With a share of the calls, it has once chance spared one. */
export const whyUnused = ({ rule, calls, hits, spared, idle }: FaultRecord): string | null => {
  if (hits > 0 || spared > 0) return null;
  if (calls === 0) return 'no call matched';
  const matched = calls === 1 ? '1 call matched' : `${calls} calls matched`;
  if (idle !== undefined) return `${matched}, but the fault could not act: ${idle}`;
  if (calls < rule.from) return `${matched}, but the fault starts at call ${rule.from}`;
  return `${matched}, but ${rule.until === Number.POSITIVE_INFINITY ? 'the fault could not act' : 'its time was over'}`;
};

/** What became of a fault in one of several sessions. */
export interface EndedFault extends FaultEnd {
  readonly session: string;
  /** What it ended by, such as `'reset'`; undefined where it is there still. */
  readonly droppedBy?: string | undefined;
}

/**
 * The faults of several sessions that never came into play, one line each, with the reason. A fault that ended may have
 * come again, and each new session begins with those of the options, so that of equal ones a single one must have acted:
 * in the same session, or in any of them where worlds begin with it.
 *
 * @param faults those that are there still come first
 */
export const describeUnusedEnds = (faults: readonly EndedFault[]): string[] => {
  const used = faults.filter(({ unused }) => unused === null);
  const wasUsed = (fault: EndedFault): boolean =>
    used.some((other) => other.fault === fault.fault && (fault.isGiven || other.session === fault.session));
  const lines = new Map<string, string>();
  for (const fault of faults) {
    const { session, droppedBy } = fault;
    const key = JSON.stringify([fault.fault, fault.isGiven ? '' : session]);
    if (wasUsed(fault) || lines.has(key)) continue;
    const reasons = [fault.unused, ...(droppedBy === undefined ? [] : [`dropped by ${droppedBy}`])].join(
      ', ',
    );
    lines.set(
      key,
      `${fault.fault} (${session === defaultSession ? '' : `session "${session}": `}${reasons})`,
    );
  }
  return [...lines.values()];
};
