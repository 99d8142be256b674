/** What keeps requests in memory: a journal, or a wait. */
export interface RequestHolder {
  /** Drops the oldest requests until the others take at most this many bytes. Returns how many bytes they take. */
  readonly shrinkTo: (bytes: number) => number;
}

/** How much memory all journals of a gateway may take by default, in megabytes (1,000,000 bytes). */
export const defaultJournalMemory = 256;

/** The greatest value of that option. */
export const maxJournalMemory = 1_000_000;

/** The engine frees memory late: a process takes about twice as much as its requests do (measured). */
const lateness = 2;

/** How much is freed at once, so that making room costs little per request. */
const freedShare = 0.05;

/**
 * The memory that all journals of a gateway share. When it is full, those that hold most are cut down to the same size, so
 * that no session can push out the requests of one that holds less.
 */
export class JournalMemory {
  readonly megabytes: number;
  /** The greatest size of all requests, in bytes. */
  readonly #max: number;
  #used = 0;
  readonly #holders = new Map<RequestHolder, number>();

  /** @param megabytes may be a fraction */
  constructor(megabytes: number = defaultJournalMemory) {
    this.megabytes = megabytes;
    this.#max = (megabytes * 1_000_000) / lateness;
  }

  /** How many bytes all holders take. */
  get used(): number {
    return this.#used;
  }

  /** Notes how many bytes a holder takes now, and makes room if it is too much for all of them. */
  set(holder: RequestHolder, bytes: number): void {
    this.#used += bytes - (this.#holders.get(holder) ?? 0);
    if (bytes === 0) this.#holders.delete(holder);
    else this.#holders.set(holder, bytes);
    if (this.#used > this.#max) this.#makeRoom();
  }

  #makeRoom(): void {
    const excess = this.#used - this.#max * (1 - freedShare);
    const largest = [...this.#holders].sort(([, a], [, b]) => b - a);
    let level = 0;
    let sum = 0;
    for (const [at, [, bytes]] of largest.entries()) {
      sum += bytes;
      level = (sum - excess) / (at + 1); // if all of them up to this one are cut down to it, that is enough
      if (level >= (largest[at + 1]?.[1] ?? 0)) break;
    }
    for (const [holder, bytes] of largest) {
      if (bytes <= level) break;
      this.set(holder, holder.shrinkTo(level));
    }
  }
}
