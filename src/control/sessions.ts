import type { EndedFault } from '../faults/unused.ts';
import { Journal, type StoredJournal } from '../journal/journal.ts';
import { JournalMemory } from '../journal/journal-memory.ts';
import { GatewayError } from '../protocol/errors.ts';
import { defaultSession } from '../protocol/session-name.ts';
import type { LoadedScenario } from '../scenario/load.ts';
import { noteOrigin } from '../world/base.ts';
import { createWorldId } from '../world/world-id.ts';
import type { Session } from './session.ts';
import { describeFull, describeRemoved } from './session-refusals.ts';
import { type SessionStore, type StoredSession, shareParts } from './session-store.ts';
import { SessionUses } from './session-uses.ts';
import { WorldEvents } from './world-events.ts';
import { createState, type WorldState } from './world-state.ts';
import { checkWritten, measureWritten, sizeOfJson } from './written.ts';

/** What ends a session, as the reports of its faults name it. */
const endings = {
  deleted: 'sessions.delete',
  replaced: 'sessions.create',
  reloaded: 'a reload',
  removed: 'the removal of its session (maxSessions)',
};

/** How many sessions a gateway keeps by default. */
export const defaultMaxSessions = 1000;

/**
 * The sessions of one gateway. Each is created at its first use. Beyond `max`, the least recently used are removed, but never
 * the default one or one that is in use. Calls to a removed session are refused until `create` makes it again, so that a lost world never looks
 * like an untouched one.
 */
export class Sessions {
  /** The least recently used first. */
  readonly #sessions = new Map<string, Session>();
  /** The most recently used: most calls are to the same session as the call before. */
  #newest: Session | undefined;
  readonly #max: number;
  readonly #journalSize: number;
  /** Shared by the journals of all sessions. */
  readonly memory: JournalMemory;
  readonly #uses = new SessionUses();
  readonly events = new WorldEvents();
  /** The journals of ended sessions that are still waited on: a session of that name may be created again. */
  readonly #awaited = new Map<string, Journal>();
  /** The names of sessions that were removed because there were too many, the oldest first. */
  readonly #removed = new Set<string>();
  readonly #maxRemoved: number;
  #start: LoadedScenario;
  /** How many sessions have started, and how many of these have ended, by what ended them. */
  readonly counts = { started: 0, ended: { deleted: 0, replaced: 0, reloaded: 0, removed: 0, handedOn: 0 } };
  readonly #store: SessionStore | undefined;

  /**
   * @param maxRemoved how many names of removed sessions are remembered; the oldest are forgotten first
   * @param store holds all sessions but the default one: each server has one of its own
   */
  constructor(
    start: LoadedScenario,
    max: number,
    journalSize: number,
    memory = new JournalMemory(),
    maxRemoved = 100_000,
    store?: SessionStore,
  ) {
    this.#start = start;
    this.#max = max;
    this.#journalSize = journalSize;
    this.memory = memory;
    this.#maxRemoved = maxRemoved;
    this.#store = store;
    this.#add(defaultSession, start);
  }

