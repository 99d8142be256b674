import type { Changes, Kind, Resource, Seed } from './kind.ts';
import type { Placement, Table } from './models.ts';
import { findFirstIndex } from './sorted.ts';
import type { Timeline } from './timeline.ts';

/** A record of a list. Its fields are made when it is first read. */
export interface Entry<Value = Resource> extends Placement {
  readonly id: string;
  /** In seconds since 1970; 0 for kinds without an order. */
  readonly created_at: number;
  /** The status that it has once its lifespan is over, if that is known without making it. */
  readonly finalStatus?: string | undefined;
  timeline(): Timeline<Value>;
  /** The same, without storing the record in a table, which takes as long as making it. */
  foresee(): Timeline<Value>;
}

/** A seeded record, made when it is first read. */
class SeededEntry<Value extends Resource> implements Entry<Value> {
  readonly owner: string;
  readonly sequence: number;
  readonly isWritten = false;
  readonly id: string;
  readonly created_at: number;
  readonly finalStatus: string | undefined;
  readonly #seed: Seed<Value>;
  readonly #table: () => Table<Value>;
  #timeline: Timeline<Value> | undefined;
  #foreseen: Timeline<Value> | undefined;

  constructor(owner: string, sequence: number, seed: Seed<Value>, table: () => Table<Value>) {
    this.owner = owner;
    this.sequence = sequence;
    this.id = seed.id;
    this.created_at = seed.created_at;
    this.finalStatus = seed.finalStatus;
    this.#seed = seed;
    this.#table = table;
  }

  timeline(): Timeline<Value> {
    if (this.#timeline === undefined) {
      const { record, transitions } = this.foresee();
      this.#timeline = { record: this.#table().create(this, record), transitions };
      this.#foreseen = undefined;
    }
    return this.#timeline;
  }

  foresee(): Timeline<Value> {
    if (this.#timeline !== undefined) return this.#timeline;
    this.#foreseen ??= this.#seed.make();
    return this.#foreseen;
  }
}

/**
 * The records of one kind and owner, oldest first, in their total order (created_at, then creation sequence): a plain
 * sorted array, and a map from ids. Records that were read or written are stored in the table.
 */
export class RecordList<Value extends Resource = Resource> {
  readonly #owner: string;
  readonly #table: () => Table<Value>;
  readonly #entries: Entry<Value>[];
  /** Made at first use. That of a copy has only what differs from the list that it was copied from; undefined if it was removed. */
  #byId: Map<string, Entry<Value> | undefined> | undefined;
  readonly #copied: RecordList<Value> | undefined;
  /** The ids of the seeded records that were deleted. */
  readonly #deleted: Set<string>;
  #nextSequence: number;

  private constructor(
    owner: string,
    table: () => Table<Value>,
    entries: Entry<Value>[],
    deleted: Set<string>,
    nextSequence: number,
    copied?: RecordList<Value>,
  ) {
    this.#owner = owner;
    this.#table = table;
    this.#entries = entries;
    this.#deleted = deleted;
    this.#nextSequence = nextSequence;
    this.#copied = copied;
  }

  /** @param seeds oldest first */
  static of<Value extends Resource>(
    owner: string,
    table: () => Table<Value>,
    seeds: readonly Seed<Value>[],
  ): RecordList<Value> {
    const entries = seeds.map((seed, index) => new SeededEntry(owner, index - seeds.length, seed, table));
    return new RecordList(owner, table, entries, new Set(), 0);
  }

