import type { AnyOperation } from '../operations/operation.ts';
import type { Call, Delivery } from '../protocol/call.ts';
import { limits } from '../util/limits.ts';
import { tryParse } from '../util/try-parse.ts';
import { toDateTime, toSeconds } from '../world/clock.ts';
import { hash } from '../world/hash.ts';
import type { World } from '../world/world.ts';
import { changeOf } from './change-reply.ts';
import type { Effect, Span } from './effect.ts';
import type { CountedFault, FaultState } from './faults-schema.ts';
import type { FaultLine } from './line.ts';
import { compileConditions, hasCursor, type Matches } from './matches.ts';
import { needsCursor } from './page-faults.ts';
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

/** Whether a fault was used, for the end of a test. */
export interface FaultEnd extends Pick<FaultInfo, 'fault' | 'unused'> {
  /** Whether the fault comes from the scenario, so that every world of it starts with it. */
  readonly isGiven: boolean;
}

/** What the faults do to one call. */
export interface Hit {
  /** The lines of the faults that acted. */
  readonly lines: readonly string[];
  /** The kinds of the faults that acted, in the same order: delays first, then the effect. */
  readonly kinds: readonly Effect['kind'][];
  /** The faults that applied but could not act, and why, such as `'the call has no cursor'`. */
  readonly idle: readonly { readonly fault: string; readonly reason: string }[];
  /** The effect, other than a delay. */
  readonly effect?: Effect | undefined;
  readonly delivery?: Delivery | undefined;
  /**
   * Reports whether a fault of a page or body acted, which is known only once the reply is made; `reason` says why it could
   * not. Only the first report counts.
   */
  readonly report: (reason?: string) => void;
}

/** A change of a fault. */
export interface FaultChange {
  /** Its new line. */
  readonly fault?: FaultLine | undefined;
  /** Whether it is switched off. */
  readonly off?: boolean | undefined;
  /** Whether it starts again as it was added, with counts of 0 and its full duration. */
  readonly restart?: boolean | undefined;
}

/** A fault that counts calls. */
export interface Fault {
  readonly id: string;
  /** The line that was added, in its normal form. */
  readonly added: string;
  /** The time of the world's clock at which it was added or restarted, in seconds since 1970. */
  readonly since: number;
  /** What it does from then on: if `added` has `for=`, this one has `until=` in its place. */
  readonly rule: Rule;
  readonly matches: Matches;
  calls: number;
  hits: number;
  /** How many calls it let pass only because of its share. */
  passed: number;
  /** Why it could not act on the last call to which it applied. */
  idle?: string | undefined;
  off: boolean;
}

/** The faults of one world. */
export type Faults = ReturnType<typeof createFaults>;

