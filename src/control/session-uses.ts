import { readStopwatch } from '../util/stopwatch.ts';

/** The sessions that are in use: by an event stream, a wait, or a reply that a fault delays. */
export class SessionUses {
  /** By session: when each of its uses ends at the latest. */
  readonly #uses = new Map<string, Set<{ readonly until: number }>>();

  /** Adds a use that lasts at most so many real milliseconds. Returns a function that ends it. */
  add(session: string, longest: number): () => void {
    const now = readStopwatch();
    const use = { until: now + longest };
    const uses = this.#uses.get(session) ?? new Set();
    for (const old of uses) {
      if (old.until > now) break;
      uses.delete(old); // nobody has ended it
    }
    this.#uses.set(session, uses.add(use));
    return () => {
      uses.delete(use);
      if (uses.size === 0 && this.#uses.get(session) === uses) this.#uses.delete(session);
    };
  }

  has(session: string): boolean {
    const now = readStopwatch();
    for (const { until } of this.#uses.get(session) ?? []) if (until > now) return true;
    return false;
  }
}