  /** Copies the list, which must not change any more; the copy stores its written records in another table. */
  copy(table: () => Table<Value>): RecordList<Value> {
    const written = this.#entries.filter(({ isWritten }) => isWritten);
    for (const entry of written) table().create(entry, entry.timeline().record);
    const deleted = new Set(this.#deleted);
    return new RecordList(this.#owner, table, [...this.#entries], deleted, this.#nextSequence, this);
  }

  get length(): number {
    return this.#entries.length;
  }

  /** @throws Error if the index is out of range */
  at(index: number): Entry<Value> {
    const entry = this.#entries[index];
    if (entry === undefined) throw new Error(`No record at index ${index}: the list has ${this.length}.`);
    return entry;
  }

  find(id: string): Entry<Value> | undefined {
    if (this.#copied !== undefined && this.#byId?.has(id) !== true) return this.#copied.find(id);
    this.#byId ??= new Map(this.#entries.map((entry) => [entry.id, entry]));
    return this.#byId.get(id);
  }

  indexOf(entry: Entry<Value>): number {
    return findFirstIndex(this.length, (index) => compareEntries(this.at(index), entry) >= 0);
  }

  /** The number of records created by a time, in seconds since 1970. */
  countUntil(now: number): number {
    return findFirstIndex(this.length, (index) => this.at(index).created_at > now);
  }

  /** The written records from an index on. */
  writtenFrom(index: number): Entry<Value>[] {
    const written: Entry<Value>[] = [];
    for (let at = index; at < this.length; at += 1) {
      const entry = this.at(at);
      if (entry.isWritten) written.push(entry);
    }
    return written;
  }

  /** Adds a record, or replaces the one with its id and keeps its sequence. */
  write(record: Value, created_at: number): void {
    const { id } = record;
    const old = this.find(id);
    if (old !== undefined) this.#entries.splice(this.indexOf(old), 1);
    const sequence = old?.sequence ?? this.#nextSequence++;
    const place = { owner: this.#owner, sequence, isWritten: true };
    const stored = old?.isWritten
      ? this.#table().update(this.#owner, record)
      : this.#table().create(place, record);
    const timeline = { record: stored, transitions: [] };
    const entry = { ...place, id, created_at, timeline: () => timeline, foresee: () => timeline };
    this.#entries.splice(this.indexOf(entry), 0, entry);
    this.#note(id, entry);
  }

  /** Deletes a record. Returns false if there is no record with this id. */
  remove(id: string): boolean {
    const entry = this.find(id);
    if (entry === undefined) return false;
    this.#entries.splice(this.indexOf(entry), 1);
    this.#note(id, undefined);
    if (entry.sequence < 0) this.#deleted.add(id);
    if (entry.isWritten) this.#table().delete(this.#owner, id);
    return true;
  }

  /** Returns a record to what it is in the list that this one is a copy of. */
  restore(entry: Entry<Value>): void {
    this.remove(entry.id);
    this.#deleted.delete(entry.id);
    if (entry.isWritten) this.#table().create(entry, entry.timeline().record);
    this.#entries.splice(this.indexOf(entry), 0, entry);
    this.#note(entry.id, entry);
  }

  /** Notes what has an id now. Without a map it is enough that the entries have it, unless the list is a copy. */
  #note(id: string, entry: Entry<Value> | undefined): void {
    if (this.#copied !== undefined) this.#byId ??= new Map();
    this.#byId?.set(id, entry);
  }

  /** Deletes all written records, so that nothing is left of a deleted owner. */
  clear(): void {
    for (const { id } of this.#entries.filter(({ isWritten }) => isWritten)) this.remove(id);
  }

  /** The written records in order of creation, and the ids of deleted seeded records. */
  changes(): Changes {
    // Not from the table: a query takes 6 µs a record, and each command exports the state before it.
    const written = this.#entries.filter(({ isWritten }) => isWritten);
    const records = written.sort((a, b) => a.sequence - b.sequence).map((entry) => entry.timeline().record);
    return { records, deleted: [...this.#deleted].sort() };
  }
}

const compareEntries = (
  a: Omit<Entry<unknown>, 'timeline' | 'foresee'>,
  b: Omit<Entry<unknown>, 'timeline' | 'foresee'>,
): number => a.created_at - b.created_at || a.sequence - b.sequence;

/** When a record was created, in seconds since 1970; 0 for kinds without an order. */
export const createdAt = <Value extends Resource>(kind: Kind<Value>, record: Value): number =>
  kind.createdAt?.(record) ?? 0;
