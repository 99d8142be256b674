import { Journal, lostJournal, type StoredJournal } from '../../core/journal/journal.ts';
import { JournalMemory } from '../../core/journal/journal-memory.ts';
import { ControlError, GatewayError } from '../../core/protocol/errors.ts';
import { defaultSession } from '../../core/protocol/session-name.ts';
import type { LoadedScenario } from '../../core/scenario/load.ts';
import { limits } from '../../core/util/limits.ts';
import type { Kind } from '../../core/world/kind.ts';
import { createSession, type Session } from './session.ts';
import { toRemovedError } from './session-errors.ts';
import { fromStored, type SessionStore, type StoredSession } from './session-store.ts';
import { WorldEvents } from './world-events.ts';
import { createState } from './world-state.ts';

/** The events that end a session, in words for messages. */
const endings = {
  deleted: 'sessions.delete',
  replaced: 'sessions.create',
  reloaded: 'a reload',
  removed: 'the removal of its session (maxSessions)',
  stored: 'its move to the state directory (maxSessions)',
} as const;

/** How many sessions and requests are kept: options of the gateway. */
interface Sizes {
  readonly maxSessions: number;
  readonly journal: number;
  /** The memory of all journals, in megabytes. */
  readonly journalMemory?: number;
}

/**
 * The sessions of one gateway. Each is created at its first use. Beyond `maxSessions`, the least recently used sessions are
 * removed, but never the default session. Calls to a removed session are refused until `create` creates it again, so that a client
 * never takes a new world for the lost world.
 */
export class Sessions {
  /** The least recently used first. */
  readonly #sessions = new Map<string, Session>();
  readonly #max: number;
  /** How many requests the journal of each session keeps. */
  readonly journalSize: number;
  /** Shared by the journals of all sessions. */
  readonly memory: JournalMemory;
  readonly events = new WorldEvents();
  /** The names of sessions that were removed because there were too many, the oldest first. */
  readonly #removed = new Set<string>();
  #start: LoadedScenario;
  /** How many sessions have started, and how many of these have ended, by what ended them. */
  readonly counts = { started: 0, ended: { deleted: 0, replaced: 0, reloaded: 0, removed: 0, stored: 0 } };
  readonly #store: SessionStore | undefined;

  readonly #kinds: readonly Kind[] | undefined;

