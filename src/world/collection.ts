import type { OrderedList } from '../protocol/cursor-page.ts';
import type { Clock } from './clock.ts';
import type { Changes, Kind, Resource } from './kind.ts';
import type { Table } from './models.ts';
import { createdAt, type Entry, type RecordList } from './record-list.ts';
import { afterTransitions, countPassed } from './timeline.ts';

/**
 * The records of one kind and owner in one world, at the clock's time, oldest first. First come the records created by
 * then, after them the written records with a later `created_at`: those stay when the clock goes back. The list is shared
 * with all worlds of the base until the first write, which copies it.
 */
export class Collection<Value extends Resource = Resource> implements OrderedList<Value> {
  readonly #kind: Kind<Value>;
  readonly #table: () => Table<Value>;
  readonly #clock: Clock;
  readonly #onWrite: () => void;
  #list: RecordList<Value>;
  #isChanged = false;
  /** The written records with a `created_at` later than the clock's time, as last looked up. */
  #seen: { readonly due: number; readonly ahead: readonly Entry<Value>[] } | undefined;

  /** @param table the table of this world's own records */
  constructor(
    kind: Kind<Value>,
    list: RecordList<Value>,
    table: () => Table<Value>,
    clock: Clock,
    onWrite: () => void,
  ) {
    this.#kind = kind;
    this.#list = list;
    this.#table = table;
    this.#clock = clock;
    this.#onWrite = onWrite;
  }

  /** The number of records at the clock's time. */
  get length(): number {
    const due = this.#due();
    return due + this.#ahead(due).length;
  }

  at(index: number): Value {
    return this.#read(this.#entryAt(index));
  }

  /** The index of the record with this id; -1 if it does not exist, or not yet. */
  indexOf(id: string): number {
    const entry = this.#list.find(id);
    if (entry === undefined) return -1;
    const [index, due] = [this.#list.indexOf(entry), this.#due()];
    if (index < due) return index;
    const ahead = this.#ahead(due).indexOf(entry);
    return ahead === -1 ? -1 : due + ahead;
  }

  has(id: string): boolean {
    return this.indexOf(id) !== -1;
  }

  get(id: string): Value | undefined {
    const index = this.indexOf(id);
    return index === -1 ? undefined : this.at(index);
  }

  /** The entries at the clock's time, newest first, at most `max` of them. */
  newest(max = Number.POSITIVE_INFINITY): Entry<Value>[] {
    const { length } = this;
    return Array.from({ length: Math.min(max, length) }, (_, at) => this.#entryAt(length - 1 - at));
  }

  /** The same entries one by one, so that the caller can stop early. */
  *newestFirst(): Generator<Entry<Value>> {
    for (let index = this.length - 1; index >= 0; index -= 1) yield this.#entryAt(index);
  }

  /** All records, newest first, including those that the clock has not reached yet. */
  all(): Value[] {
    const { length } = this.#list;
    return Array.from({ length }, (_, at) => this.#read(this.#list.at(length - 1 - at)));
  }

  /** When the next record appears; undefined if all have appeared. */
  nextCreation(): number | undefined {
    for (let index = this.#due(); index < this.#list.length; index += 1) {
      const { isWritten, created_at } = this.#list.at(index);
      if (!isWritten) return created_at;
    }
    return undefined;
  }

  /** Adds a record, or replaces the one with its id. A written record no longer changes by itself. */
  write(record: Value): void {
    this.#own().write(record, createdAt(this.#kind, record));
  }

  /** Deletes a record. Returns false if there is no record with this id. */
  remove(id: string): boolean {
    return this.#list.find(id) !== undefined && this.#own().remove(id);
  }

  /** Returns a record to what it is in the base. Returns false if it has not changed. */
  revert(entry: Entry<Value>): boolean {
    if (this.#list.find(entry.id) === entry) return false;
    this.#own().restore(entry);
    return true;
  }

  /** Deletes all written records. */
  clear(): void {
    this.#own().clear();
  }

  /** Whether anything was ever written or deleted here, even if that was undone. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** The written records, and the ids of the seeded records that were deleted, by the scenario or since. */
  changes(): Changes {
    return this.#list.changes();
  }

  /** The number of records created by now. */
  #due(): number {
    return this.#list.countUntil(this.#clock.now());
  }

  /** The written records that were created later than now: they stay when the clock goes back. */
  #ahead(due: number): readonly Entry<Value>[] {
    if (this.#seen?.due !== due) this.#seen = { due, ahead: this.#list.writtenFrom(due) };
    return this.#seen.ahead;
  }

  /** @throws Error if the index is out of range */
  #entryAt(index: number): Entry<Value> {
    const due = this.#due();
    if (index < due) return this.#list.at(index);
    const entry = this.#ahead(due)[index - due];
    if (entry === undefined)
      throw new Error(`No record at index ${index}: the collection has ${this.length}.`);
    return entry;
  }

  #own(): RecordList<Value> {
    this.#seen = undefined;
    if (!this.#isChanged) this.#list = this.#list.copy(this.#table);
    this.#isChanged = true;
    this.#onWrite();
    return this.#list;
  }

  #read(entry: Entry<Value>): Value {
    return viewOf(entry, this.#clock.now());
  }
}

/** The last view of each entry, with the number of transitions that it includes. */
const views = new WeakMap<object, { readonly passed: number; readonly record: object }>();

/** A record as it is at a time. */
export const viewOf = <Value extends Resource>(entry: Entry<Value>, now: number): Value => {
  const timeline = entry.timeline();
  const passed = countPassed(timeline, now);
  const known = views.get(entry);
  if (known?.passed === passed) return known.record as Value; // it was made of this entry
  const record = afterTransitions(timeline, passed);
  views.set(entry, { passed, record });
  return record;
};
