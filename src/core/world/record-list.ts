import type { OrderedList } from '../protocol/list-page.ts';
import type { ListChanges, Neighbours, RecordPlan, Resource } from './kind.ts';
import { RecordEntry, type Timeline } from './timeline.ts';

/** The state of a list before a change, for the records that the change wrote or deleted. */
export interface ListBefore<Value extends Resource = Resource> {
  /** The list whose entries it shared; undefined if it had its own entries. */
  readonly base: RecordList<Value> | undefined;
  /** The entries by id; undefined for an id that had no entry. */
  readonly entries: Map<string, RecordEntry<Value> | undefined>;
}

/** Called before each write, with the list and the id of the record. */
type OnWrite = (list: RecordList<never>, id: string) => void;

/**
 * The records of one kind and owner at the clock's time, oldest first, in their total order (`created_at`, then creation
 * sequence): a sorted array, and a map from ids. Records appear when the clock reaches their `created_at`. Written records are
 * always there, so that they stay when the clock goes back.
 */
export class RecordList<Value extends Resource = Resource> implements OrderedList<Value> {
  /** The id of the owner, such as the thread of runs; `''` for kinds without an owner. */
  readonly owner: string;
  readonly #now: () => number;
  readonly #onWrite: OnWrite;
  #entries: RecordEntry<Value>[];
  /** Made when a record is first looked up by its id. */
  #byId: Map<string, RecordEntry<Value>> | undefined;
  /** The list whose array and map this list still shares. The first write copies them. */
  #base: RecordList<Value> | undefined;
  /** The ids of the seeded records that were deleted. */
  #deleted = new Set<string>();
  #nextSequence = 0;
  /** The last result of `entries`, with the number of entries that were created by that time. */
  #cache: { readonly due: number; readonly entries: readonly RecordEntry<Value>[] } | undefined;

  /** @param planned oldest first */
  constructor(
    owner: string,
    planned: readonly RecordPlan<Value>[],
    now: () => number = () => Number.POSITIVE_INFINITY,
    onWrite: OnWrite = () => {},
  ) {
    this.owner = owner;
    this.#entries = planned.map((plan, index) => new RecordEntry(plan, owner, index - planned.length, false));
    this.#now = now;
    this.#onWrite = onWrite;
  }

  /** Returns a list for a world that shares these records, and copies them at its first write. This list must not change any more. */
  share(now: () => number, onWrite: OnWrite): RecordList<Value> {
    const list = new RecordList<Value>(this.owner, [], now, onWrite);
    list.#shareWith(this);
    return list;
  }

