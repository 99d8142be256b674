// Decides what the faults of a world do to a call, in two steps: `chooseFaults` changes nothing, `countVerdicts` counts.
import type { AnyOperation } from '../operations/operation.ts';
import type { Call, Delivery } from '../protocol/call.ts';
import { once } from '../util/once.ts';
import type { World } from '../world/world.ts';
import type { Effect } from './effect.ts';
import { drawTime, type Fault, isOpen, isSpared } from './fault.ts';
import { hasCursor } from './matches.ts';
import { needsCursor } from './page-faults.ts';

/** What a fault does to a call that it matches. */
interface Verdict {
  readonly fault: Fault;
  /**
   * `wins`: it is the first fault that does more than delay. `delays`: it delays the reply. `idle`: it cannot act.
   * `spared`: its share leaves this call alone. `closed`: it acts on other calls only, or is used up.
   */
  readonly role: 'closed' | 'spared' | 'idle' | 'delays' | 'wins';
  /** Why the fault cannot act on the call. With a reason, a spared verdict sets `fault.idle` and does not count in `fault.passed`. */
  readonly reason?: string | undefined;
}

/** What the faults do to one call. */
export interface FaultDecision {
  /** The lines of the faults that acted. */
  readonly lines: readonly string[];
  /** The kinds of the faults that acted, in the same order: delays first, then the effect. */
  readonly faultKinds: readonly Effect['kind'][];
  /** The faults that applied but could not act, and why, such as `'the call has no cursor'`. */
  readonly idle: readonly { readonly fault: string; readonly reason: string }[];
  /** The effect of the winner. */
  readonly effect?: Effect | undefined;
  readonly delivery?: Delivery | undefined;
  /** The fault that wins. For some effects, only the reply shows whether they can act: `withdraw` takes a winner back that cannot. */
  readonly winner?: Fault | undefined;
}

/** Chooses what each fault that matches a call does to it. */
export const chooseFaults = (
  faults: readonly Fault[],
  operation: AnyOperation | undefined,
  call: Call,
  world: World,
): Verdict[] => {
  const readQuery = once(() => new URLSearchParams(call.query));
  const verdicts: Verdict[] = [];
  let winner: Fault | undefined;
  for (const fault of faults) {
    if (fault.off || !fault.matches(operation, call, readQuery)) continue;
    const { effect } = fault.rule;
    const number = fault.calls + 1;
    if (!isOpen(fault, number, world)) {
      verdicts.push({ fault, role: 'closed' });
      continue;
    }
    const lacksCursor =
      operation !== undefined && 'page' in effect && needsCursor(effect) && !hasCursor(operation, readQuery);
    const reason = winner
      ? `the fault "${winner.rule.line}" came first`
      : lacksCursor
        ? 'the call has no cursor'
        : undefined;
    if (isSpared(fault, number, world)) verdicts.push({ fault, role: 'spared', reason });
    else if (reason !== undefined) verdicts.push({ fault, role: 'idle', reason });
    else if (effect.kind === 'delay') verdicts.push({ fault, role: 'delays' });
    else {
      winner = fault;
      verdicts.push({ fault, role: 'wins' });
    }
  }
  return verdicts;
};

/** Counts a call for the faults that match it, and returns what they do to it; undefined if none acts or is idle. */
export const countVerdicts = (verdicts: readonly Verdict[], world: World): FaultDecision | undefined => {
  for (const { fault, role, reason } of verdicts) {
    fault.calls += 1;
    if (role === 'delays' || role === 'wins') fault.hits += 1;
    if (role === 'spared' && reason === undefined) fault.passed += 1;
    if (reason !== undefined) fault.idle = reason;
  }
  const delays = verdicts.filter(({ role }) => role === 'delays').map(({ fault }) => fault);
  const idle = verdicts.flatMap(({ fault, role, reason }) =>
    role === 'idle' && reason !== undefined ? { fault: fault.rule.line, reason } : [],
  );
  const winner = verdicts.find(({ role }) => role === 'wins')?.fault;
  const acting = winner === undefined ? delays : [...delays, winner];
  if (acting.length + idle.length === 0) return undefined;
  return {
    lines: acting.map(({ rule }) => rule.line),
    faultKinds: acting.map(({ rule }) => rule.effect.kind),
    idle,
    effect: winner?.rule.effect,
    delivery: deliveryOf(delays, winner, world),
    winner,
  };
};

/** Takes the winner back, because it could not act on the reply. Of the delivery, the delays of other faults stay. */
export const withdraw = (decision: FaultDecision, reason: string): FaultDecision => {
  const { winner, lines, faultKinds, idle, delivery } = decision;
  if (winner === undefined) return decision;
  winner.hits -= 1;
  winner.idle = reason;
  return {
    delivery: delivery?.delay === undefined ? undefined : { delay: delivery.delay },
    lines: lines.slice(0, -1),
    faultKinds: faultKinds.slice(0, -1),
    idle: [...idle, { fault: winner.rule.line, reason }],
  };
};

/** How the faults change the delivery of the reply; undefined if they do not. */
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
