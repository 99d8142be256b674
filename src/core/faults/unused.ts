import { defaultSession } from '../protocol/session-name.ts';
import type { Fault } from './fault.ts';
import type { FaultUse } from './faults.ts';
import { nextCall } from './rule.ts';

type Counts = Pick<Fault, 'rule' | 'calls' | 'hits' | 'passed' | 'idle' | 'off'>;

/** Why a fault has had no effect yet; null once it was used. A fault with a share is used once it could have hit a call. */
export const whyUnused = (fault: Counts): string | null => {
  const { rule, calls, hits, passed, idle, off } = fault;
  if (hits > 0 || passed > 0) return null;
  if (off) return 'it is switched off';
  if (calls === 0) return 'no call matched';
  const matched = calls === 1 ? '1 call matched' : `${calls} calls matched`;
  if (idle !== undefined) return `${matched}, but the fault could not act: ${idle}`;
  const first = nextCall(rule, 0);
  if (calls < first) return `${matched}, but the fault starts at call ${first}`;
  return `${matched}, but ${rule.until === Number.POSITIVE_INFINITY ? 'the fault could not act' : 'its time had ended'}`;
};

/** Whether a fault of a session was used. */
export interface SessionFaultUse extends FaultUse {
  /** The name of the session. */
  readonly session: string;
  /** The command that removed it, such as `'reset'`; undefined if it still exists. */
  readonly removedBy?: string | undefined;
}

/**
 * Describes the faults of several sessions that were never used, one line each, with the reason. Of equal faults in a session,
 * only one must be used. A fault with which every world starts must be used in one session.
 *
 * @param faults existing faults first, then removed ones
 */
export const describeUnused = (faults: readonly SessionFaultUse[]): string[] => {
  const used = faults.filter(({ unused }) => unused === null);
  const wasUsed = (fault: SessionFaultUse): boolean =>
    used.some(
      (other) => other.fault === fault.fault && (fault.isFromScenario || other.session === fault.session),
    );
  const lines = new Map<string, string>();
  for (const fault of faults) {
    const { session, removedBy } = fault;
    const key = JSON.stringify([fault.fault, fault.isFromScenario ? '' : session]);
    if (wasUsed(fault) || lines.has(key)) continue;
    const where = session === defaultSession ? '' : `session "${session}": `;
    const end = removedBy === undefined ? '' : `, removed by ${removedBy}`;
    lines.set(key, `${fault.fault} (${where}${fault.unused}${end})`);
  }
  return [...lines.values()];
};
