import { defaultSession } from '../protocol/session-name.ts';
import type { Around } from './control.ts';

/** Thrown where the world that a control began with is lost. */
export class LostWorldError extends Error {
  override readonly name = 'LostWorldError';
  /** Whether no other world has taken its place: its session was removed for lack of room. */
  readonly isRemoved: boolean;

  constructor(message: string, { isRemoved }: { readonly isRemoved: boolean }) {
    super(message);
    this.isRemoved = isRemoved;
  }
}

/** Compares the world that gave a reply. @throws LostWorldError */
type CheckWorld = (world: string | undefined, isDone: boolean) => void;

interface Known {
  /** The world, once a reply has named it. */
  world?: string | undefined;
  /** Another one that has answered since. */
  found?: string;
}

/** Holds a control to the world that answered it first. */
export class WorldGuard {
  readonly #session: string;
  /** Undefined while the control makes its own session anew. */
  #known: Known | undefined = {};

  constructor(session: string) {
    this.#session = session;
  }

  /** From now on, the world that answers next is the right one. */
  forget(): void {
    this.#known = {};
  }

  /**
   * To be called as a call is sent: what it returns is called with its reply. Calls may overlap, so that a reply is only
   * compared where no new world was asked for between the two.
   *
   * @param isRemake whether the call itself ends or replaces the world
   * @throws LostWorldError where the world is known to be lost: another one is not to be changed by mistake
   */
  watch(isRemake: boolean): CheckWorld {
    const before = this.#known;
    if (isRemake) {
      this.#known = undefined;
      return (world, isDone) => {
        this.#known = isDone ? { world } : (before ?? {});
      };
    }
    if (before?.found !== undefined) throw this.#describeLoss(before);
    return (world) => {
      if (before === undefined || before !== this.#known || world === undefined) return;
      before.world ??= world;
      if (before.world === world) return;
      before.found = world;
      throw this.#describeLoss(before);
    };
  }

  #describeLoss({ world, found }: Known): LostWorldError {
    return new LostWorldError(
      `The world of the session "${this.#session}" is lost, with its records, faults, clock and journal: this control began with the world ${world}, but ${found} answers now. Either the server was restarted, or it loaded its files anew, or somebody made the session anew, or another server answers. To begin anew, connect again, or call sessions.create("${this.#session}").`,
      { isRemoved: false },
    );
  }
}

/**
 * Refuses the calls of a control where another world has its session than the one that its first call met. That of the
 * default session, which nobody removes, goes on with whichever it is.
 *
 * @param worldOf the identity of the world that the session has now; undefined where it has none
 */
export const guardWorld = (session: string, worldOf: () => string | undefined): Around | undefined => {
  if (session === defaultSession) return undefined;
  const guard = new WorldGuard(session);
  return async (name, args, run) => {
    const isRemake = isRemakeOf(session, name, args[0]);
    const check = guard.watch(isRemake);
    if (!isRemake) check(worldOf(), true); // before anything is changed
    const running = run();
    running.catch(() => {}); // it is awaited below, unless the world is lost
    if (!isRemake) check(worldOf(), true); // it has opened the world by now, and may wait for long
    let isDone = false;
    try {
      const result = await running;
      isDone = true;
      return result;
    } finally {
      check(worldOf(), isDone);
    }
  };
};

/** Whether a call ends or replaces the world of its own session. */
export const isRemakeOf = (session: string, name: string, given: unknown): boolean =>
  (name === 'sessions.create' || name === 'sessions.delete') && given === session;
