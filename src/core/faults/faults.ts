import type { Call, Delivery } from '../protocol/call.ts';
import { limits } from '../util/limits.ts';
import { tryParse } from '../util/try-parse.ts';
import { hash } from '../world/hash.ts';
import type { AnyOperation } from '../world/operation.ts';
import type { World } from '../world/world.ts';
import { changeOf } from './answer.ts';
import type { Effect, Span } from './effect.ts';
import type { FaultLine } from './line.ts';
import { compileConditions, hasCursor, type Matches } from './matches.ts';
import { needsCursor } from './page.ts';
import { allowInFaults, beginRule, parseRule, type Rule } from './rule.ts';
import type { FaultState } from './schema.ts';
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

/** A fault of a world, as its state is stored. */
interface StoredFault {
  readonly id: string;
  readonly line: string;
  /** The line that was added, which may have `for=` in place of `until=`. */
  readonly asAdded: string;
  readonly isGiven: boolean;
  calls: number;
  hits: number;
  /** How many calls it let pass only because of its share. */
  passed: number;
  /** Why it could not act on the last call to which it applied. */
  idle?: string;
  off?: boolean | undefined;
}

/** The faults of a world that continues in another process. Unlike the faults of a scenario, they keep their ids and all counts. */
export interface StoredFaults {
  /** How many faults were ever added, from which the next id follows. */
  readonly added: number;
  readonly faults: readonly StoredFault[];
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
export interface Fault extends StoredFault {
  readonly rule: Rule;
  readonly matches: Matches;
}

/** The faults of one world. */
export type Faults = ReturnType<typeof createFaults>;

/**
 * @param given must have passed the scenario's schema
 * @param stored the faults of a world that continues; they replace those of the scenario
 */
export const createFaults = (given: readonly FaultState[], world: World, stored?: StoredFaults) => {
  // These lines were checked when they were added. A fault for an own call that this server lacks is kept, and hits nothing.
  for (const { line } of stored?.faults ?? []) for (const id of /^\w+/.exec(line) ?? []) allowInFaults(id);
  let faults: Fault[] = (stored?.faults ?? []).map((fault) => toFault(fault, parseRule(fault.line)));
  let added = stored?.added ?? 0;
  let uses = 0;
  const begin = (state: FaultState, id: string, isGiven: boolean): Fault => {
    const {
      fault,
      id: _,
      ...counts
    } = typeof state === 'string' ? { fault: state, calls: 0, hits: 0 } : state;
    const parsed = parseRule(fault);
    const rule = beginRule(parsed, world.clock.now());
    // A scenario stores only calls and hits, so a fault with a share counts as used if it had calls in its range.
    const passed = rule.share < 1 && counts.calls >= rule.from ? 1 : 0;
    return toFault({ id, line: rule.line, asAdded: parsed.line, isGiven, passed, ...counts }, rule);
  };
  const add = (states: readonly FaultState[], isGiven = false): FaultInfo[] => {
    if (faults.length + states.length > limits.faults)
      throw new Error(
        `Failed to add ${states.length} faults: a world has at most ${limits.faults}. Remove some first.`,
      );
    let last = added;
    const fresh = states.map((state) => {
      const known = typeof state === 'string' || state.id === undefined ? 0 : numberOf(state.id);
      last = Math.max(last + 1, known);
      return begin(state, `fault_${last}`, isGiven);
    });
    added = last;
    faults = [...faults, ...fresh];
    return fresh.map((fault) => toInfo(fault, world));
  };
  if (stored === undefined) add(given, true);

  return {
    /** What the faults do to a call; undefined if nothing. Call it once for each call, since it counts them. */
    hit: (operation: AnyOperation, call: Call): Hit | undefined => {
      if (faults.length === 0) return undefined;
      let query: URLSearchParams | undefined;
      const readQuery = (): URLSearchParams => {
        query ??= new URLSearchParams(call.query);
        return query;
      };
      const lines: string[] = [];
      const kinds: Effect['kind'][] = [];
      const idle: { fault: string; reason: string }[] = [];
      const note = (fault: Fault, reason?: string): void => {
        if (reason === undefined) {
          fault.hits += 1;
          lines.push(fault.line);
          kinds.push(fault.rule.effect.kind);
        } else {
          fault.idle = reason;
          idle.push({ fault: fault.line, reason });
        }
      };
      let delay = 0;
      let first: Fault | undefined; // the first fault that does more than wait wins
      for (const fault of faults) {
        if (fault.off || !fault.matches(operation, call, readQuery)) continue;
        fault.calls += 1;
        uses += 1;
        if (!isOpen(fault, world)) continue;
        const { effect } = fault.rule;
        const lacksCursor = 'page' in effect && needsCursor(effect) && !hasCursor(operation, readQuery);
        const reason = first ? `the fault "${first.line}" came first` : lacksCursor ? noCursor : undefined;
        if (letsPass(fault, world)) {
          if (reason === undefined) fault.passed += 1;
          else fault.idle = reason;
        } else if (reason !== undefined) note(fault, reason);
        else if (effect.kind === 'delay') {
          delay += drawTime(fault, effect, world);
          note(fault);
        } else first = fault;
      }
      if (lines.length + idle.length === 0 && first === undefined) return undefined;
      const effect = first?.rule.effect;
      let unreported = first;
      const report = (reason?: string): void => {
        if (unreported !== undefined) note(unreported, reason);
        unreported = undefined;
      };
      if (effect !== undefined && !('page' in effect) && changeOf(effect) === undefined) report();
      const delivery: Delivery = {
        ...(delay > 0 && { delay }),
        ...(first && effect?.kind === 'drip' && { dripOver: drawTime(first, effect, world) }),
        ...((effect?.kind === 'reset' || effect?.kind === 'hang-up') && { breaks: effect.kind }),
      };
      const isUsual = Object.keys(delivery).length === 0;
      return { lines, kinds, idle, effect, delivery: isUsual ? undefined : delivery, report };
    },
    /** @throws Error if a line is invalid, or if there are too many faults; then none is added */
    add: (lines: readonly string[]) => add(lines),
    list: () => faults.map((fault) => toInfo(fault, world)),
    /**
     * Changes the line of a fault, switches it off or on, or restarts it. It keeps its position. Another line starts with new counts.
     *
     * @throws Error if there is no such fault, the line is invalid, or the time of a fault to restart has ended
     */
    update: (id: string, { fault, off, restart = false }: FaultChange): FaultInfo => {
      const present = faults.find((one) => one.id === id);
      if (present === undefined)
        throw new Error(`Failed to update the fault "${id}": no such fault. List them with faults.list().`);
      const isSame = fault === undefined || canonicalLine(fault) === present.line;
      const next = !isSame
        ? begin(fault, id, false)
        : restart
          ? begin(present.asAdded, id, present.isGiven)
          : present;
      if (restart && world.clock.now() >= next.rule.until)
        throw new Error(
          `Failed to restart the fault "${next.line}": its time has ended. Give it a later end with \`fault\`.`,
        );
      faults = faults.map((one) => (one === present ? next : one));
      next.off = off ?? present.off;
      return toInfo(next, world);
    },
    /** Removes a fault by its id or line. Returns false if there is no such fault. */
    remove: (idOrLine: string): boolean => {
      const line = canonicalLine(idOrLine);
      const kept = faults.filter((one) => one.id !== idOrLine && one.line !== line && one.asAdded !== line);
      if (kept.length === faults.length) return false;
      faults = kept;
      return true;
    },
    clear: (): void => {
      faults = [];
    },
    /** How many calls they have counted. */
    uses: () => uses,
    /** Whether each fault was used so far. */
    ends: (): FaultEnd[] =>
      faults.map((fault) => ({ fault: fault.line, unused: whyUnused(fault), isGiven: fault.isGiven })),
    /** The faults as a scenario has them. */
    toScenario: (): FaultState[] =>
      faults.map(({ id, line, calls, hits, off }, index) => {
        const isNext = numberOf(id) === numberOf(faults[index - 1]?.id ?? 'fault_0') + 1;
        const isPlain = isNext && calls === 0 && !off;
        return isPlain ? line : { fault: line, ...(!isNext && { id }), calls, hits, ...(off && { off }) };
      }),
    toStored: (): StoredFaults => ({
      added,
      faults: faults.map(({ rule: _rule, matches: _matches, ...fault }) => fault),
    }),
  };
};

/** Ids rise: `fault_2` was added after `fault_1`. */
const numberOf = (id: string): number => Number(id.slice('fault_'.length));

/** The normal form of a line; the text itself if it is not a fault, such as an id. */
export const canonicalLine = (line: string): string => tryParse(line, parseRule)?.line ?? line;

const toFault = (stored: StoredFault, rule: Rule): Fault => ({
  ...stored,
  rule,
  matches: compileConditions(rule),
});

const toInfo = (fault: Fault, world: World): FaultInfo => {
  const { id, line, calls, hits, off } = fault;
  return {
    id,
    fault: line,
    calls,
    hits,
    unused: whyUnused(fault),
    ...(off && { off }),
    ...(isSpent(fault, world) && { spent: true }),
  };
};

const noCursor = 'the call has no cursor';

/** Whether a matching call is within the limits of its rule, apart from the share. */
const isOpen = ({ rule, calls, hits }: Fault, world: World): boolean =>
  calls >= rule.from && calls <= rule.to && hits < rule.times && world.clock.now() < rule.until;

/** Whether it can no longer act on any call. */
const isSpent = ({ rule, calls, hits }: Fault, world: World): boolean =>
  calls >= rule.to || hits >= rule.times || world.clock.now() >= rule.until;

/** Whether its share leaves this call alone. */
const letsPass = (fault: Fault, world: World): boolean =>
  fault.rule.share < 1 && draw(fault, 0, world) >= fault.rule.share;

/** How long this call takes, in milliseconds, within the range of the effect. */
const drawTime = (fault: Fault, { from, to }: Span, world: World): number =>
  Math.round(from + draw(fault, 1, world) * (to - from));

/** A number in [0, 1) that depends only on the seed, the line and the number of the call. */
const draw = ({ line, calls }: Fault, salt: number, { seeding }: World): number =>
  hash(`${seeding.seed}/fault/${line}/${calls}`, salt) / 0x1_0000_0000;
