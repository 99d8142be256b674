import { createFaults, type FaultEnd, type Faults } from '../faults/faults.ts';
import type { EndedFault } from '../faults/unused.ts';
import { type RecordedRequest, toRecordedRequest, toRequestWithoutBodies } from '../journal/entry.ts';
import { Journal } from '../journal/journal.ts';
import { GatewayError } from '../protocol/errors.ts';
import { defaultSession } from '../protocol/session-name.ts';
import { createQuotas, type Quotas } from '../quotas/quotas.ts';
import type { LoadedScenario } from '../scenario/load.ts';
import { kinds, type WholeScenario } from '../scenario/schema.ts';
import type { WorldScenario } from '../world/scenario.ts';
import { createWorld, type World } from '../world/world.ts';
import { createWorldId } from '../world/world-id.ts';

/** A world with what goes wrong in it, and what its policies leave. */
export interface WorldState {
  readonly world: World;
  readonly faults: Faults;
  readonly quotas: Quotas;
}

/** One session: its state, where that starts, and what was asked of it. */
export interface Session {
  readonly name: string;
  /** The identity of its world. It stays through reset, load and restore, which are changes of the same world. */
  readonly worldId: string;
  start: LoadedScenario;
  state: WorldState;
  readonly journal: Journal;
  /** States that were saved, by their names, each with the scenario that it came from. */
  readonly saved: Map<string, { readonly start: LoadedScenario; readonly present: LoadedScenario }>;
}

/** What happens in a world, for those who watch. */
export type WorldEvent =
  | { readonly type: 'request'; readonly request: (bodies?: boolean) => RecordedRequest }
  | { readonly type: 'change'; readonly what: string }
  /** Faults ended with their state, by a method such as `reset`. No client is told: the fixture asks. */
  | { readonly type: 'dropped'; readonly what: string; readonly faults: readonly FaultEnd[] }
  /** The world ended, or another one began: by `sessions.create`, `sessions.delete`, `--watch`, or for lack of room. */
  | { readonly type: 'world'; readonly what: 'made' | 'deleted' | 'reloaded' | 'removed' };

type WorldListener = (session: string, event: WorldEvent) => void;

/** How many sessions a gateway keeps by default. */
export const defaultMaxSessions = 1000;

/**
 * The sessions of one gateway. Each is made at its first use; beyond `max`, the least recently used are removed, but never
 * the default one. The name of a removed session is refused until `create` makes it again, so that no lost world looks
 * like an untouched one.
 */
export class Sessions {
  /** In the order of their last use, the least recently used first. */
  readonly #sessions = new Map<string, Session>();
  /** The last of them: most calls are for the same one as the call before. */
  #newest: Session | undefined;
  readonly #max: number;
  readonly #journalSize: number;
  readonly #listeners = new Set<WorldListener>();
  /** Of sessions that ended while somebody waits for their requests: there may be one of that name again. */
  readonly #awaited = new Map<string, Journal>();
  /** The names of those that were removed for lack of room, the oldest first. */
  readonly #removed = new Set<string>();
  readonly #maxRemoved: number;
  #start: LoadedScenario;

  /** @param maxRemoved how many names of removed sessions are remembered: then the oldest are forgotten */
  constructor(start: LoadedScenario, max: number, journalSize: number, maxRemoved = 100_000) {
    this.#start = start;
    this.#max = max;
    this.#journalSize = journalSize;
    this.#maxRemoved = maxRemoved;
    this.#add(defaultSession, start);
  }

