import type { Delivery, RawCall } from '../protocol/call.ts';
import { hash } from '../world/hash.ts';
import type { AnyOperation } from '../world/operation.ts';
import type { World } from '../world/world.ts';
import { deliveryOf } from './answer.ts';
import type { Effect } from './effect.ts';
import { hasCursor, matches } from './matches.ts';
import { needsCursor } from './page.ts';
import { beginRule, parseRule, type Rule } from './rule.ts';
import { maxFaults } from './schema.ts';
import { whyUnused } from './unused.ts';

/** One fault of a world, and how often it has come into play. */
export interface FaultInfo {
  readonly id: string;
  /** The fault as one line. */
  readonly fault: string;
  /** How many calls matched. */
  readonly calls: number;
  /** How many of them were hit. */
  readonly hits: number;
  /**
   * Why it has not come into play yet, such as `'no call matched'`; null once it has. A fault with a share below 100 %
   * has as soon as chance alone spared a call.
   */
  readonly unused: string | null;
}

/** A fault that applied to a call and could not act on it. */
export interface IdleFault {
  /** The fault as one line. */
  readonly fault: string;
  /** In words, such as `'the call has no cursor'`. */
  readonly reason: string;
}

/** What became of a fault, for whoever asks at the end of a test. */
export interface FaultEnd extends Pick<FaultInfo, 'fault' | 'unused'> {
  /** Whether the world began with it, as every world of its scenario does. */
  readonly isGiven: boolean;
}

/** A fault as a scenario holds it: its line, or that with what came before. */
export type FaultState = string | { readonly fault: string; readonly calls: number; readonly hits: number };

/** What happens to one call. */
export interface Hit {
  /** The lines of the faults that it comes from. */
  readonly lines: readonly string[];
  /** The faults that applied, and could not act. */
  readonly idle: readonly IdleFault[];
  /** What happens, besides a delay. */
  readonly effect?: Effect | undefined;
  readonly delivery?: Delivery | undefined;
  /**
   * For a page fault, which is a hit only once its page is made: it acted, or could not for this reason. Only the first
   * call has an effect.
   */
  readonly settle: (reason?: string) => void;
}

/** The faults of one world. */
export interface Faults {
  /** What happens to this call; undefined where nothing does. Each call is asked for once: it counts. */
  readonly hit: (operation: AnyOperation, call: RawCall) => Hit | undefined;
  /** @throws Error where a line is no fault, or there are too many: then none is added */
  readonly add: (lines: readonly string[]) => FaultInfo[];
  readonly list: () => FaultInfo[];
  /** Takes one out, by its id or its line; false where there is none. */
  readonly remove: (idOrLine: string) => boolean;
  readonly clear: () => void;
  /** What has become of each so far. */
  readonly ends: () => FaultEnd[];
  /** As a scenario holds them. */
  readonly toScenario: () => FaultState[];
}

interface Counted {
  readonly id: string;
  readonly rule: Rule;
  /** The line that it was added by, where that says for how long, and not until when. */
  readonly asAdded: string;
  readonly isGiven: boolean;
  calls: number;
  hits: number;
  /** How often chance alone spared a call. */
  spared: number;
  /** Why it did nothing to the last call that it applied to and could not act on. */
  idle?: string;
}

