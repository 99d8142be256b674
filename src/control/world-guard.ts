import { defaultSession } from '../protocol/session-name.ts';
import type { Around } from './control.ts';

/** Thrown if the world that a control started with is lost. */
export class LostWorldError extends Error {
  override readonly name = 'LostWorldError';
  /** Whether the session was removed because there were too many. Otherwise, another world has taken its place. */
  readonly isRemoved: boolean;

  constructor(message: string, { isRemoved }: { readonly isRemoved: boolean }) {
    super(message);
    this.isRemoved = isRemoved;
  }
}

/** Checks which world sent a reply. @throws LostWorldError */
type CheckWorld = (world: string | undefined, isDone: boolean) => void;

interface Known {
  /** The world that sent the first reply. */
  world?: string | undefined;
  /** Another world that replied later. */
  found?: string;
}

/** Ties a control to the world that answered it first. */
export class WorldGuard {
  readonly #session: string;
  /** Undefined while the control recreates its own session. */
  #known: Known | undefined = {};

  constructor(session: string) {
    this.#session = session;
  }

  /** The world that answered first; undefined until then, and while the control recreates its own session. */
  get world(): string | undefined {
    return this.#known?.world;
  }

  /** Accepts whichever world answers next. @param world accepts only this one */
  forget(world?: string): void {
    this.#known = { world };
  }

  /** Refuses all further calls, which would create a deleted session again. */
  lose(): void {
    this.#known = { ...this.#known, found: 'none' };
  }

  /**
   * Call this when a call is sent, and the returned function when its reply arrives. Calls may overlap, so a reply is
   * checked only if no new world was requested in between.
   *
   * @param isRemake whether the call itself ends or replaces the world
   * @throws LostWorldError if the world is known to be lost, so that no other world is changed by mistake
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
      `The world of the session "${this.#session}" is lost, with its records, faults, clock and journal: this control started with the world ${world}, but ${found} answers now. The server was restarted, or it reloaded its files, or the session was deleted or recreated, or another server answers. To start again, connect again, or call sessions.create("${this.#session}").`,
      { isRemoved: false },
    );
  }
}

/**
 * Refuses the calls of a control once its session has another world than at its first call. A control of the default
 * session, which is never removed, follows every change of world.
 *
 * @param worldOf the identity of the session's present world; undefined if it has none
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
    if (!isRemake) check(worldOf(), true); // it has opened the world by now, and may wait for a long time
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
