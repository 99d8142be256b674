import type { Settlement } from '../protocol/call.ts';
import { ControlError, droppedCode } from '../protocol/errors.ts';
import { countOf } from '../util/count-of.ts';
import type { Resource } from '../world/kind.ts';
import type { Entry } from './entry.ts';
import { JournalMemory } from './journal-memory.ts';
import { type Digest, type MaskedValues, toDigests } from './masked-values.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { matchesFilter, type RequestFilter } from './request-filter.ts';

/** The requests that a journal has dropped since it was cleared. */
interface DropCounts {
  requests: number;
  /** How many requests were dropped because the memory of all journals was full. */
  forMemory: number;
  /** Whether requests were lost with a server that was killed. */
  wasKilled: boolean;
}

const createDropped = (): DropCounts => ({ requests: 0, forMemory: 0, wasKilled: false });

/** A journal that continues in another process. */
export interface StoredJournal {
  readonly requests: readonly RecordedRequest[];
  /** For each request, its `maskedValues` as digests. Files have this name. */
  readonly sent: readonly MaskedValues[];
  /** The digest with which it was stored. It is not a part of the file. */
  readonly digest?: Digest | undefined;
  readonly dropped: Readonly<DropCounts>;
}

/** Nobody knows how many requests were lost: they count as one request. */
const lost: Readonly<DropCounts> = { requests: 1, forMemory: 0, wasKilled: true };

/** The journal of a session whose server was killed. */
export const lostJournal: StoredJournal = { requests: [], sent: [], dropped: lost };

interface JournalListener {
  readonly onEntry: (entry: Entry) => void;
  /** Called when a reply was sent, cut or lost. */
  readonly onEntrySettled?: (entry: Entry) => void;
  /** Called if the session ends, or the server is closed. */
  readonly onEnd?: (reason: Error) => void;
}

/** The parts of an entry that a journal needs. */
export type JournalEntry = Pick<Entry, 'request' | 'maskedValues' | 'memoryUsed'>;

export class Journal {
  readonly capacity: number;
  readonly memory: JournalMemory;
  clearCount = 0;
  memoryUsed = 0;
  readonly #listeners = new Set<JournalListener>();
  /** The request with the ordinal n is at index n - 1, modulo the capacity. */
  #ring: (JournalEntry | undefined)[] = [];
  /** How many requests came since it was cleared. */
  #total = 0;
  #dropped = createDropped();

  /** The lists of own calls from which the last pages were cut, by operation and parameters. */
  readonly #ownLists = new Map<string, readonly Resource[]>();

  /** @param capacity how many requests to keep; 0 switches the journal off */
  constructor(capacity: number, memory = new JournalMemory()) {
    this.capacity = capacity;
    this.memory = memory;
  }

