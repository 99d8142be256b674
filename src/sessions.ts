import type { LoadedScenario } from './scenario/load.ts';
import { kinds } from './scenario/schema.ts';
import { createWorld, type World } from './world/world.ts';

/** The session of calls that name none. */
export const defaultSession = 'default';

/** What a session's name may look like. */
export const isSessionName = (name: string): boolean => /^(?!\.\.?$)[A-Za-z0-9._-]{1,64}$/.test(name);

/** What {@link isSessionName} asks for, in words. */
export const sessionNameRule =
  'a name has 1 to 64 letters, digits, dots, dashes or underscores, and is not . or ..';

/** One session: its world, and where that starts. */
export interface Session {
  readonly name: string;
  start: LoadedScenario;
  world: World;
  /** States that were saved, by their names, each with the scenario that it came from. */
  readonly saved: Map<string, { readonly start: LoadedScenario; readonly present: LoadedScenario }>;
}

/**
 * The sessions of one gateway. Each is made at its first use; beyond `max` the longest idle go, but for the default one.
 */
export class Sessions {
  /** In the order of their last use, the longest idle first. */
  readonly #sessions = new Map<string, Session>();
  readonly #max: number;
  #start: LoadedScenario;

  constructor(start: LoadedScenario, max: number) {
    this.#start = start;
    this.#max = max;
    this.#add(defaultSession, start);
  }

  /** The session of this name, and whether it was made just now. */
  open(name: string): { readonly session: Session; readonly isNew: boolean } {
    const session = this.#sessions.get(name);
    if (session === undefined) return { session: this.#add(name, this.#start), isNew: true };
    this.#sessions.delete(name);
    this.#sessions.set(name, session);
    return { session, isNew: false };
  }

  /** Makes a session anew. */
  create(name: string, from: LoadedScenario = this.#start): Session {
    this.#sessions.delete(name);
    return this.#add(name, from);
  }

  has(name: string): boolean {
    return this.#sessions.has(name);
  }

  delete(name: string): boolean {
    return name !== defaultSession && this.#sessions.delete(name);
  }

  names(): string[] {
    return [...this.#sessions.keys()];
  }

  /** Starts everything anew from another scenario. */
  restart(start: LoadedScenario): void {
    this.#start = start;
    this.#sessions.clear();
    this.#add(defaultSession, start);
  }

  #add(name: string, start: LoadedScenario): Session {
    const session = { name, start, world: worldOf(start), saved: new Map() };
    this.#sessions.set(name, session);
    for (const idle of this.#sessions.keys()) {
      if (this.#sessions.size <= this.#max) break;
      if (idle !== defaultSession && idle !== name) this.#sessions.delete(idle);
    }
    return session;
  }
}

/** A world of its own, at the start of a scenario. */
export const worldOf = ({ whole }: LoadedScenario): World => createWorld(kinds, whole);