  #shareWith(base: RecordList<Value>): void {
    this.#entries = base.#entries;
    this.#deleted = base.#deleted;
    this.#nextSequence = base.#nextSequence;
    this.#byId = undefined;
    this.#base = base;
  }

  entries(): readonly RecordEntry<Value>[] {
    const due = this.#countUntil(this.#now());
    if (due === this.#entries.length) return this.#entries;
    if (this.#cache?.due === due) return this.#cache.entries;
    const entries = this.#entries.filter((entry, index) => index < due || entry.isWritten);
    this.#cache = { due, entries };
    return entries;
  }

  get length(): number {
    return this.entries().length;
  }

  /** @throws Error if the index is out of range */
  at(index: number): Value {
    const entry = this.entries()[index];
    if (entry === undefined) throw new Error(`No record at index ${index}: the list has ${this.length}.`);
    return entry.readAt(this.#now());
  }

  /** The index of the record with this id; -1 if it does not exist, or not yet. */
  indexOf(id: string): number {
    const entry = this.entry(id);
    if (entry === undefined) return -1;
    const entries = this.entries();
    const index = placeOf(entry, entries);
    return entries[index] === entry ? index : -1;
  }

  has(id: string): boolean {
    return this.indexOf(id) !== -1;
  }

  get(id: string): Value | undefined {
    return this.has(id) ? this.entry(id)?.readAt(this.#now()) : undefined;
  }

  /** The entry with this id, even if the clock has not reached it yet. */
  entry(id: string): RecordEntry<Value> | undefined {
    return this.#map().get(id);
  }

  /** The last record that is created by a time, and the first one after it, even if the clock has not reached them yet. */
  neighbours(time: number): Neighbours<Value> {
    const count = this.#countUntil(time);
    const [before, after] = [this.#entries[count - 1], this.#entries[count]];
    return { before: before?.readAt(this.#now()), after: after?.readAt(this.#now()) };
  }

  /** When the next record appears, in seconds since 1970; undefined if all have appeared. */
  nextCreation(): number | undefined {
    const due = this.#countUntil(this.#now());
    return this.#entries.find(({ isWritten }, index) => index >= due && !isWritten)?.created_at;
  }

  /** Adds a record, or replaces the record with the same id. */
  write(timeline: Timeline<Value>): void {
    const { id } = timeline.record;
    const old = this.entry(id);
    this.#put(
      new RecordEntry(
        { id, created_at: createdAt(timeline.record), make: () => timeline },
        this.owner,
        old?.sequence ?? this.#nextSequence++,
        true,
      ),
    );
  }

  /** Deletes the records with these ids, in one pass. Unknown ids are ignored. */
  remove(ids: ReadonlySet<string>): void {
    const removed = this.#entries.filter(({ id }) => ids.has(id));
    for (const entry of removed) this.#forget(entry);
    if (removed.length > 0) this.#entries = this.#entries.filter(({ id }) => !ids.has(id));
  }

  /** The state before a change. The change adds the entries that it writes or deletes. */
  before(): ListBefore<Value> {
    return { base: this.#base, entries: new Map() };
  }

  /** Restores the records that a change wrote or deleted, in one pass. What calls with a page fault wrote since stays. */
  restore({ base, entries }: ListBefore<Value>): void {
    this.#cache = undefined;
    if (base !== undefined && !this.#differsBeyond(entries, base)) {
      this.#shareWith(base);
      return;
    }
    const others = this.#entries.filter(({ id }) => !entries.has(id));
    const former = [...entries.values()].flatMap((entry) => entry ?? []);
    for (const { id, sequence } of former) if (sequence < 0) this.#deleted.delete(id);
    this.#entries = [...others, ...former].sort(compareEntries);
    this.#byId = undefined;
  }

  /** Whether it differs from a base in other records than these: calls with a page fault also write and delete records. */
  #differsBeyond(ids: ReadonlyMap<string, unknown>, base: RecordList<Value>): boolean {
    const isOther = (id: string): boolean => !ids.has(id);
    return (
      this.#entries.some((entry) => isOther(entry.id) && base.entry(entry.id) !== entry) ||
      [...this.#deleted].some((id) => isOther(id) && !base.#deleted.has(id))
    );
  }

  /** Whether anything was written or deleted since it was shared. */
  get isChanged(): boolean {
    return this.#base === undefined;
  }

  /** The written records in order of creation, each with its transitions if it has any, and the ids of deleted seeded records. */
  changes(): ListChanges {
    const written = this.#entries.filter(({ isWritten }) => isWritten);
    return {
      records: written.sort((a, b) => a.sequence - b.sequence).map((entry) => entry.written()),
      deleted: [...this.#deleted].sort(),
    };
  }

  #put(entry: RecordEntry<Value>): void {
    this.#beforeWrite(entry.id);
    const old = this.entry(entry.id);
    const place = old && placeOf(old, this.#entries);
    if (old !== undefined && place !== undefined && compareEntries(old, entry) === 0)
      this.#entries[place] = entry; // removing and inserting it moves all later entries: n updates would cost n²
    else {
      if (place !== undefined) this.#entries.splice(place, 1);
      this.#entries.splice(placeOf(entry, this.#entries), 0, entry);
    }
    this.#map().set(entry.id, entry);
  }

  /** Records that an entry is deleted. The caller takes it out of the array. */
  #forget({ id, sequence }: RecordEntry<Value>): void {
    this.#beforeWrite(id);
    this.#map().delete(id);
    if (sequence < 0) this.#deleted.add(id);
  }

  /** Reports a write that is about to happen, and copies what the list still shares. */
  #beforeWrite(id: string): void {
    this.#onWrite(this as unknown as RecordList<never>, id); // it has records of any kind
    this.#cache = undefined;
    if (this.#base === undefined) return;
    this.#entries = [...this.#entries];
    this.#byId = new Map(this.#map());
    this.#deleted = new Set(this.#deleted);
    this.#base = undefined;
  }

  #map(): Map<string, RecordEntry<Value>> {
    if (this.#base !== undefined) return this.#base.#map();
    this.#byId ??= new Map(this.#entries.map((entry) => [entry.id, entry]));
    return this.#byId;
  }

  /** The number of records created by a time, in seconds since 1970. */
  #countUntil(now: number): number {
    return findFirstIndex(this.#entries, ({ created_at }) => created_at > now);
  }
}

/** The first index for which `isPast` is true, or the length if there is none. Binary search: once true, it must stay true. */
const findFirstIndex = <Item>(items: readonly Item[], isPast: (item: Item) => boolean): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const item = items[middle];
    if (item !== undefined && isPast(item)) high = middle;
    else low = middle + 1;
  }
  return low;
};

type Place = Pick<RecordEntry, 'created_at' | 'sequence'>;

/** The index that an entry has, or would have, in the total order. */
const placeOf = (entry: Place, entries: readonly Place[]): number =>
  findFirstIndex(entries, (other) => compareEntries(other, entry) >= 0);

const compareEntries = (a: Place, b: Place): number => a.created_at - b.created_at || a.sequence - b.sequence;

/** When a record was created, in seconds since 1970; 0 for kinds without an order. */
const createdAt = (record: Resource): number => {
  const at: unknown = Reflect.get(record, 'created_at');
  return typeof at === 'number' ? at : 0; // policies have a date-time there
};
