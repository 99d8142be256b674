import { bodySizeOf, type Entry, sizeOf } from './entry.ts';
import { matchesFilter, type RequestFilter } from './filter.ts';
import { JournalMemory } from './journal-memory.ts';
import { fromStoredEntry, type StoredEntry, toStoredEntry } from './stored-entry.ts';

/** The greatest size of a journal, in requests. */
export const maxJournal = 1_000_000;

/** The greatest total size of the bodies in one journal, in bytes and characters. Beyond it, the oldest bodies are dropped. */
const maxBodies = 1_000_000;

/** A journal that continues in another process. */
export interface StoredJournal {
  readonly entries: readonly StoredEntry[];
  readonly dropped: number;
  readonly droppedForMemory: number;
  /** Whether those that were dropped were lost with a server that was killed. */
  readonly wasKilled: boolean;
}

/** The journal of a session whose server was killed. Nobody knows how many requests it had: at least one is lost. */
export const lostJournal: StoredJournal = { entries: [], dropped: 1, droppedForMemory: 0, wasKilled: true };

/** Called with each new request. */
export type JournalListener = (entry: Entry) => void;

/** The last requests of one world. */
export class Journal {
  readonly size: number;
  readonly memory: JournalMemory;
  /** The listeners, each with the function to call when the journal ends. */
  readonly #listeners = new Map<JournalListener, (reason: Error) => void>();
  /** Oldest first. Those before `#first` were dropped, and are cut off now and then. */
  #entries: (Entry | undefined)[] = [];
  /** The size of each entry. */
  #sizes: number[] = [];
  #first = 0;
  /** The place of the oldest entry that may have a body. */
  #firstBody = 0;
  #bytes = 0;
  #bodies = 0;
  #dropped = 0;
  #droppedForMemory = 0;
  #wasKilled = false;
  #clearCount = 0;

  /** @param size how many requests to keep; 0 switches the journal off */
  constructor(size: number, memory = new JournalMemory()) {
    this.size = size;
    this.memory = memory;
  }

  add(entry: Entry): void {
    if (this.size === 0) return;
    if (this.kept === this.size) this.#dropOldest();
    entry.ordinal = this.#dropped + this.kept + 1;
    const previous = this.#entries.at(-1);
    if (previous !== undefined && haveSameValues(previous.headers, entry.headers))
      entry.headers = previous.headers;
    const size = sizeOf(entry);
    this.#entries.push(entry);
    this.#sizes.push(size);
    this.#bytes += size;
    this.#bodies += bodySizeOf(entry);
    while (this.#bodies > maxBodies) this.#dropOldestBody();
    this.memory.set(this, this.#bytes);
    for (const listener of this.#listeners.keys()) listener(entry);
  }

  /** The requests that match a filter, oldest first; at most `limit` of them, the latest ones. */
  list(filter: RequestFilter = {}, limit = Number.POSITIVE_INFINITY): Entry[] {
    const found: Entry[] = [];
    for (let at = this.#entries.length - 1; at >= this.#first && found.length < limit; at -= 1)
      if (matchesFilter(this.#at(at), filter)) found.push(this.#at(at));
    return found.reverse();
  }

  clear(): void {
    this.#entries = [];
    this.#sizes = [];
    this.#first = 0;
    this.#firstBody = 0;
    this.#bytes = 0;
    this.#bodies = 0;
    this.#dropped = 0;
    this.#droppedForMemory = 0;
    this.#wasKilled = false;
    this.#clearCount += 1;
    this.memory.set(this, 0);
  }

  /** All that it has kept, masked. */
  toStored(): StoredJournal {
    const { dropped, droppedForMemory, wasKilled } = this;
    return { entries: this.list().map(toStoredEntry), dropped, droppedForMemory, wasKilled };
  }

  /** Continues with a stored journal. Call this before anyone listens. */
  resume({ entries, dropped, droppedForMemory, wasKilled }: StoredJournal): void {
    this.#dropped = dropped;
    this.#wasKilled = wasKilled;
    this.#droppedForMemory = droppedForMemory;
    for (const entry of entries) this.add(fromStoredEntry(entry));
  }

  /** Drops the oldest bodies, then the oldest requests, until the others take at most this many bytes. */
  shrinkTo(bytes: number): number {
    while (this.#bytes > bytes && this.#firstBody < this.#entries.length) this.#dropOldestBody();
    while (this.#bytes > bytes && this.#first < this.#entries.length) {
      this.#dropOldest();
      this.#droppedForMemory += 1;
    }
    return this.#bytes;
  }

  /** The number of listeners. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** The number of requests that it has. */
  get kept(): number {
    return this.#entries.length - this.#first;
  }

  /** How many requests were dropped since it was cleared. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many of them were dropped because the memory of all journals was full. */
  get droppedForMemory(): number {
    return this.#droppedForMemory;
  }

  /** Whether requests were lost with a server that was killed. */
  get wasKilled(): boolean {
    return this.#wasKilled;
  }

  /** How many times it was cleared. */
  get clearCount(): number {
    return this.#clearCount;
  }

  /** Calls `listener` with each further request, and `onEnd` if the server is closed. Returns a function that unsubscribes. */
  subscribe(listener: JournalListener, onEnd: (reason: Error) => void = () => {}): () => void {
    this.#listeners.set(listener, onEnd);
    return () => this.#listeners.delete(listener);
  }

  /** Ends all waits, because the server is closed. */
  endWaits(reason: Error): void {
    for (const onEnd of this.#listeners.values()) onEnd(reason);
  }

  #dropOldest(): void {
    const at = this.#first;
    this.#bodies -= bodySizeOf(this.#at(at));
    this.#bytes -= this.#sizes[at] ?? 0;
    this.#entries[at] = undefined;
    this.#first += 1;
    this.#firstBody = Math.max(this.#firstBody, this.#first);
    this.#dropped += 1;
    if (this.#first < 100 || this.#first < this.#entries.length / 2) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#sizes = this.#sizes.slice(this.#first);
    this.#firstBody -= this.#first;
    this.#first = 0;
  }

  #dropOldestBody(): void {
    const entry = this.#at(this.#firstBody);
    const size = bodySizeOf(entry);
    if (size > 0) {
      entry.body = null;
      entry.replyBody = null;
      entry.bodiesDropped = true;
      this.#sizes[this.#firstBody] = (this.#sizes[this.#firstBody] ?? 0) - size;
      this.#bytes -= size;
      this.#bodies -= size;
    }
    this.#firstBody += 1;
  }

  #at(place: number): Entry {
    return this.#entries[place] as Entry; // none was dropped from `#first` on
  }
}

/** Most clients send the same headers in each call, which need memory only once. */
const haveSameValues = (one: Entry['headers'], other: Entry['headers']): boolean => {
  let count = 0;
  for (const name in one) {
    if (one[name] !== other[name]) return false;
    count += 1;
  }
  for (const _ in other) count -= 1;
  return count === 0;
};
