import { createFaults, type Faults } from '../faults/faults.ts';
import {
  type RecordedRequest,
  type Trace,
  toRecordedRequest,
  toRequestWithoutBodies,
} from '../journal/entry.ts';
import { Journal } from '../journal/journal.ts';
import type { AssumptionId } from '../protocol/assumptions.ts';
import { defaultSession } from '../protocol/session-name.ts';
import { createQuotas, type Quotas } from '../quotas/quotas.ts';
import type { LoadedScenario } from '../scenario/load.ts';
import { kinds, type WholeScenario } from '../scenario/schema.ts';
import { Memo } from '../world/memo.ts';
import type { WorldScenario } from '../world/scenario.ts';
import { createWorld, type World } from '../world/world.ts';

/** A world with what goes wrong in it, and what its policies leave. */
export interface Situation {
  readonly world: World;
  readonly faults: Faults;
  readonly quotas: Quotas;
  /** Answers that were given, by what was asked. */
  readonly memo: Memo<KeptAnswer>;
}

/** An answer of an operation that is kept, with what is noted beside it. */
export interface KeptAnswer {
  readonly body: string;
  readonly bytes: Uint8Array;
  readonly page: Trace['page'];
  readonly marks: readonly AssumptionId[];
}

/** What the kept answers of one world may take, in bytes: some twenty pages. */
const maxKept = 500_000;

/** One session: its situation, where that starts, and what was asked of it. */
export interface Session {
  readonly name: string;
  start: LoadedScenario;
  situation: Situation;
  readonly journal: Journal;
  /** States that were saved, by their names, each with the scenario that it came from. */
  readonly saved: Map<string, { readonly start: LoadedScenario; readonly present: LoadedScenario }>;
}

/** What happens in a world, for those who watch. */
export type WorldEvent =
  | { readonly type: 'request'; readonly request: (bodies?: boolean) => RecordedRequest }
  | { readonly type: 'change'; readonly what: string };

type WorldListener = (session: string, event: WorldEvent) => void;

/**
 * The sessions of one gateway. Each is made at its first use; beyond `max`, the least recently used are removed, but never the default one.
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
  #start: LoadedScenario;

  constructor(start: LoadedScenario, max: number, journalSize: number) {
    this.#start = start;
    this.#max = max;
    this.#journalSize = journalSize;
    this.#add(defaultSession, start);
  }

  /** The session of this name, and whether it was made just now. */
  open(name: string): { readonly session: Session; readonly isNew: boolean } {
    const session = this.#sessions.get(name);
    if (session === undefined) return { session: this.#add(name, this.#start), isNew: true };
    if (session !== this.#newest) {
      this.#sessions.delete(name);
      this.#sessions.set(name, session);
      this.#newest = session;
    }
    return { session, isNew: false };
  }

  /** Makes a session anew. */
  create(name: string, from: LoadedScenario = this.#start): void {
    this.#end(name);
    this.#add(name, from);
  }

  has(name: string): boolean {
    return this.#sessions.has(name);
  }

  delete(name: string): boolean {
    return name !== defaultSession && this.#end(name);
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

  /** Starts everything anew from another scenario. */
  restart(start: LoadedScenario): void {
    this.#start = start;
    for (const name of this.names()) this.#end(name);
    this.#add(defaultSession, start);
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

  /** Takes a session out, and tells those who watch it: there may be one of that name again. False where there is none. */
  #end(name: string): boolean {
    const journal = this.#sessions.get(name)?.journal;
    if (journal === undefined) return false;
    this.emit(name, { type: 'change', what: 'sessions.delete' });
    journal.clear();
    for (const [other, { listeners }] of this.#awaited) if (listeners === 1) this.#awaited.delete(other);
    if (journal.listeners > 1) this.#awaited.set(name, journal); // the one is our own
    return this.#sessions.delete(name);
  }

  #add(name: string, start: LoadedScenario): Session {
    const journal = this.#awaited.get(name) ?? this.#createJournal(name);
    this.#awaited.delete(name);
    const session = { name, start, situation: beginFrom(start), journal, saved: new Map() };
    this.#sessions.set(name, session);
    this.#newest = session;
    for (const idle of this.#sessions.keys()) {
      if (this.#sessions.size <= this.#max) break;
      if (idle !== defaultSession && idle !== name) this.#end(idle);
    }
    return session;
  }
}

/** A situation of its own, at the start of a scenario. */
export const beginFrom = ({ whole }: LoadedScenario): Situation => {
  const world = createWorld(kinds, whole);
  return {
    world,
    faults: createFaults(whole.faults, world),
    quotas: createQuotas(whole.quotas, world),
    memo: new Memo(world, maxKept, ({ bytes }) => bytes.byteLength),
  };
};

/** The present situation as a scenario: one that begins from it answers the same bytes. */
export const presentOf = ({ start, situation }: Pick<Session, 'start' | 'situation'>): LoadedScenario => ({
  name: start.name,
  whole: withTroubles(situation, situation.world.toScenario()),
});

/** The same in the one form that two situations can be compared by. */
export const longPresentOf = (situation: Situation): WholeScenario =>
  withTroubles(situation, situation.world.toLongScenario());

/** The world's scenario is the whole one that it began from, with what was written since. */
const withTroubles = ({ faults, quotas }: Situation, written: WorldScenario): WholeScenario =>
  ({ ...written, faults: faults.toScenario(), quotas: quotas.toScenario() }) as WholeScenario;
