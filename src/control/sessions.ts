import type { FaultEnd } from '../faults/faults.ts';
import type { EndedFault } from '../faults/unused.ts';
import { type RecordedRequest, toRecordedRequest, toRequestWithoutBodies } from '../journal/entry.ts';
import { Journal, type StoredJournal } from '../journal/journal.ts';
import { JournalMemory } from '../journal/journal-memory.ts';
import { GatewayError } from '../protocol/errors.ts';
import { defaultSession } from '../protocol/session-name.ts';
import type { LoadedScenario } from '../scenario/load.ts';
import { toJsonText } from '../util/json.ts';
import { createWorldId } from '../world/world-id.ts';
import { describeFull, describeRemoved } from './session-refusals.ts';
import { type SessionStore, type StoredSession, shareParts, toStoredSession } from './session-store.ts';
import { SessionUses } from './session-uses.ts';
import { createState, exportState, type WorldState } from './world-state.ts';

/** One session: its state, the scenario that it started from, and its journal. */
export interface Session {
  readonly name: string;
  /** The identity of its world. `reset`, `load` and `restore` keep it, since they change the same world. Empty if the session is not kept. */
  readonly worldId: string;
  start: LoadedScenario;
  state: WorldState;
  readonly journal: Journal;
  /** Saved states by name. */
  readonly saved: Map<string, SavedState>;
}

/** A saved state, with the scenario that it started from. */
export interface SavedState {
  readonly start: LoadedScenario;
  readonly present: LoadedScenario;
  /** The length of both as JSON. */
  readonly size: number;
}

/** An event of a world, for subscribers. */
export type WorldEvent =
  | { readonly type: 'request'; readonly request: (bodies?: boolean) => RecordedRequest }
  | { readonly type: 'change'; readonly what: string }
  /** A method such as `reset` dropped the faults. Clients do not get this event; the Vitest fixture uses it. */
  | { readonly type: 'dropped'; readonly what: string; readonly faults: readonly FaultEnd[] }
  /** The world ended, or was replaced: by `sessions.create`, `sessions.delete`, `--watch`, or because there were too many. */
  | { readonly type: 'world'; readonly what: 'made' | 'deleted' | 'reloaded' | 'removed' };