  add(entry: Entry): void {
    if (this.capacity === 0) return;
    entry.ordinal = this.#total + 1;
    entry.clearCount = this.clearCount;
    this.#put(entry);
    for (const { onEntry } of this.#listeners) onEntry(entry);
  }

  /** Records the list of an own call from which a page was cut, so that walks can be compared with it. */
  noteList(operation: string, params: Readonly<Record<string, string>>, records: readonly Resource[]): void {
    const key = JSON.stringify([operation, params]);
    this.#ownLists.delete(key); // so that the newest is the last
    const [oldest] = this.#ownLists.keys();
    if (oldest !== undefined && this.#ownLists.size >= this.capacity) this.#ownLists.delete(oldest);
    this.#ownLists.set(key, records);
  }

  /** Whether this own call has returned a page of any list. */
  hasOwnList(operation: string): boolean {
    return [...this.#ownLists.keys()].some((key) => JSON.parse(key)[0] === operation);
  }

  /** The list of an own call; undefined if the call has returned no page of it. */
  ownList(operation: string, params: Readonly<Record<string, string>>): readonly Resource[] | undefined {
    return this.#ownLists.get(JSON.stringify([operation, params]));
  }

  /** Records what became of the reply of an entry, which may have been dropped meanwhile. */
  settle(entry: Entry, settlement: Settlement, duration: number): void {
    entry.settlement = settlement;
    entry.duration = duration;
    if (entry.clearCount !== this.clearCount) return; // cleared since, or its world has ended
    for (const { onEntrySettled } of this.#listeners) onEntrySettled?.(entry);
  }

  /** Replaces an entry by a newer one, unless it was dropped. */
  replace(entry: Entry, next: Entry): void {
    next.ordinal = entry.ordinal;
    next.clearCount = entry.clearCount;
    const place = (entry.ordinal - 1) % this.capacity;
    if (this.#ring[place] !== entry) return;
    this.#ring[place] = next;
    this.memoryUsed += next.memoryUsed - entry.memoryUsed;
    this.memory.used += next.memoryUsed - entry.memoryUsed;
    this.memory.makeRoom();
  }

  /** The requests that match a filter, oldest first: at most the latest `limit`. */
  list(filter: RequestFilter = {}, limit = Number.POSITIVE_INFINITY): RecordedRequest[] {
    return this.find(filter, limit).map(({ request }) => request);
  }

  /** The entries that match a filter, oldest first. */
  find(filter: RequestFilter = {}, limit = Number.POSITIVE_INFINITY): JournalEntry[] {
    const found: JournalEntry[] = [];
    for (let place = this.#total - 1; place >= this.#dropped.requests && found.length < limit; place -= 1) {
      const entry = this.#ring[place % this.capacity];
      if (entry !== undefined && matchesFilter(entry, filter)) found.push(entry);
    }
    return found.reverse();
  }

  clear(): void {
    this.#ownLists.clear();
    this.memory.used -= this.memoryUsed;
    this.memory.journals.delete(this);
    this.clearCount += 1;
    this.memoryUsed = 0;
    this.#ring = [];
    this.#total = 0;
    this.#dropped = createDropped();
  }

  /**
   * The whole journal, to be stored. A reply that is pending counts as lost: the process that continues will not send it.
   *
   * @param digest is applied to the values that are masked in the requests
   */
  toStored(digest: Digest): StoredJournal {
    const entries = this.find();
    return {
      requests: entries.map(({ request }) =>
        request.outcome === 'pending' ? { ...request, outcome: 'lost' as const } : request,
      ),
      sent: entries.map(({ request, maskedValues }) => toDigests(maskedValues, request.body, digest)),
      dropped: { ...this.#dropped },
    };
  }

  /** Continues with a stored journal. Call this before anyone listens. */
  resume({ requests, sent, digest, dropped }: StoredJournal): void {
    this.#total = dropped.requests;
    this.#dropped = { ...dropped };
    for (const [at, request] of requests.entries()) {
      const digests = sent[at] ?? { headers: {}, query: {} };
      const memoryUsed = JSON.stringify([request, digests]).length;
      this.#put({
        request,
        maskedValues: digest === undefined ? digests : { ...digests, digest },
        memoryUsed,
      });
    }
  }

  dropForMemory(): void {
    this.#drop();
    this.#dropped.forMemory += 1;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** The number of requests that came since it was cleared. */
  get total(): number {
    return this.#total;
  }

  /** The number of requests that it has. */
  get length(): number {
    return this.#total - this.#dropped.requests;
  }

  /** Subscribes a listener. Returns a function that unsubscribes it. */
  subscribe(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends all waits, because the session ends, or the server is closed. */
  endWaits(createReason: () => Error): void {
    for (const { onEnd } of this.#listeners) onEnd?.(createReason()); // each wait gets its own error, whose stack shows who waited
  }

  /**
   * Throws if the journal has dropped requests, because a result without them might be wrong.
   *
   * @param what what failed, such as `count the requests` @param more a further way out, with a leading space
   * @throws ControlError 410
   */
  refuseIfDropped(what: string, more = ''): void {
    const { requests, forMemory, wasKilled } = this.#dropped;
    if (requests === 0) return;
    const bySize = `it keeps the last ${this.capacity} (journal, --journal on the command line)`;
    const byMemory = `all journals share ${this.memory.megabytes} MB of memory (journalMemory, --journal-memory on the command line)`;
    const reasons = [...(requests > forMemory ? [bySize] : []), ...(forMemory > 0 ? [byMemory] : [])];
    const dropped = wasKilled
      ? 'the server was killed, and the requests before that are lost. Call requests.clear() before what you check.'
      : `the journal has dropped the oldest ${countOf(requests, 'request')}, since ${reasons.join(', and ')}. Call requests.clear() before what you check, or set a larger limit.`;
    throw new ControlError(410, `Failed to ${what}: ${dropped}${more}`, droppedCode);
  }

  #put(entry: JournalEntry): void {
    if (this.length === this.capacity) this.#drop();
    this.#ring[this.#total % this.capacity] = entry;
    this.#total += 1;
    this.memoryUsed += entry.memoryUsed;
    this.memory.used += entry.memoryUsed;
    this.memory.journals.add(this);
    this.memory.makeRoom();
  }

  #drop(): void {
    const place = this.#dropped.requests % this.capacity;
    const memoryUsed = this.#ring[place]?.memoryUsed ?? 0;
    this.#ring[place] = undefined;
    this.memoryUsed -= memoryUsed;
    this.memory.used -= memoryUsed;
    this.#dropped.requests += 1;
  }
}
