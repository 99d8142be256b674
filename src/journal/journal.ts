import { type Entry, sizeOf } from './entry.ts';
import { matchesFilter, type RequestFilter } from './filter.ts';

/** The greatest size of a journal, in requests. */
export const maxJournal = 1_000_000;

/** The greatest total size of the bodies in one journal, in bytes and characters. Beyond it, the oldest bodies are dropped. */
const maxBodies = 1_000_000;

/** The most record ids of pages that one journal keeps. Beyond it, the ids of the oldest pages are dropped. */
export const maxIds = 200_000;

/** Called with each new request. */
export type JournalListener = (entry: Entry) => void;

/** The last requests of one world, in a ring buffer. */
export class Journal {
  readonly size: number;
  /** The listeners, each with the function to call when the journal ends. */
  readonly #listeners = new Map<JournalListener, (reason: Error) => void>();
  /** Once it is full, its oldest entry is at `#next`. */
  #ring: Entry[] = [];
  #next = 0;
  /** The number of requests since it was cleared, including those that left the ring. */
  #total = 0;
  /** The size of all bodies, and the ordinal of the oldest entry that may have one. */
  #bodies = 0;
  #oldestWithBody = 0;
  /** The number of ids on all pages, and the ordinal of the oldest entry that may have some. */
  #ids = 0;
  #oldestWithIds = 0;
  #clearCount = 0;

  /** @param size how many requests to keep; 0 switches the journal off */
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

  /** The requests that match a filter, oldest first. */
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

  /** The number of listeners. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** The size of the bodies that it keeps, in bytes and characters. */
  get bytes(): number {
    return this.#bodies;
  }

  /** Whether requests have left the ring since it was cleared. */
  get hasLost(): boolean {
    return this.#total > this.#ring.length;
  }

  /** How many times it was cleared. */
  get clearCount(): number {
    return this.#clearCount;
  }

  /** Calls `listener` with each further request, and `onEnd` if the journal ends. Returns a function that unsubscribes. */
  subscribe(listener: JournalListener, onEnd: (reason: Error) => void = () => {}): () => void {
    this.#listeners.set(listener, onEnd);
    return () => this.#listeners.delete(listener);
  }

  /** Ends all waits, because the world is lost. */
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

  /** An ordinal, but not below the oldest one in the ring. */
  #oldestFrom(ordinal: number): number {
    return Math.max(ordinal, this.#total - this.#ring.length);
  }

  #at(ordinal: number): Entry {
    return this.#ring[ordinal % this.size] as Entry; // the ordinal is in the ring
  }
}

const countIds = ({ trace }: Entry): number => trace.page?.ids.length ?? 0;