/** @param states must have passed the scenario's schema. They may name own calls that this gateway lacks: such a fault hits nothing */
export const createFaults = (states: readonly FaultState[], world: World) => {
  let faults: Fault[] = [];
  /** The number of the fault that was added last: ids are not used again. */
  let last = 0;
  let uses = 0;
  const add = (states: readonly FaultState[]): FaultInfo[] => {
    if (faults.length + states.length > limits.faults)
      throw new Error(
        `Failed to add ${states.length} faults: a world has at most ${limits.faults}. Remove some first.`,
      );
    let next = last;
    const fresh = states.map((state) => {
      const id = typeof state === 'string' ? undefined : state.id;
      next = Math.max(next + 1, id === undefined ? 0 : numberOf(id));
      return toFault(state, `fault_${next}`, world);
    });
    last = next;
    faults = [...faults, ...fresh];
    return fresh.map((fault) => toInfo(fault, world));
  };
  add(states);

  return {
    /** What the faults do to a call; undefined if nothing. Call it once for each call, since it counts them. */
    hit: (operation: AnyOperation, call: Call): Hit | undefined => {
      const verdicts = faults.length === 0 ? [] : judge(faults, operation, call, world);
      uses += verdicts.length;
      return count(verdicts, world);
    },
    /** @throws Error if a line is invalid, or if there are too many faults; then none is added */
    add,
    list: () => faults.map((fault) => toInfo(fault, world)),
    /**
     * Changes the line of a fault, switches it off or on, or restarts it. It keeps its position. Another line starts with new counts.
     *
     * @throws Error if there is no such fault, the line is invalid, or the time of a fault to restart has ended
     */
    update: (id: string, { fault, off, restart = false }: FaultChange): FaultInfo => {
      const present = faults.find((fault) => fault.id === id);
      if (present === undefined)
        throw new Error(`Failed to update the fault "${id}": no such fault. List them with faults.list().`);
      const isSame = fault === undefined || isLineOf(canonicalLine(fault), present);
      const next = isSame && !restart ? present : toFault(isSame ? present.added : fault, id, world);
      if (restart && world.clock.now() >= next.rule.until)
        throw new Error(
          `Failed to restart the fault "${next.rule.line}": its time has ended. Give it a later end with \`fault\`.`,
        );
      faults = faults.map((other) => (other === present ? next : other));
      next.off = off ?? present.off;
      return toInfo(next, world);
    },
    /** Removes a fault by its id or line. Returns false if there is no such fault. */
    remove: (idOrLine: string): boolean => {
      const line = canonicalLine(idOrLine);
      const others = faults.filter((fault) => fault.id !== idOrLine && !isLineOf(line, fault));
      if (others.length === faults.length) return false;
      faults = others;
      return true;
    },
    clear: (): void => {
      faults = [];
    },
    /** How many calls they have counted. */
    uses: () => uses,
    /** Whether each fault was used so far. @param start the faults with which every world of the scenario starts */
    ends: (start: readonly FaultState[]): FaultEnd[] => {
      const lines = new Set(start.map((state) => canonicalLine(lineOf(state))));
      return faults.map((fault) => ({
        fault: fault.rule.line,
        unused: whyUnused(fault),
        isGiven: lines.has(fault.added),
      }));
    },
    /** The faults, and which are off, for `restore`. */
    snapshot: () => faults.map((fault) => ({ fault, off: fault.off })),
    /** Returns to the faults of a snapshot. They keep what calls have counted since. */
    restore: (snapshot: readonly { readonly fault: Fault; readonly off: boolean }[]): void => {
      for (const { fault, off } of snapshot) fault.off = off;
      faults = snapshot.map(({ fault }) => fault);
    },
    /** The faults as scenarios have them: with their ids and counts, so that they continue in another world. */
    toScenario: (): FaultState[] => faults.map((fault, index) => toState(fault, faults[index - 1])),
  };
};

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