  /** @param store keeps the sessions that are not in memory @param kinds the kinds of records of all worlds */
  constructor(
    start: LoadedScenario,
    { maxSessions, journal, journalMemory }: Sizes,
    store?: SessionStore,
    kinds?: readonly Kind[],
  ) {
    this.#start = start;
    this.#kinds = kinds;
    this.#max = maxSessions;
    this.journalSize = journal;
    this.memory = new JournalMemory(journalMemory);
    this.#store = store;
    const error = this.resume(defaultSession);
    if (this.#sessions.has(defaultSession)) return;
    const session = this.#begin(defaultSession, start);
    if (error === undefined) return;
    session.isUnreported = true;
    store?.storeSoon(session); // if this server is killed as well, the next one still reports the loss
  }

  /** The sessions in memory. Reading them does not count as use. */
  get inMemory(): ReadonlyMap<string, Session> {
    return this.#sessions;
  }

  /**
   * The session with this name, and whether it was just created.
   *
   * @throws GatewayError 410 if it was removed
   */
  open(name: string): { readonly session: Session; readonly isNew: boolean } {
    const error = this.resume(name);
    if (error !== undefined) throw error;
    const session = this.#sessions.get(name);
    if (session !== undefined) {
      this.#sessions.delete(name); // moved to the end: it is the most recently used
      this.#sessions.set(name, session);
      return { session, isNew: false };
    }
    this.#makeRoom();
    return { session: this.#begin(name, this.#start), isNew: true };
  }

  /** Creates a session, or starts it again. */
  create(name: string, from: LoadedScenario = this.#start): void {
    const state = createState(from, this.#kinds); // first, since it may fail
    if (!this.#sessions.has(name)) this.#makeRoom();
    this.#end(name, 'replaced');
    this.#store?.remove(name);
    const session = this.#begin(name, from, state);
    this.#store?.storeSoon(session);
    this.events.emit(name, { type: 'world', what: 'made', world: session.worldId });
  }

  /**
   * Continues a session that is only stored. Returns why calls to the session with this name are refused: it was removed because
   * there were too many sessions, or its stored state is lost. Returns undefined if they are not refused.
   */
  resume(name: string): GatewayError | undefined {
    if (this.#sessions.has(name)) return undefined;
    try {
      const stored = this.#store?.read(name);
      if (stored !== undefined) this.#continue(stored);
      else if (this.#removed.has(name)) return toRemovedError(name, this.#max);
      return undefined;
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  }

  delete(name: string): boolean {
    if (name === defaultSession) return false;
    this.#removed.delete(name);
    const isEnded = this.#end(name, 'deleted');
    const isDeleted = this.#store?.remove(name) || isEnded;
    if (isDeleted) this.events.emit(name, { type: 'world', what: 'deleted' });
    return isDeleted;
  }

  #continue(stored: StoredSession): void {
    if (stored.name !== defaultSession) this.#makeRoom();
    this.#add(fromStored(stored, this.#start, this.#kinds), stored.journal ?? lostJournal);
    this.#store?.noteResumed(stored.name);
  }

  /** The names of the sessions: first those that are stored only, then the least recently used. */
  names(): string[] {
    const stored = this.#store?.names().filter((name) => !this.#sessions.has(name)) ?? [];
    return [...stored.sort(), ...this.#sessions.keys()];
  }

  /** Stores a session that a command has changed, and reports the change. */
  noteChange(name: string, what: string): void {
    const session = this.#sessions.get(name);
    if (session !== undefined) this.#store?.storeSoon(session);
    this.events.emit(name, { type: 'change', what });
  }

  /** Stores a session after a call that its faults or quotas have counted. This is not reported as a change. */
  storeSoon(session: Session): void {
    this.#store?.storeSoon(session);
  }

  restart(start: LoadedScenario): void {
    this.#start = start;
    const names = [...this.#sessions.keys()];
    for (const name of names) this.#end(name, 'reloaded');
    this.#store?.clear();
    this.#begin(defaultSession, start);
    for (const name of names) this.events.emit(name, { type: 'world', what: 'reloaded' });
  }

  /**
   * Makes room in memory for a further session: takes out the least recently used sessions. If a session cannot be stored, it
   * stays: a session too many is better than a lost session.
   */
  #makeRoom(): void {
    for (const session of this.#sessions.values()) {
      if (this.#sessions.size < this.#max) return;
      if (session.name === defaultSession) continue;
      if (this.#store === undefined) this.#remove(session.name);
      else if (this.#store.put(session)) this.#end(session.name, 'stored');
      else return;
    }
  }

  /** Removes a session because there were too many. */
  #remove(name: string): void {
    this.#removed.add(name);
    const [oldest] = this.#removed;
    if (oldest !== undefined && this.#removed.size > limits.removedSessions) this.#removed.delete(oldest);
    this.#end(name, 'removed');
    this.events.emit(name, { type: 'world', what: 'removed' });
  }

  /** Ends a session, so that its name is free. Returns false if no session has this name. */
  #end(name: string, how: keyof Sessions['counts']['ended']): boolean {
    const session = this.#sessions.get(name);
    if (session === undefined) return false;
    if (how !== 'stored') this.events.reportRemoved(session, endings[how]);
    const message = `Failed to wait for requests: the session "${name}" was ended by ${endings[how]}.`;
    // A stored session comes back at the next call: a client may wait again.
    session.journal.endWaits(() => (how === 'stored' ? new ControlError(503, message) : new Error(message)));
    this.counts.ended[how] += 1;
    session.journal.clear();
    return this.#sessions.delete(name);
  }

  #begin(name: string, start: LoadedScenario, state = createState(start, this.#kinds)): Session {
    const session = this.#add({ name, start, state });
    this.#store?.noteBegun(session);
    return session;
  }

  /** @param stored the journal of a stored session; undefined for a new session */
  #add(parts: Omit<Parameters<typeof createSession>[0], 'journal'>, stored?: StoredJournal): Session {
    const { name } = parts;
    const journal = new Journal(this.journalSize, this.memory);
    if (stored !== undefined) journal.resume(stored);
    this.events.follow(name, journal);
    const session = createSession({ ...parts, journal });
    this.#removed.delete(name);
    this.#sessions.set(name, session);
    this.counts.started += 1;
    return session;
  }
}