type WorldListener = (session: string, event: WorldEvent) => void;

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
  readonly #listeners = new Set<WorldListener>();
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
    const refusal = this.refusalOf(name); // it takes a stored session out of the store
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
      return { session: { name, worldId: '', start, state, journal, saved: new Map() }, isNew: false };
    }
    if (session !== this.#newest) {
      this.#sessions.delete(name);
      this.#sessions.set(name, session);
      this.#newest = session;
    }
    return { session, isNew: false };
  }

  /** Creates a session, or starts it again. @throws GatewayError 503 if there is no room for a new one */
  create(name: string, from: LoadedScenario = this.#start): void {
    const state = createState(from); // first, since it may fail
    if (!this.has(name)) this.#holdNew(name, true);
    this.#removed.delete(name);
    this.#end(name, 'replaced');
    this.#add(name, from, state);
    this.emit(name, { type: 'world', what: 'made' });
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

  /** The total size of all saved states. */
  savedSize(): number {
    let size = 0;
    for (const { saved } of this.#sessions.values()) for (const state of saved.values()) size += state.size;
    return size;
  }

  has(name: string): boolean {
    return this.#sessions.has(name);
  }

  /** The identity of a session's world; undefined if there is none now. It does not count as a use of the session. */
  worldOf(name: string): string | undefined {
    return this.#sessions.get(name)?.worldId;
  }

  /**
   * The refusal of calls that name this session: it was removed because there were too many and not made again, or it is lost
   * or held by another server. A session in the store is taken out of it.
   */
  refusalOf(name: string): GatewayError | undefined {
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
    if (isDeleted) this.emit(name, { type: 'world', what: 'deleted' });
    return isDeleted;
  }

  /** Goes on with a session that was stored. */
  resume(stored: StoredSession): void {
    const { name, worldId, saved, faults } = stored;
    const start = shareParts(stored.start, this.#start);
    const state = createState(shareParts(stored.present, start), faults);
    if (!this.has(name)) this.#makeRoom(); // without room there is one too many, which is better than to lose it
    const journal = this.#awaited.get(name) ?? this.#createJournal(name, stored.journal);
    this.#awaited.delete(name);
    this.#removed.delete(name);
    this.#newest = { name, worldId, start, state, journal, saved: new Map(saved) };
    this.#sessions.set(name, this.#newest);
    this.counts.started += 1;
  }

  /** A session as it is now, to be stored. It stays until it is handed on. */
  toStored(name: string): StoredSession | undefined {
    const session = this.#sessions.get(name);
    return session && toStoredSession(session);
  }

  /** Whether nobody has done anything in a session. */
  isUntouched(name: string): boolean {
    const session = this.#sessions.get(name);
    if (session === undefined) return true;
    const { start, saved, journal } = session;
    const present = exportState(session);
    const before = exportState({ start, state: createState(start) });
    return saved.size + journal.list().length === 0 && toJsonText(present) === toJsonText(before);
  }

  /** Whether a reply of a session is under way, or a wait for its requests. Event streams do not count. */
  isBusy(name: string): boolean {
    return this.#uses.hasEnding(name);
  }

  /** Ends a session here, since it goes on elsewhere. */
  handOn(name: string): void {
    if (this.#end(name, 'handedOn')) this.emit(name, { type: 'world', what: 'removed' });
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

  /** Subscribes to the events of all worlds. Returns a function that unsubscribes. */
  subscribe(listener: WorldListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notifies the subscribers. */
  emit(session: string, event: WorldEvent): void {
    for (const listener of this.#listeners) listener(session, event);
  }

  /** The faults of all sessions, with how each has been used so far. */
  faultsNow(): EndedFault[] {
    return [...this.#sessions.values()].flatMap(({ name, state }) =>
      state.faults.ends().map((fault) => ({ ...fault, session: name })),
    );
  }

  /** Reports the faults of a state that is about to end. */
  reportDropped({ name, state }: Session, what: string): void {
    if (this.#listeners.size === 0) return;
    const faults = state.faults.ends();
    if (faults.length > 0) this.emit(name, { type: 'dropped', what, faults });
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
    for (const name of names) this.emit(name, { type: 'world', what: 'reloaded' });
  }

  /** Ends all pending waits, of all sessions. */
  endWaits(reason: Error): void {
    for (const { journal } of this.#sessions.values()) journal.endWaits(reason);
    for (const journal of this.#awaited.values()) journal.endWaits(reason);
  }

  #createJournal(name: string, stored?: StoredJournal): Journal {
    const journal = new Journal(this.#journalSize, this.memory);
    if (stored !== undefined) journal.resume(stored);
    journal.subscribe((entry) => {
      if (this.#listeners.size === 0) return;
      this.emit(name, {
        type: 'request',
        request: (bodies = true) => (bodies ? toRecordedRequest : toRequestWithoutBodies)(entry),
      });
    });
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
    this.emit(name, { type: 'world', what: 'removed' });
  }

  /** Ends a session; another one may get its name. False if there is none. */
  #end(name: string, how: keyof Sessions['counts']['ended']): boolean {
    const session = this.#sessions.get(name);
    if (session === undefined) return false;
    if (how !== 'handedOn') this.reportDropped(session, endings[how]);
    this.counts.ended[how] += 1;
    const { journal } = session;
    journal.clear();
    for (const [other, { listeners }] of this.#awaited) if (listeners === 1) this.#awaited.delete(other);
    if (journal.listeners > 1) this.#awaited.set(name, journal); // the one is our own
    return this.#sessions.delete(name);
  }

  #add(name: string, start: LoadedScenario, state = createState(start)): Session {
    const journal = this.#awaited.get(name) ?? this.#createJournal(name);
    this.#awaited.delete(name);
    const session = { name, worldId: createWorldId(), start, state, journal, saved: new Map() };
    this.#sessions.set(name, session);
    this.counts.started += 1;
    this.#newest = session;
    return session;
  }
}
