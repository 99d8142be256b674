// What the faults of a world do to one call: first chosen, which changes nothing, then counted.
import type { AnyOperation } from '../operations/operation.ts';
import type { Call, Delivery } from '../protocol/call.ts';
import type { World } from '../world/world.ts';
import { changeOf } from './change-reply.ts';
import type { Effect } from './effect.ts';
import { drawTime, type Fault, isOpen, isSpared } from './fault.ts';
import { hasCursor } from './matches.ts';
import { needsCursor } from './page-faults.ts';

/** What a fault does to a call that it matches. */
interface Verdict {
  readonly fault: Fault;
  /**
   * It `wins` as the first that does more than wait. It is `idle` if it cannot act, `spared` if its share leaves this call
   * alone, and `closed` if it is for other calls, or used up.
   */
  readonly outcome: 'closed' | 'spared' | 'idle' | 'delays' | 'wins';
  /** Why it cannot act, whatever its share. */
  readonly reason?: string | undefined;
}

/** What the faults do to one call. */
export interface FaultDecision {
  /** The lines of the faults that acted. */
  readonly lines: readonly string[];
  /** The kinds of the faults that acted, in the same order: delays first, then the effect. */
  readonly kinds: readonly Effect['kind'][];
  /** The faults that applied but could not act, and why, such as `'the call has no cursor'`. */
  readonly idle: readonly { readonly fault: string; readonly reason: string }[];
  /** The effect, other than a delay. */
  readonly effect?: Effect | undefined;
  readonly delivery?: Delivery | undefined;
  /** The fault of the effect, if only the reply shows whether it acts. Then `countPending` counts it. */
  readonly pending?: Fault | undefined;
}

/** Chooses what each fault that matches a call does to it. */
export const chooseFaults = (
  faults: readonly Fault[],
  operation: AnyOperation | undefined,
  call: Call,
  world: World,
): Verdict[] => {
  let query: URLSearchParams | undefined;
  const readQuery = (): URLSearchParams => {
    query ??= new URLSearchParams(call.query);
    return query;
  };
  const verdicts: Verdict[] = [];
  let winner: Fault | undefined;
  for (const fault of faults) {
    if (fault.off || !fault.matches(operation, call, readQuery)) continue;
    const { effect } = fault.rule;
    if (!isOpen(fault, world)) {
      verdicts.push({ fault, outcome: 'closed' });
      continue;
    }
    const lacksCursor =
      operation !== undefined && 'page' in effect && needsCursor(effect) && !hasCursor(operation, readQuery);
    const reason = winner
      ? `the fault "${winner.rule.line}" came first`
      : lacksCursor
        ? 'the call has no cursor'
        : undefined;
    if (isSpared(fault, world)) verdicts.push({ fault, outcome: 'spared', reason });
    else if (reason !== undefined) verdicts.push({ fault, outcome: 'idle', reason });
    else if (effect.kind === 'delay') verdicts.push({ fault, outcome: 'delays' });
    else {
      winner = fault;
      verdicts.push({ fault, outcome: 'wins' });
    }
  }
  return verdicts;
};

/** Counts a call for the faults that it matches, and returns what they do to it; undefined if nothing. */
export const countVerdicts = (verdicts: readonly Verdict[], world: World): FaultDecision | undefined => {
  for (const { fault, outcome, reason } of verdicts) {
    fault.calls += 1;
    if (outcome === 'delays') fault.hits += 1;
    if (outcome === 'spared' && reason === undefined) fault.passed += 1;
    if (reason !== undefined) fault.idle = reason;
  }
  const delays = verdicts.filter(({ outcome }) => outcome === 'delays').map(({ fault }) => fault);
  const idle = verdicts.flatMap(({ fault, outcome, reason }) =>
    outcome === 'idle' && reason !== undefined ? { fault: fault.rule.line, reason } : [],
  );
  const winner = verdicts.find(({ outcome }) => outcome === 'wins')?.fault;
  if (winner === undefined && delays.length + idle.length === 0) return undefined;
  const effect = winner?.rule.effect;
  const decision: FaultDecision = {
    lines: delays.map(({ rule }) => rule.line),
    kinds: delays.map(({ rule }) => rule.effect.kind),
    idle,
    effect,
    delivery: deliveryOf(delays, winner, world),
    pending: winner,
  };
  const needsReply = effect !== undefined && ('page' in effect || changeOf(effect) !== undefined);
  return needsReply ? decision : countPending(decision);
};

/** Counts the fault that was pending. @param reason why it could not act. Default: it acted */
export const countPending = (decision: FaultDecision, reason?: string): FaultDecision => {
  const { pending, lines, kinds, idle } = decision;
  if (pending === undefined) return decision;
  const { line, effect } = pending.rule;
  if (reason !== undefined) {
    pending.idle = reason;
    return { ...decision, idle: [...idle, { fault: line, reason }], pending: undefined };
  }
  pending.hits += 1;
  return { ...decision, lines: [...lines, line], kinds: [...kinds, effect.kind], pending: undefined };
};

/** How the faults let the reply be delivered; undefined if as usual. */
const deliveryOf = (
  delays: readonly Fault[],
  winner: Fault | undefined,
  world: World,
): Delivery | undefined => {
  const timeOf = (fault: Fault): number => {
    const { effect } = fault.rule;
    return 'from' in effect ? drawTime(fault, effect, world) : 0;
  };
  const delay = delays.reduce((sum, fault) => sum + timeOf(fault), 0);
  const kind = winner?.rule.effect.kind;
  const delivery: Delivery = {
    ...(delay > 0 && { delay }),
    ...(winner && kind === 'drip' && { dripOver: timeOf(winner) }),
    ...((kind === 'reset' || kind === 'hang-up') && { breaks: kind }),
  };
  return Object.keys(delivery).length === 0 ? undefined : delivery;
};