  /** The session of this name, and whether it was made just now. @throws GatewayError 410 where it was removed */
  open(name: string): { readonly session: Session; readonly isNew: boolean } {
    const session = this.#sessions.get(name);
    if (session === undefined) {
      const refusal = this.refusalOf(name);
      if (refusal !== undefined) throw refusal;
      return { session: this.#add(name, this.#start), isNew: true };
    }
    if (session !== this.#newest) {
      this.#sessions.delete(name);
      this.#sessions.set(name, session);
      this.#newest = session;
    }
    return { session, isNew: false };
  }

  /** Makes a session anew. */
  create(name: string, from: LoadedScenario = this.#start): void {
    const state = createState(from); // first, since it may fail
    this.#removed.delete(name);
    this.#end(name, 'sessions.create');
    this.#add(name, from, state);
    this.emit(name, { type: 'world', what: 'made' });
  }

  has(name: string): boolean {
    return this.#sessions.has(name);
  }

  /** The identity of a session's world; undefined if there is none now. It does not count as a use of the session. */
  worldOf(name: string): string | undefined {
    return this.#sessions.get(name)?.worldId;
  }

  /** The refusal of calls that name this session, if it was removed for lack of room and not made again. */
  refusalOf(name: string): GatewayError | undefined {
    return this.#removed.has(name) ? describeRemoved(name, this.#max) : undefined;
  }

  delete(name: string): boolean {
    this.#removed.delete(name);
    const isDeleted = name !== defaultSession && this.#end(name, 'sessions.delete');
    if (isDeleted) this.emit(name, { type: 'world', what: 'deleted' });
    return isDeleted;
  }

  names(): string[] {
    return [...this.#sessions.keys()];
  }

  /** Subscribes to the events of all worlds. Returns a function that unsubscribes. */
  subscribe(listener: WorldListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells those who watch. */
  emit(session: string, event: WorldEvent): void {
    for (const listener of this.#listeners) listener(session, event);
  }

  /** What has become so far of the faults of all sessions. */
  faultsNow(): EndedFault[] {
    return [...this.#sessions.values()].flatMap(({ name, state }) =>
      state.faults.ends().map((fault) => ({ ...fault, session: name })),
    );
  }

  /** Tells of the faults of a state that is about to end. */
  reportDropped({ name, state }: Session, what: string): void {
    if (this.#listeners.size === 0) return;
    const faults = state.faults.ends();
    if (faults.length > 0) this.emit(name, { type: 'dropped', what, faults });
  }

  /** Starts everything anew from another scenario. */
  restart(start: LoadedScenario): void {
    this.#start = start;
    const names = this.names();
    for (const name of names) this.#end(name, 'a reload');
    this.#add(defaultSession, start);
    for (const name of names) this.emit(name, { type: 'world', what: 'reloaded' });
  }

  #createJournal(name: string): Journal {
    const journal = new Journal(this.#journalSize);
    journal.subscribe((entry) => {
      if (this.#listeners.size === 0) return;
      this.emit(name, {
        type: 'request',
        request: (bodies = true) => (bodies ? toRecordedRequest : toRequestWithoutBodies)(entry),
      });
    });
    return journal;
  }

  /** Takes out a session for which there is no room. Waits for its requests fail, since none will come. */
  #remove(name: string): void {
    this.#removed.add(name);
    for (const oldest of this.#removed) {
      if (this.#removed.size <= this.#maxRemoved) break;
      this.#removed.delete(oldest);
    }
    this.#sessions.get(name)?.journal.endWaits(describeRemoved(name, this.#max));
    this.#end(name, 'a lack of room for its session');
    this.emit(name, { type: 'world', what: 'removed' });
  }

  /** Takes a session out: there may be one of that name again. False where there is none. */
  #end(name: string, what: string): boolean {
    const session = this.#sessions.get(name);
    if (session === undefined) return false;
    this.reportDropped(session, what);
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
    this.#newest = session;
    for (const idle of this.#sessions.keys()) {
      if (this.#sessions.size <= this.#max) break;
      if (idle !== defaultSession && idle !== name) this.#remove(idle);
    }
    return session;
  }
}

const describeRemoved = (name: string, max: number): GatewayError =>
  new GatewayError('session-removed', {
    status: 410,
    message: `The session "${name}" was removed for lack of room: ${max} sessions are kept, and it was the least recently used. Its records, faults, clock and journal are lost. Make it again with sessions.create("${name}"), over HTTP by PUT /__admin/sessions/${name}. To keep more sessions, set maxSessions (--max-sessions on the command line).`,
    param: 'x-mock-session',
  });

/** A state of its own, at the start of a scenario. */
export const createState = ({ whole }: LoadedScenario): WorldState => {
  const world = createWorld(kinds, whole);
  return {
    world,
    faults: createFaults(whole.faults, world),
    quotas: createQuotas(whole.quotas, world),
  };
};

/** The present state as a scenario: one that begins from it answers the same bytes. */
export const presentOf = ({ start, state }: Pick<Session, 'start' | 'state'>): LoadedScenario => ({
  name: start.name,
  whole: withFaultsAndQuotas(state, state.world.toScenario()),
});

/** The same in the one form that two situations can be compared by. */
export const longPresentOf = (state: WorldState): WholeScenario =>
  withFaultsAndQuotas(state, state.world.toLongScenario());

/** The world's scenario is the whole one that it began from, with what was written since. */
const withFaultsAndQuotas = ({ faults, quotas }: WorldState, written: WorldScenario): WholeScenario =>
  ({ ...written, faults: faults.toScenario(), quotas: quotas.toScenario() }) as WholeScenario;
