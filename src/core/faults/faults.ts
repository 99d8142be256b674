import type { AnyOperation } from '../operations/operation.ts';
import type { Call } from '../protocol/call.ts';
import { limits } from '../util/limits.ts';
import { tryParse } from '../util/try-parse.ts';
import type { World } from '../world/world.ts';
import { type Fault, type FaultInfo, lineOf, numberOf, toFault, toFaultInfo, toState } from './fault.ts';
import type { FaultState } from './faults-schema.ts';
import type { FaultLine } from './line.ts';
import { parseRule } from './rule.ts';
import { whyUnused } from './unused.ts';
import { chooseFaults, countVerdicts, type FaultDecision } from './verdicts.ts';

/** Whether a fault was used, for the end of a test. */
export interface FaultUse extends Pick<FaultInfo, 'fault' | 'unused'> {
  /** Whether the fault comes from the scenario, so that every world of it starts with it. */
  readonly isFromScenario: boolean;
}

/** The changes that `faults.update` makes to a fault. */
export interface FaultChange {
  /** The line that replaces its line. */
  readonly fault?: FaultLine | undefined;
  /** Whether it is switched off. */
  readonly off?: boolean | undefined;
  /** Whether it starts again as it was added, with counts of 0 and its full duration. */
  readonly restart?: boolean | undefined;
}

export class Faults {
  readonly #world: World;
  #faults: readonly Fault[] = [];
  /** The number of the fault that was added last: ids are not used again. */
  lastNumber = 0;
  /** How often faults have counted a call: several may count the same one. */
  countedCalls = 0;

  /** @param states must be valid: the schema of scenarios has checked them, or a command. They may name own calls that this gateway lacks: such a fault hits nothing */
  constructor(states: readonly FaultState[], world: World) {
    this.#world = world;
    this.add(states);
  }

  /**
   * What the faults do to a call; undefined if none acts or is idle. Call this once for each call, since it counts: nothing comes between
   * the choice and the count, so that calls at the same time never share one of `times`.
   */
  decide(operation: AnyOperation | undefined, call: Call): FaultDecision | undefined {
    if (this.#faults.length === 0) return undefined;
    const verdicts = chooseFaults(this.#faults, operation, call, this.#world);
    this.countedCalls += verdicts.length;
    return countVerdicts(verdicts, this.#world);
  }

  /** @throws Error if a line is invalid, or if there are too many faults; then none is added */
  add(states: readonly FaultState[]): FaultInfo[] {
    if (this.#faults.length + states.length > limits.faults)
      throw new Error(
        `Failed to add ${states.length} faults: a world has at most ${limits.faults}. Remove some first.`,
      );
    let number = this.lastNumber;
    const added = states.map((state) => {
      const id = typeof state === 'string' ? undefined : state.id;
      number = Math.max(number + 1, id === undefined ? 0 : numberOf(id));
      return toFault(state, `fault_${number}`, this.#world);
    });
    this.lastNumber = number;
    this.#faults = [...this.#faults, ...added];
    return added.map((fault) => toFaultInfo(fault, this.#world));
  }

  list(): FaultInfo[] {
    return this.#faults.map((fault) => toFaultInfo(fault, this.#world));
  }

  /**
   * Changes the line of a fault, switches it off or on, or restarts it. It keeps its position. Another line starts with new counts.
   *
   * @throws Error if there is no such fault, the line is invalid, or the time of a fault to restart has ended
   */
  update(id: string, { fault: line, off, restart = false }: FaultChange): FaultInfo {
    const present = this.#faults.find((fault) => fault.id === id);
    if (present === undefined)
      throw new Error(`Failed to update the fault "${id}": no such fault. List them with faults.list().`);
    const isSame = line === undefined || isLineOf(canonicalLine(line), present);
    const next = isSame && !restart ? present : toFault(isSame ? present.added : line, id, this.#world);
    if (restart && this.#world.clock.now() >= next.rule.until)
      throw new Error(
        `Failed to restart the fault "${next.rule.line}": its time has ended. Give it a later end with \`fault\`.`,
      );
    this.#faults = this.#faults.map((fault) => (fault === present ? next : fault));
    next.off = off ?? present.off;
    return toFaultInfo(next, this.#world);
  }

  /** Removes a fault by its id or line. Returns false if there is no such fault. */
  remove(idOrLine: string): boolean {
    const line = canonicalLine(idOrLine);
    const others = this.#faults.filter((fault) => fault.id !== idOrLine && !isLineOf(line, fault));
    if (others.length === this.#faults.length) return false;
    this.#faults = others;
    return true;
  }

  clear(): void {
    this.#faults = [];
  }

  /** Whether each fault has been used. @param start the faults with which every world of the scenario starts */
  uses(start: readonly FaultState[]): FaultUse[] {
    const lines = new Set(start.map((state) => canonicalLine(lineOf(state))));
    return this.#faults.map((fault) => ({
      fault: fault.rule.line,
      unused: whyUnused(fault),
      isFromScenario: lines.has(fault.added),
    }));
  }

  /** The faults, each with whether it is off, for `restore`. */
  snapshot(): readonly { readonly fault: Fault; readonly off: boolean }[] {
    return this.#faults.map((fault) => ({ fault, off: fault.off }));
  }

  /** Returns to the faults of a snapshot. They keep what calls have counted since. */
  restore(snapshot: ReturnType<Faults['snapshot']>): void {
    for (const { fault, off } of snapshot) fault.off = off;
    this.#faults = snapshot.map(({ fault }) => fault);
  }

  /** The faults as scenarios have them: with their ids and counts, so that they continue in another world. */
  toScenario(): FaultState[] {
    return this.#faults.map((fault, index) => toState(fault, this.#faults[index - 1]));
  }
}

/** The normal form of a line; the text itself if it is not a fault, such as an id. */
export const canonicalLine = (line: string): string =>
  tryParse(line, (text) => parseRule(text))?.line ?? line;

/** Whether a line, in its normal form, is the line of a fault: as it was added, or as it is in force. */
const isLineOf = (line: string, { added, rule }: Fault): boolean => line === added || line === rule.line;
