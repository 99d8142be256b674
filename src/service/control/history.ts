import type { Faults } from '../../core/faults/faults.ts';
import type { Quotas } from '../../core/quotas/quotas.ts';
import { toJsonText } from '../../core/util/json.ts';
import { limits } from '../../core/util/limits.ts';
import { truncate } from '../../core/util/truncate.ts';
import { toDateTime } from '../../core/world/clock.ts';
import type { WorldBefore } from '../../core/world/world.ts';
import type { Session } from './session.ts';

/** One change of a session's world: a call of a command. */
export interface SessionChange {
  /** Its number. It rises within the session, and is never used again. */
  readonly id: number;
  /** The command: `clock.advance`; of several that are one change, the first. */
  readonly what: string;
  /** The input of the command as JSON, cut after 200 characters. */
  readonly input: string;
  /** The time of the world before it, as a date-time in UTC. */
  readonly at: string;
}

/** The changes that can be undone, and how many cannot. */
export interface ChangeHistory {
  /** What `state.undo` undoes, the oldest first. */
  readonly changes: readonly SessionChange[];
  /** How many older changes can no longer be undone. Only the last 20 changes (`limits.changes`) since the session came into memory can. */
  readonly dropped: number;
}

/** A change, with the state before it. If the change replaced the state of the world, `state` is the old one. */
interface UndoEntry extends Pick<Session, 'start' | 'state'> {
  readonly change: SessionChange;
  before: WorldBefore;
  readonly group: symbol | undefined;
  readonly faults: ReturnType<Faults['snapshot']>;
  readonly quotas: ReturnType<Quotas['snapshot']>;
}

/** A history as it is stored: its changes cannot be undone later. */
export interface StoredHistory extends Pick<ChangeHistory, 'dropped'> {
  /** The number of the last change. */
  readonly lastId: number;
}

/**
 * The last changes of a session, each with the state before it. Undoing them does not touch saved states, the journal, or what
 * calls have counted: the number of requests, the counts of faults, and used quotas. If a change replaced the state, the counts
 * of faults and quotas are those of the former state.
 */
export class History {
  /** The changes that can be undone, the newest last. */
  readonly #entries: UndoEntry[] = [];
  #lastId: number;
  #dropped: number;

  constructor({ lastId, dropped }: StoredHistory = { lastId: 0, dropped: 0 }) {
    this.#lastId = lastId;
    this.#dropped = dropped;
  }

  /**
   * Runs a change of the world, which is synchronous, and adds it to the history. If it throws, nothing is added.
   *
   * @param group successive changes of one group are one change
   */
  track<Result>(session: Session, what: string, input: object, change: () => Result, group?: symbol): Result {
    const { start, state } = session;
    const last = this.#entries.at(-1);
    const earlier = group !== undefined && last?.group === group ? last : undefined;
    const { clock } = state.world;
    const [now, speed] = [clock.now(), clock.speed()];
    const [faults, quotas] = [state.faults.snapshot(), state.quotas.snapshot()];
    const { result, before: worldBefore } = state.world.runChange(change, earlier?.before);
    if (earlier !== undefined) {
      earlier.before = worldBefore;
      return result;
    }
    // Undoing also sets the clock of a replaced state, which has run on since, to the time at which it was left.
    const before = session.state === state ? worldBefore : { ...worldBefore, clock: { now, speed } };
    this.#lastId += 1;
    const sessionChange = { id: this.#lastId, what, input: truncate(toJsonText(input)), at: toDateTime(now) };
    this.#entries.push({ change: sessionChange, group, start, state, before, faults, quotas });
    if (this.#entries.length > limits.changes) {
      this.#entries.shift();
      this.#dropped += 1;
    }
    return result;
  }

  /** Returns to the state before a change. Default: before the last change. @throws Error if it is not in the history */
  undo(session: Session, to?: number): void {
    const at = to === undefined ? -1 : this.#entries.findIndex(({ change }) => change.id === to);
    const ids = this.#entries.map(({ change }) => change.id).join(', ') || 'none';
    if (at === -1 && (to !== undefined || ids === 'none'))
      throw new Error(
        `Failed to undo${to === undefined ? '' : ` change ${to}`}: no such change. Changes that can be undone: ${ids}. Older changes that were dropped: ${this.#dropped}.`,
      );
    const { requests } = session.state.world;
    for (const { start, state, before, faults, quotas } of this.#entries.splice(at).reverse()) {
      Object.assign(session, { start, state });
      state.world.restore(before);
      state.faults.restore(faults);
      state.quotas.restore(quotas);
      state.world.requests = Math.max(state.world.requests, requests); // no id is used twice
    }
  }

  toStored(): StoredHistory {
    return { lastId: this.#lastId, dropped: this.#dropped + this.#entries.length };
  }

  list(): ChangeHistory {
    return { changes: this.#entries.map(({ change }) => change), dropped: this.#dropped };
  }
}
