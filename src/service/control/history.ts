import { toJsonText } from '../../core/util/json.ts';
import { limits } from '../../core/util/limits.ts';
import { truncate } from '../../core/util/truncate.ts';
import type { SavedState, Session } from './session.ts';
import { createState, exportState } from './world-state.ts';

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

/** The changes that can be undone. */
export interface ChangeHistory {
  /** What `state.undo` undoes, the oldest first. */
  readonly changes: readonly SessionChange[];
  /** How many older changes can no longer be undone: only the last 20 can. */
  readonly dropped: number;
}

/** The last changes of a session, each with the state before it. Saved states and the journal stay as they are. */
export class History {
  /** The newest last. */
  readonly #entries: { readonly change: SessionChange; readonly before: SavedState }[] = [];
  #lastId = 0;
  #dropped = 0;

  /** Runs a change of the world, which is synchronous, and adds it to the history. If it throws, nothing is added. */
  record<Result>(session: Session, what: string, input: object, run: () => Result): Result {
    const before = takeState(session);
    const result = run();
    this.#lastId += 1;
    const at = before.present.scenario.clock.now ?? before.present.scenario.clock.start;
    const change = { id: this.#lastId, what, input: truncate(toJsonText(input)), at };
    this.#entries.push({ change, before });
    if (this.#entries.length > limits.changes) {
      this.#entries.shift();
      this.#dropped += 1;
    }
    return result;
  }

  /** Returns to the state before a change. Default: before the last one. @throws Error if it is not in the history */
  undo(session: Session, to?: number): void {
    const at = to === undefined ? -1 : this.#entries.findIndex(({ change }) => change.id === to);
    const ids = this.#entries.map(({ change }) => change.id).join(', ') || 'none';
    if (at === -1 && (to !== undefined || ids === 'none'))
      throw new Error(
        `Failed to undo${to === undefined ? '' : ` change ${to}`}: no such change. Changes that can be undone: ${ids}. Older ones that were dropped: ${this.#dropped}.`,
      );
    const [entry] = this.#entries.splice(at);
    if (entry === undefined) return;
    const { start, present } = entry.before;
    Object.assign(session, { start, state: createState(present) });
  }

  list(): ChangeHistory {
    return { changes: this.#entries.map(({ change }) => change), dropped: this.#dropped };
  }
}

/** It shares its records with the world, which never changes a record in place. */
const takeState = (session: Session): SavedState => ({ start: session.start, present: exportState(session) });
