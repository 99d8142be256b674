import { type Entry, sizeOf } from './entry.ts';
import type { RequestFilter } from './filter.ts';
import { isMeant } from './filter.ts';

/** The bodies that one journal keeps, in bytes and characters all in all: then the oldest requests let go of theirs. */
const maxBodies = 1_000_000;

/** What the journal does with each request as it comes. */
export type JournalListener = (entry: Entry) => void;

/** The last requests of one world: a ring, so that it never grows beyond its size. */
export class Journal {
  readonly size: number;
  readonly #listeners = new Set<JournalListener>();
  /** The oldest stands at `#next` once the ring is full. */
  #ring: Entry[] = [];
  #next = 0;
  /** The requests since it was cleared, those that have left the ring among them. */
  #total = 0;
  /** The bodies of the ring's entries, and the ordinal of the oldest that has one. */
  #bodies = 0;
  #oldestWithBody = 0;

  /** @param size how many requests are kept; 0 keeps none, and tells nobody */
  constructor(size: number) {
    this.size = size;
  }

  add(entry: Entry): void {
    if (this.size === 0) return;
    if (this.#ring.length < this.size) this.#ring.push(entry);
    else {
      this.#bodies -= sizeOf(this.#ring[this.#next] as Entry); // the ring is full
      this.#ring[this.#next] = entry;
    }
    this.#next = (this.#next + 1) % this.size;
    this.#total += 1;
    this.#bodies += sizeOf(entry);
    if (this.#bodies > maxBodies) this.#dropOldBodies();
    for (const listener of this.#listeners) listener(entry);
  }

  /** The requests that are meant, oldest first. */
  list(filter: RequestFilter = {}): Entry[] {
    const oldest = this.#ring.length < this.size ? 0 : this.#next;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)].filter((entry) =>
      isMeant(entry, filter),
    );
  }

  clear(): void {
    this.#ring = [];
    this.#next = 0;
    this.#total = 0;
    this.#bodies = 0;
    this.#oldestWithBody = 0;
  }

  /** Tells of each request from now on. Returns how to stop. */
  subscribe(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #dropOldBodies(): void {
    for (
      let ordinal = Math.max(this.#oldestWithBody, this.#total - this.#ring.length);
      ordinal < this.#total && this.#bodies > maxBodies;
      ordinal += 1
    ) {
      const entry = this.#ring[ordinal % this.size] as Entry; // one of those that are kept
      this.#bodies -= sizeOf(entry);
      entry.body = null;
      entry.replyBody = null;
      this.#oldestWithBody = ordinal + 1;
    }
  }
}