/** @param given they have passed the scenario's schema */
export const createFaults = (given: readonly FaultState[], world: World): Faults => {
  let faults: Counted[] = [];
  let added = 0;
  const add = (states: readonly FaultState[], isGiven = false): Counted[] => {
    if (faults.length + states.length > maxFaults)
      throw new Error(
        `Failed to add ${states.length} faults: a world has at most ${maxFaults}. Remove some first.`,
      );
    const now = world.clock.now();
    const fresh = states
      .map((state) => (typeof state === 'string' ? { fault: state, calls: 0, hits: 0 } : state))
      .map(({ fault, calls, hits }) => ({ rule: parseRule(fault), calls, hits }))
      .map(({ rule, ...counts }) => ({ rule: beginRule(rule, now), asAdded: rule.line, ...counts }))
      .map((counted, index) => ({
        id: `fault_${added + index + 1}`,
        isGiven,
        spared: wasDrawn(counted) ? 1 : 0,
        ...counted,
      }));
    added += fresh.length;
    faults = [...faults, ...fresh];
    return fresh;
  };
  add(given, true);

  return {
    hit: (operation, call) => {
      if (faults.length === 0) return undefined;
      const lines: string[] = [];
      const idle: IdleFault[] = [];
      const note = (fault: Counted, reason?: string): void => {
        if (reason === undefined) {
          fault.hits += 1;
          lines.push(fault.rule.line);
        } else {
          fault.idle = reason;
          idle.push({ fault: fault.rule.line, reason });
        }
      };
      let delay = 0;
      let first: Counted | undefined; // the first that does more than wait decides
      for (const fault of faults) {
        const { effect } = fault.rule;
        if (!matches(fault.rule, operation, call)) continue;
        fault.calls += 1;
        if (!isOpen(fault, world)) continue;
        const lacksCursor = 'page' in effect && needsCursor(effect) && !hasCursor(operation, call);
        if (draw(fault.rule, fault.calls, 0, world) >= fault.rule.share) {
          if (first !== undefined) fault.idle = cameFirst(first);
          else if (lacksCursor) fault.idle = noCursor;
          else fault.spared += 1;
          continue;
        }
        if (first !== undefined) note(fault, cameFirst(first));
        else if (effect.kind === 'delay') {
          delay += drawTime(fault, world);
          note(fault);
        } else if (lacksCursor) note(fault, noCursor);
        else first = fault;
      }
      if (lines.length + idle.length === 0 && first === undefined) return undefined;
      const effect = first?.rule.effect;
      let unsettled = first;
      const settle = (reason?: string): void => {
        if (unsettled !== undefined) note(unsettled, reason);
        unsettled = undefined;
      };
      if (effect !== undefined && !('page' in effect)) settle();
      const delivery = {
        ...(delay > 0 && { delay }),
        ...(first && deliveryOf(first.rule.effect, drawTime(first, world))),
      };
      return {
        lines,
        idle,
        effect,
        delivery: Object.keys(delivery).length === 0 ? undefined : delivery,
        settle,
      };
    },
    add: (lines) => add(lines).map(toInfo),
    list: () => faults.map(toInfo),
    remove: (idOrLine) => {
      const line = canonicalLine(idOrLine);
      const kept = faults.filter(
        ({ id, rule, asAdded }) => id !== idOrLine && rule.line !== line && asAdded !== line,
      );
      const isRemoved = kept.length < faults.length;
      faults = kept;
      return isRemoved;
    },
    clear: () => {
      faults = [];
    },
    ends: () =>
      faults.map((fault) => ({
        fault: fault.rule.line,
        unused: whyUnused(fault),
        isGiven: fault.isGiven,
      })),
    toScenario: () =>
      faults.map(({ rule, calls, hits }) => (calls === 0 ? rule.line : { fault: rule.line, calls, hits })),
  };
};

/** A line as equal rules write it; the text itself where it is none, such as an id. */
export const canonicalLine = (line: string): string => {
  try {
    return parseRule(line).line;
  } catch {
    return line;
  }
};

const toInfo = (fault: Counted): FaultInfo => {
  const { id, rule, calls, hits } = fault;
  return { id, fault: rule.line, calls, hits, unused: whyUnused(fault) };
};

const noCursor = 'the call has no cursor';
const cameFirst = ({ rule }: Counted): string => `"${rule.line}" came first`;

/** A state tells of calls and hits alone: a fault with a share that had calls in its range is taken for one that was drawn. */
const wasDrawn = ({ rule, calls }: Pick<Counted, 'rule' | 'calls'>): boolean =>
  rule.share < 1 && calls >= rule.from;

/** Whether a rule asks for this call, of those that match, if chance does not spare it. */
const isOpen = ({ rule, calls, hits }: Counted, world: World): boolean =>
  calls >= rule.from && calls <= rule.to && hits < rule.times && world.clock.now() < rule.until;

/** How long a slow fault takes with this call: a time in its range. */
const drawTime = ({ rule, calls }: Counted, world: World): number => {
  const { effect } = rule;
  if (effect.kind !== 'delay' && effect.kind !== 'drip') return 0;
  return Math.round(effect.from + draw(rule, calls, 1, world) * (effect.to - effect.from));
};

/** A number in [0, 1) that depends on the seed, the rule and the ordinal of the call alone. */
const draw = ({ line }: Rule, ordinal: number, salt: number, { seeding }: World): number =>
  hash(`${seeding.seed}/fault/${line}/${ordinal}`, salt) / 0x1_0000_0000;
