import { type Entry, sizeOf } from './entry.ts';
import { matchesFilter, type RequestFilter } from './filter.ts';

/** How many requests a journal may be told to keep at the most. */
export const maxJournal = 1_000_000;

/** The bodies that one journal keeps, in bytes and characters all in all: then the oldest requests let go of theirs. */
const maxBodies = 1_000_000;

/** The records on pages that one journal keeps the ids of, all in all: then the oldest requests let go of theirs. */
export const maxIds = 200_000;

/** What the journal does with each request as it comes. */
export type JournalListener = (entry: Entry) => void;

/** The last requests of one world: a ring, so that it never grows beyond its size. */
export class Journal {
  readonly size: number;
  /** Each with what it does when its journal comes to an end. */
  readonly #listeners = new Map<JournalListener, (reason: Error) => void>();
  /** The oldest stands at `#next` once the ring is full. */
  #ring: Entry[] = [];
  #next = 0;
  /** The requests since it was cleared, those that have left the ring among them. */
  #total = 0;
  /** The bodies of the ring's entries, and the ordinal of the oldest that may have one. */
  #bodies = 0;
  #oldestWithBody = 0;
  /** The same of the ids on their pages. */
  #ids = 0;
  #oldestWithIds = 0;
  #clearCount = 0;

  /** @param size how many requests are kept; 0 keeps none, and tells nobody */
  constructor(size: number) {
    this.size = size;
  }

  add(entry: Entry): void {
    if (this.size === 0) return;
    if (this.#ring.length < this.size) this.#ring.push(entry);
    else {
      const oldest = this.#ring[this.#next] as Entry; // the ring is full
      this.#bodies -= sizeOf(oldest);
      this.#ids -= countIds(oldest);
      this.#ring[this.#next] = entry;
    }
    this.#next = (this.#next + 1) % this.size;
    this.#total += 1;
    this.#bodies += sizeOf(entry);
    this.#ids += countIds(entry);
    if (this.#bodies > maxBodies) this.#dropOldBodies();
    if (this.#ids > maxIds) this.#dropOldIds();
    for (const listener of this.#listeners.keys()) listener(entry);
  }

  /** The requests that are meant, oldest first. */
  list(filter: RequestFilter = {}): Entry[] {
    const oldest = this.#ring.length < this.size ? 0 : this.#next;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)].filter((entry) =>
      matchesFilter(entry, filter),
    );
  }

  clear(): void {
    this.#ring = [];
    this.#next = 0;
    this.#total = 0;
    this.#bodies = 0;
    this.#oldestWithBody = 0;
    this.#ids = 0;
    this.#oldestWithIds = 0;
    this.#clearCount += 1;
  }

  /** How many are told of each request. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Whether requests have left it, since it was cleared. */
  get hasLost(): boolean {
    return this.#total > this.#ring.length;
  }

  /** How often it was cleared. */
  get clearCount(): number {
    return this.#clearCount;
  }

  /**
   * Calls back with each further request, and where none will come any more. Returns a function that unsubscribes.
   */
  subscribe(listener: JournalListener, onEnd: (reason: Error) => void = () => {}): () => void {
    this.#listeners.set(listener, onEnd);
    return () => this.#listeners.delete(listener);
  }

  /** Ends all waits, since the world is lost. */
  endWaits(reason: Error): void {
    for (const onEnd of this.#listeners.values()) onEnd(reason);
  }

  #dropOldBodies(): void {
    for (
      let at = this.#oldestFrom(this.#oldestWithBody);
      this.#bodies > maxBodies && at < this.#total;
      at += 1
    ) {
      const entry = this.#at(at);
      this.#bodies -= sizeOf(entry);
      entry.body = null;
      entry.replyBody = null;
      this.#oldestWithBody = at + 1;
    }
  }

  #dropOldIds(): void {
    for (let at = this.#oldestFrom(this.#oldestWithIds); this.#ids > maxIds && at < this.#total; at += 1) {
      const entry = this.#at(at);
      const lost = countIds(entry);
      this.#ids -= lost;
      delete entry.trace.page;
      if (lost > 0) entry.isPageLost = true;
      this.#oldestWithIds = at + 1;
    }
  }

  /** An ordinal, or the oldest that is kept. */
  #oldestFrom(ordinal: number): number {
    return Math.max(ordinal, this.#total - this.#ring.length);
  }

  #at(ordinal: number): Entry {
    return this.#ring[ordinal % this.size] as Entry; // one of those that are kept
  }
}

const countIds = ({ trace }: Entry): number => trace.page?.ids.length ?? 0;