/** Decides what each fault that matches a call does to it. It changes nothing: `count` does. */
const judge = (faults: readonly Fault[], operation: AnyOperation, call: Call, world: World): Verdict[] => {
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
    const lacksCursor = 'page' in effect && needsCursor(effect) && !hasCursor(operation, readQuery);
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
const count = (verdicts: readonly Verdict[], world: World): Hit | undefined => {
  const lines: string[] = [];
  const kinds: Effect['kind'][] = [];
  const idle: { fault: string; reason: string }[] = [];
  const note = (fault: Fault, reason?: string): void => {
    if (reason === undefined) {
      fault.hits += 1;
      lines.push(fault.rule.line);
      kinds.push(fault.rule.effect.kind);
    } else {
      fault.idle = reason;
      idle.push({ fault: fault.rule.line, reason });
    }
  };
  let delay = 0;
  let winner: Fault | undefined;
  for (const { fault, outcome, reason } of verdicts) {
    fault.calls += 1;
    const { effect } = fault.rule;
    if (outcome === 'wins') winner = fault;
    if (outcome === 'idle' || outcome === 'delays') note(fault, reason);
    if (outcome === 'delays' && effect.kind === 'delay') delay += drawTime(fault, effect, world);
    if (outcome === 'spared' && reason === undefined) fault.passed += 1;
    if (outcome === 'spared' && reason !== undefined) fault.idle = reason;
  }
  if (winner === undefined && lines.length + idle.length === 0) return undefined;
  const effect = winner?.rule.effect;
  let unreported = winner;
  const report = (reason?: string): void => {
    if (unreported !== undefined) note(unreported, reason);
    unreported = undefined;
  };
  if (effect !== undefined && !('page' in effect) && changeOf(effect) === undefined) report();
  const delivery: Delivery = {
    ...(delay > 0 && { delay }),
    ...(winner && effect?.kind === 'drip' && { dripOver: drawTime(winner, effect, world) }),
    ...((effect?.kind === 'reset' || effect?.kind === 'hang-up') && { breaks: effect.kind }),
  };
  const isUsual = Object.keys(delivery).length === 0;
  return { lines, kinds, idle, effect, delivery: isUsual ? undefined : delivery, report };
};

/** Ids rise: `fault_2` was added after `fault_1`. */
const numberOf = (id: string): number => Number(id.slice('fault_'.length));

/** The normal form of a line; the text itself if it is not a fault, such as an id. */
export const canonicalLine = (line: string): string =>
  tryParse(line, (text) => parseRule(text))?.line ?? line;

/** The line of a fault of a scenario. */
export const lineOf = (state: FaultState): string => (typeof state === 'string' ? state : state.fault);

/** Whether a line, in its normal form, is the one that was added, or the one that it became. */
const isLineOf = (line: string, { added, rule }: Fault): boolean => line === added || line === rule.line;

const toFault = (state: FaultState, id: string, world: World): Fault => {
  const added = parseRule(lineOf(state));
  const { began, ...counts }: Partial<CountedFault> = typeof state === 'string' ? {} : state;
  const since = began === undefined ? world.clock.now() : toSeconds(began);
  const rule = beginRule(added, since);
  const { calls = 0, hits = 0, passed = 0, idle, off = false } = counts;
  const matches = compileConditions(rule);
  return { id, added: added.line, since, rule, matches, calls, hits, passed, idle, off };
};

/** @param previous the fault in front of it: the next id follows from its id */
const toState = (fault: Fault, previous: Fault | undefined): FaultState => {
  const { id, added, since, rule, calls, hits, passed, idle, off } = fault;
  const isNext = numberOf(id) === (previous === undefined ? 0 : numberOf(previous.id)) + 1;
  const isTimed = added !== rule.line;
  if (isNext && !isTimed && calls === 0 && !off) return added;
  return {
    fault: added,
    ...(!isNext && { id }),
    ...(isTimed && { began: toDateTime(since) }),
    calls,
    hits,
    ...(passed > 0 && { passed }),
    ...(idle !== undefined && { idle }),
    ...(off && { off }),
  };
};

const toInfo = (fault: Fault, world: World): FaultInfo => {
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

/** Whether its next call is one to hit, apart from the share. */
const isOpen = ({ rule, calls, hits }: Fault, world: World): boolean =>
  calls + 1 >= rule.from &&
  calls + 1 <= rule.to &&
  (calls - rule.from + 2) % rule.every === 0 &&
  hits < rule.times &&
  world.clock.now() < rule.until;

/** Whether it can no longer act on any call. */
const isSpent = ({ rule, calls, hits }: Fault, world: World): boolean =>
  nextCall(rule, calls) > rule.to || hits >= rule.times || world.clock.now() >= rule.until;

/** Whether its share leaves its next call alone. */
const isSpared = ({ rule, calls }: Fault, world: World): boolean =>
  rule.share < 1 && draw(rule, calls + 1, 0, world) >= rule.share;

/** How long the call that was counted last takes, in milliseconds, within the range of the effect. */
const drawTime = ({ rule, calls }: Fault, { from, to }: Span, world: World): number =>
  Math.round(from + draw(rule, calls, 1, world) * (to - from));

/** A number in [0, 1) that depends only on the seed, the line and the number of the call. */
const draw = ({ line }: Rule, number: number, salt: number, { seeding }: World): number =>
  hash(`${seeding.seed}/fault/${line}/${number}`, salt) / 0x1_0000_0000;
