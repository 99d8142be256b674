import { toDateTime, toSeconds } from '../world/clock.ts';
import { hash } from '../world/hash.ts';
import type { World } from '../world/world.ts';
import type { Span } from './effect.ts';
import type { CountedFault, FaultState } from './faults-schema.ts';
import { compileConditions, type Matches } from './matches.ts';
import { beginRule, nextCall, parseRule, type Rule } from './rule.ts';
import { whyUnused } from './unused.ts';

/** A fault of a world, and how many calls it has matched and hit. */
export interface FaultInfo {
  /** Its id, such as `fault_1`. */
  readonly id: string;
  /** Its line, such as `listRuns#3: reset`. */
  readonly fault: string;
  /** How many calls matched its operation and conditions. */
  readonly calls: number;
  /** On how many of these calls it acted. */
  readonly hits: number;
  /**
   * Why it has had no effect yet, such as `'no call matched'`; null once it has been used. A fault with a share below 100 %
   * counts as used once it could have hit a call.
   */
  readonly unused: string | null;
  /** Whether it is switched off: it neither counts nor changes calls. Absent if it is on. */
  readonly off?: true;
  /** Whether it can no longer act: its calls (`#3`), its `times` or its time are used up. Absent if it can. */
  readonly spent?: true;
}

export interface Fault {
  readonly id: string;
  /** The line that was added, in its normal form. */
  readonly added: string;
  /** The time of the world's clock at which it was added or restarted, in seconds since 1970. */
  readonly began: number;
  /** The rule in force. If the added line has `for=`, the rule has `until=` in its place. */
  readonly rule: Rule;
  readonly matches: Matches;
  calls: number;
  hits: number;
  /** How many calls it spared only because of its share. */
  passed: number;
  /** Why it could not act on a call: the latest reason. */
  idle?: string | undefined;
  off: boolean;
}

/** Ids rise: `fault_2` was added after `fault_1`. */
export const numberOf = (id: string): number => Number(id.slice('fault_'.length));

/** The line of a fault of a scenario. */
export const lineOf = (state: FaultState): string => (typeof state === 'string' ? state : state.fault);

export const toFault = (state: FaultState, id: string, world: World): Fault => {
  const added = parseRule(lineOf(state));
  const { began: storedTime, ...counts }: Partial<CountedFault> = typeof state === 'string' ? {} : state;
  const began = storedTime === undefined ? world.clock.now() : toSeconds(storedTime);
  const rule = beginRule(added, began);
  const { calls = 0, hits = 0, passed = 0, idle, off = false } = counts;
  const matches = compileConditions(rule);
  return { id, added: added.line, began, rule, matches, calls, hits, passed, idle, off };
};

/** @param previous the fault before it in the list: a fault with the next id needs no `id` in its state */
export const toState = (fault: Fault, previous: Fault | undefined): FaultState => {
  const { id, added, began, rule, calls, hits, passed, idle, off } = fault;
  const isNext = numberOf(id) === (previous === undefined ? 0 : numberOf(previous.id)) + 1;
  const isTimed = added !== rule.line;
  if (isNext && !isTimed && calls === 0 && !off) return added;
  return {
    fault: added,
    ...(!isNext && { id }),
    ...(isTimed && { began: toDateTime(began) }),
    calls,
    hits,
    ...(passed > 0 && { passed }),
    ...(idle !== undefined && { idle }),
    ...(off && { off }),
  };
};

export const toFaultInfo = (fault: Fault, world: World): FaultInfo => {
  const { id, rule, calls, hits, off } = fault;
  return {
    id,
    fault: rule.line,
    calls,
    hits,
    unused: whyUnused(fault),
    ...(off && { off }),
    ...(isSpent(fault, world) && { spent: true }),
  };
};

/** Whether it acts on its next call, apart from the share. @param number the number of that call among those that it matched, from 1 */
export const isOpen = ({ rule, hits }: Fault, number: number, world: World): boolean =>
  number >= rule.from &&
  number <= rule.to &&
  (number - rule.from + 1) % rule.every === 0 &&
  hits < rule.times &&
  world.clock.now() < rule.until;

/** Whether it can no longer act on any call. */
const isSpent = ({ rule, calls, hits }: Fault, world: World): boolean =>
  nextCall(rule, calls) > rule.to || hits >= rule.times || world.clock.now() >= rule.until;

/** Whether its share leaves its next call alone. */
export const isSpared = ({ rule }: Fault, number: number, world: World): boolean =>
  rule.share < 1 && draw(rule, number, 0, world) >= rule.share;

/** Draws from a range of times, in milliseconds, for the call that the fault has just counted. */
export const drawTime = ({ rule, calls }: Fault, { from, to }: Span, world: World): number =>
  Math.round(from + draw(rule, calls, 1, world) * (to - from));

/** A number in [0, 1) that depends only on the seed, the line and the number of the call. */
const draw = ({ line }: Rule, number: number, salt: number, { seeding }: World): number =>
  hash(`${seeding.seed}/fault/${line}/${number}`, salt) / 0x1_0000_0000;