  /**
   * The session with this name, and whether it was just created.
   *
   * @param mayBegin decides by the state of a new session whether to keep it. Otherwise it serves one call, and has no world id
   * @throws GatewayError 410 if it was removed, or 503 if there is no room for a new one
   */
  open(
    name: string,
    mayBegin?: (state: WorldState) => boolean,
  ): { readonly session: Session; readonly isNew: boolean } {
    const refusal = this.resumeStored(name);
    if (refusal !== undefined) throw refusal;
    const session = this.#sessions.get(name);
    if (session === undefined) {
      const start = this.#start;
      const state = createState(start);
      if (mayBegin === undefined || mayBegin(state)) {
        this.#holdNew(name);
        return { session: this.#add(name, start, state), isNew: true };
      }
      const journal = new Journal(0);
      const session = {
        name,
        worldId: '',
        start,
        startSize: 0,
        written: 0,
        state,
        journal,
        saved: new Map(),
      };
      return { session, isNew: false };
    }
    if (session !== this.#newest) {
      this.#sessions.delete(name);
      this.#sessions.set(name, session);
      this.#newest = session;
    }
    return { session, isNew: false };
  }

  /**
   * Creates a session, or starts it again.
   *
   * @param size the size of the scenario, in bytes of JSON; 0 if it is one of the server's
   * @throws GatewayError 503 if there is no room for a new one; ControlError 429 if the scenario is too large
   */
  create(name: string, from: LoadedScenario = this.#start, size = 0): void {
    checkWritten(0, size, `create the session "${name}"`);
    const state = createState(from); // first, since it may fail
    if (!this.has(name)) this.#holdNew(name, true);
    this.#removed.delete(name);
    this.#end(name, 'replaced');
    const { worldId } = this.#add(name, from, state, size);
    this.events.emit(name, { type: 'world', what: 'made', world: worldId });
  }

  /**
   * Keeps a session from being removed for another one: while it is in use, it must not be lost. Returns a function that ends
   * the use.
   *
   * @param longest how long the use may last, in real milliseconds, in case nobody ends it. Default: any time
   */
  hold(name: string, longest = Number.POSITIVE_INFINITY): () => void {
    return this.#uses.add(name, longest);
  }

  has(name: string): boolean {
    return this.#sessions.has(name);
  }

  /** The identity of a session's world; undefined if there is none now. It does not count as a use of the session. */
  worldOf(name: string): string | undefined {
    return this.#sessions.get(name)?.worldId;
  }

  /**
   * Takes a session out of the store if it is there. Returns the refusal of calls to it if there can be none: it was removed
   * because there were too many and not made again, or it is lost or held by another server.
   */
  resumeStored(name: string): GatewayError | undefined {
    if (this.#sessions.has(name)) return undefined;
    try {
      const stored = this.#store?.take(name);
      if (stored !== undefined) this.resume(stored);
      else if (this.#removed.has(name)) return describeRemoved(name, this.#max);
      return undefined;
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  }

  /** @throws GatewayError 503 if another server holds it */
  delete(name: string): boolean {
    if (name === defaultSession) return false;
    const wasStored = !this.has(name) && this.#store?.hold(name, true) === true;
    this.#removed.delete(name);
    const isDeleted = this.#end(name, 'deleted') || wasStored;
    this.#store?.release(name);
    if (isDeleted) this.events.emit(name, { type: 'world', what: 'deleted' });
    return isDeleted;
  }

  /** Goes on with a session that was stored. */
  resume(stored: StoredSession): void {
    const { name, worldId, saved, faults } = stored;
    const start = shareParts(stored.start, this.#start);
    const present = shareParts(stored.present, start);
    if (present !== start) noteOrigin(present.whole, start.whole);
    const state = createState(present, faults);
    if (!this.has(name)) this.#makeRoom(); // without room there is one too many, which is better than to lose it
    const journal = this.#awaited.get(name) ?? this.#createJournal(name, stored.journal);
    this.#awaited.delete(name);
    this.#removed.delete(name);
    const startSize = start === this.#start ? 0 : sizeOfJson(start.whole);
    const session: Session = {
      name,
      worldId,
      start,
      startSize,
      written: 0,
      state,
      journal,
      saved: new Map(saved),
    };
    session.written = measureWritten(session);
    this.#newest = session;
    this.#sessions.set(name, session);
    for (const one of session.saved.values()) noteOrigin(one.present.whole, one.start.whole);
    this.counts.started += 1;
  }

  /** A session, if there is one now. It does not count as a use of the session. */
  get(name: string): Session | undefined {
    return this.#sessions.get(name);
  }

  /** Whether a reply of a session is under way, or a wait for its requests. Event streams do not count. */
  isBusy(name: string): boolean {
    return this.#uses.hasEnding(name);
  }

  /** Ends a session here, since it goes on elsewhere. */
  handOn(name: string): void {
    if (this.#end(name, 'handedOn')) this.events.emit(name, { type: 'world', what: 'removed' });
  }

  names(): string[] {
    return [...this.#sessions.keys()];
  }

  /** How many sessions there are. */
  get size(): number {
    return this.#sessions.size;
  }

  /** The memory that all journals take, in bytes. */
  get journalBytes(): number {
    return this.memory.used;
  }

  /** Reports that a command changed a world. */
  noteChange(name: string, what: string): void {
    this.events.emit(name, { type: 'change', what });
  }

  /** The faults of all sessions, with how each has been used so far. */
  faultsNow(): EndedFault[] {
    return [...this.#sessions.values()].flatMap(({ name, state }) =>
      state.faults.ends().map((fault) => ({ ...fault, session: name })),
    );
  }

  /** Restarts all sessions from another scenario. */
  restart(start: LoadedScenario): void {
    this.#start = start;
    const names = this.names();
    for (const name of names) {
      this.#end(name, 'reloaded');
      if (name !== defaultSession) this.#store?.release(name);
    }
    this.#add(defaultSession, start);
    for (const name of names) this.events.emit(name, { type: 'world', what: 'reloaded' });
  }

  /** Ends all pending waits, of all sessions. */
  endWaits(reason: Error): void {
    for (const { journal } of this.#sessions.values()) journal.endWaits(reason);
    for (const journal of this.#awaited.values()) journal.endWaits(reason);
  }

  #createJournal(name: string, stored?: StoredJournal): Journal {
    const journal = new Journal(this.#journalSize, this.memory);
    if (stored !== undefined) journal.resume(stored);
    this.events.follow(name, journal);
    return journal;
  }

  /** Makes room for a session that begins, and holds it in the store. @throws GatewayError 503 */
  #holdNew(name: string, isAnew = false): void {
    this.#store?.hold(name, isAnew);
    if (this.#makeRoom()) return;
    this.#store?.release(name);
    throw describeFull(this.#max);
  }

  /** Removes the least recently used session if there are too many for another one. False if all of them are in use. */
  #makeRoom(): boolean {
    if (this.#sessions.size < Math.max(this.#max, 2)) return true;
    for (const name of this.#sessions.keys()) {
      if (name === defaultSession || this.#uses.has(name)) continue;
      this.#remove(name);
      return true;
    }
    return false;
  }

  /** Removes a session because there were too many. */
  #remove(name: string): void {
    this.#removed.add(name);
    for (const oldest of this.#removed) {
      if (this.#removed.size <= this.#maxRemoved) break;
      this.#removed.delete(oldest);
    }
    this.#end(name, 'removed');
    this.#store?.release(name);
    this.events.emit(name, { type: 'world', what: 'removed' });
  }

  /** Ends a session; another one may get its name. False if there is none. */
  #end(name: string, how: keyof Sessions['counts']['ended']): boolean {
    const session = this.#sessions.get(name);
    if (session === undefined) return false;
    if (how !== 'handedOn') this.events.reportDropped(session, endings[how]);
    this.counts.ended[how] += 1;
    const { journal } = session;
    journal.clear();
    for (const [other, { listeners }] of this.#awaited) if (listeners === 1) this.#awaited.delete(other);
    if (journal.listeners > 1) this.#awaited.set(name, journal); // the one is our own
    return this.#sessions.delete(name);
  }

  #add(name: string, start: LoadedScenario, state = createState(start), startSize = 0): Session {
    const journal = this.#awaited.get(name) ?? this.#createJournal(name);
    this.#awaited.delete(name);
    const worldId = createWorldId();
    const session = { name, worldId, start, startSize, written: startSize, state, journal, saved: new Map() };
    this.#sessions.set(name, session);
    this.counts.started += 1;
    this.#newest = session;
    return session;
  }
}
