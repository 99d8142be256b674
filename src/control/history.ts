import type { StoredFaults } from '../faults/faults.ts';
import type { LoadedScenario } from '../scenario/load.ts';
import { toJsonText } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import { truncate } from '../util/truncate.ts';
import type { Session } from './session.ts';
import { createState, exportState } from './world-state.ts';
import { sizeOfSaved } from './written.ts';

/** One change of a session's world: a call of a command. */
export interface SessionChange {
  /** Its number. It rises within the session, and is never used again. */
  readonly id: number;
  /** The command: `clock.advance`. */
  readonly what: string;
  /** The input of the command as JSON, cut after 200 characters. */
  readonly input: string;
  /** The time of the world before it, as a date-time in UTC. */
  readonly at: string;
}

/** The changes that can be undone and redone. */
export interface ChangeHistory {
  /** What `state.undo` undoes, the oldest first. */
  readonly changes: readonly SessionChange[];
  /** What `state.redo` makes again, the next first. */
  readonly undone: readonly SessionChange[];
  /** How many older changes can no longer be undone, because of the limits: 20 changes, and 16 MB of states. */
  readonly dropped: number;
}

/** The state of a session without its journal and its saved states. */
interface PastState {
  readonly start: LoadedScenario;
  readonly startSize: number;
  readonly present: LoadedScenario;
  readonly faults: StoredFaults;
  /** The most that it may take, in bytes of JSON: what the session had written. It is not measured, which would take long. */
  readonly size: number;
}

/** A change, with the state on its other side: before it, or after it once it is undone. */
interface Entry extends SessionChange {
  readonly other: PastState;
}

/** The last changes of a session, with the states to return to. Saved states and the journal stay as they are. */
export class History {
  /** The newest last. */
  readonly #done: Entry[] = [];
  /** The next to redo last. */
  readonly #undone: Entry[] = [];
  #lastId = 0;
  #dropped = 0;

  /** Runs what changes the world, at once, and adds it to the history. If it throws, nothing is added. */
  record<Result>(session: Session, what: string, input: object, run: () => Result): Result {
    const other = takeState(session);
    const result = run();
    this.#undone.length = 0;
    this.#lastId += 1;
    const at = other.present.whole.clock.now ?? other.present.whole.clock.start;
    this.#done.push({ id: this.#lastId, what, input: truncate(toJsonText(input)), at, other });
    this.#dropOldest();
    return result;
  }

  /** Returns to the state before a change. Default: before the last one. @throws Error if it is not in the history */
  undo(session: Session, to = this.#done.at(-1)?.id): void {
    if (to === undefined) throw new Error(`Failed to undo: ${this.#describeEnd('no change')}`);
    const from = this.#done.findIndex(({ id }) => id === to);
    if (from === -1) throw new Error(`Failed to undo change ${to}: ${this.#describeEnd('no such change')}`);
    let state = takeState(session);
    for (const { other, ...change } of this.#done.splice(from).reverse()) {
      this.#undone.push({ ...change, other: state });
      state = other;
    }
    putState(session, state);
    this.#dropOldest();
  }

  /** Makes the last undone change again. @throws Error if there is none */
  redo(session: Session): void {
    const entry = this.#undone.pop();
    if (entry === undefined) throw new Error('Failed to redo: no change was undone since the last one.');
    const { other, ...change } = entry;
    this.#done.push({ ...change, other: takeState(session) });
    putState(session, other);
    this.#dropOldest();
  }

  list(): ChangeHistory {
    return {
      changes: this.#done.map(toChange),
      undone: this.#undone.map(toChange).reverse(),
      dropped: this.#dropped,
    };
  }

  #dropOldest(): void {
    const all = (): Entry[] => [...this.#done, ...this.#undone];
    const bytes = (): number => all().reduce((sum, { other }) => sum + other.size, 0);
    while (all().length > limits.changes || bytes() > limits.history) {
      (this.#done.length > 0 ? this.#done : this.#undone).shift();
      this.#dropped += 1;
    }
  }

  #describeEnd(what: string): string {
    const ids = this.#done.map(({ id }) => id).join(', ') || 'none';
    const dropped = this.#dropped > 0 ? ` Older changes that were dropped: ${this.#dropped}.` : '';
    return `the history has ${what} to undo. Changes in it: ${ids}.${dropped}`;
  }
}

const toChange = ({ other: _, ...change }: Entry): SessionChange => change;

/** It shares its records with the world, which never changes a record in place. */
const takeState = (session: Session): PastState => {
  const { start, startSize, state, written } = session;
  const size = Math.max(0, written - sizeOfSaved(session));
  return { start, startSize, present: exportState(session), faults: state.faults.toStored(), size };
};

const putState = (session: Session, { start, startSize, present, faults, size }: PastState): void => {
  const written = size + sizeOfSaved(session);
  Object.assign(session, { start, startSize, state: createState(present, faults), written });
};
