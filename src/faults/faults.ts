import type { Delivery, RawCall } from '../protocol/call.ts';
import { fits } from '../protocol/text-pattern.ts';
import { type AnyOperation, isList } from '../world/operation.ts';
import { hash } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { deliveryOf } from './answer.ts';
import type { Effect } from './effect.ts';
import { takesCursor } from './page.ts';
import { beginRule, parseRule, type Rule } from './rule.ts';
import { maxFaults } from './schema.ts';

/** One fault of a world, and how often it has come into play. */
export interface FaultInfo {
  readonly id: string;
  /** The fault as one line. */
  readonly fault: string;
  /** How many calls matched. */
  readonly calls: number;
  /** How many of them were hit. */
  readonly hits: number;
}

/** A fault as a scenario holds it: its line, or that with what came before. */
export type FaultState = string | { readonly fault: string; readonly calls: number; readonly hits: number };

/** What happens to one call. */
export interface Hit {
  /** The lines of the faults that it comes from. */
  readonly lines: readonly string[];
  /** What happens, besides a delay. */
  readonly effect?: Effect | undefined;
  readonly delivery?: Delivery | undefined;
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
  /** As a scenario holds them. */
  readonly toScenario: () => FaultState[];
}

interface Counted {
  readonly id: string;
  readonly rule: Rule;
  /** The line that it was added by, where that says for how long, and not until when. */
  readonly asAdded: string;
  calls: number;
  hits: number;
}

/** @param given they have passed the scenario's schema */
export const createFaults = (given: readonly FaultState[], world: World): Faults => {
  let faults: Counted[] = [];
  let added = 0;
  const add = (states: readonly FaultState[]): Counted[] => {
    if (faults.length + states.length > maxFaults)
      throw new Error(
        `Failed to add ${states.length} faults: a world has at most ${maxFaults}. Remove some first.`,
      );
    const now = world.clock.now();
    const fresh = states
      .map((state) => (typeof state === 'string' ? { fault: state, calls: 0, hits: 0 } : state))
      .map(({ fault, calls, hits }) => ({ rule: parseRule(fault), calls, hits }))
      .map(({ rule, ...counts }) => ({ rule: beginRule(rule, now), asAdded: rule.line, ...counts }))
      .map((counted, index) => ({ id: `fault_${added + index + 1}`, ...counted }));
    added += fresh.length;
    faults = [...faults, ...fresh];
    return fresh;
  };
  add(given);

  return {
    hit: (operation, call) => {
      if (faults.length === 0) return undefined;
      const lines: string[] = [];
      let delay = 0;
      let effect: { readonly does: Effect; readonly milliseconds: number } | undefined;
      for (const fault of faults) {
        if (!matches(fault.rule, operation, call)) continue;
        fault.calls += 1;
        // The first that does more than wait decides; those behind it have only seen the call.
        if (effect !== undefined || !isHit(fault, world)) continue;
        fault.hits += 1;
        lines.push(fault.rule.line);
        const milliseconds = drawTime(fault, world);
        if (fault.rule.effect.kind === 'delay') delay += milliseconds;
        else effect = { does: fault.rule.effect, milliseconds };
      }
      if (lines.length === 0) return undefined;
      const delivery = {
        ...(delay > 0 && { delay }),
        ...deliveryOf(effect?.does, effect?.milliseconds ?? 0),
      };
      return {
        lines,
        effect: effect?.does,
        delivery: Object.keys(delivery).length === 0 ? undefined : delivery,
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

const toInfo = ({ id, rule, calls, hits }: Counted): FaultInfo => ({ id, fault: rule.line, calls, hits });

const matches = (rule: Rule, operation: AnyOperation, call: RawCall): boolean => {
  if (rule.operation !== '*' && rule.operation !== operation.id) return false;
  if ('page' in rule.effect) {
    if (!isList(operation)) return false;
    if (takesCursor(rule.effect) && !hasCursor(operation, call)) return false;
  }
  if (rule.path !== undefined && !fits(rule.path, call.path)) return false;
  const headers = Object.entries(rule.header);
  if (!headers.every(([name, value]) => fits(value, call.header(name)))) return false;
  const query = Object.entries(rule.query);
  if (query.length === 0) return true;
  const sent = new URLSearchParams(call.query);
  return query.every(([name, value]) => sent.getAll(name).some((one) => fits(value, one)));
};

/** Whether a call has a cursor that its operation takes, whatever that names. */
const hasCursor = ({ contract }: AnyOperation, { query }: RawCall): boolean => {
  const sent = new URLSearchParams(query);
  return ['after', 'before'].some((name) => Object.hasOwn(contract.query.shape, name) && sent.get(name));
};

const isHit = ({ rule, calls, hits }: Counted, world: World): boolean =>
  calls >= rule.from &&
  calls <= rule.to &&
  hits < rule.times &&
  world.clock.now() < rule.until &&
  draw(rule, calls, 0, world) < rule.share;

/** How long a slow fault takes with this call: a time in its range. */
const drawTime = ({ rule, calls }: Counted, world: World): number => {
  const { effect } = rule;
  if (effect.kind !== 'delay' && effect.kind !== 'drip') return 0;
  return Math.round(effect.from + draw(rule, calls, 1, world) * (effect.to - effect.from));
};

/** A number in [0, 1) that depends on the seed, the rule and the ordinal of the call alone. */
const draw = ({ line }: Rule, ordinal: number, lane: number, { seeding }: World): number =>
  hash(`${seeding.seed}/fault/${line}/${ordinal}`, lane) / 0x1_0000_0000;
