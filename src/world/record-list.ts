import type { Changes, Kind, Resource, Seed } from './kind.ts';
import type { Placement, Table } from './models.ts';
import { findFirstIndex } from './sorted.ts';
import type { Timeline } from './timeline.ts';

/** A record of a list: its place, and the record itself, which is made when it is first read. */
export interface Entry<Value = Resource> extends Placement {
  readonly id: string;
  /** In seconds since 1970; 0 for kinds without an order. */
  readonly created_at: number;
  timeline(): Timeline<Value>;
}

/** A seeded record, made when it is first read. */
class SeededEntry<Value extends Resource> implements Entry<Value> {
  readonly owner: string;
  readonly sequence: number;
  readonly isWritten = false;
  readonly id: string;
  readonly created_at: number;
  readonly #seed: Seed<Value>;
  readonly #table: () => Table<Value>;
  #timeline: Timeline<Value> | undefined;

  constructor(owner: string, sequence: number, seed: Seed<Value>, table: () => Table<Value>) {
    this.owner = owner;
    this.sequence = sequence;
    this.id = seed.id;
    this.created_at = seed.created_at;
    this.#seed = seed;
    this.#table = table;
  }

  timeline(): Timeline<Value> {
    if (this.#timeline === undefined) {
      const { record, transitions } = this.#seed.make();
      this.#timeline = { record: this.#table().create(this, record), transitions };
    }
    return this.#timeline;
  }
}

/**
 * The records of one kind and owner in their total order (created_at, then creation sequence), oldest first: a plain
 * sorted array, and a map from the ids. Each record that was read or written is a row of the table.
 */
export class RecordList<Value extends Resource = Resource> {
  readonly #owner: string;
  readonly #table: () => Table<Value>;
  readonly #entries: Entry<Value>[];
  #byId: Map<string, Entry<Value>> | undefined;
  /** The ids of the seeded records that were taken out. */
  readonly #deleted: Set<string>;
  #nextSequence: number;

  private constructor(
    owner: string,
    table: () => Table<Value>,
    entries: Entry<Value>[],
    deleted: Set<string>,
    nextSequence: number,
  ) {
    this.#owner = owner;
    this.#table = table;
    this.#entries = entries;
    this.#deleted = deleted;
    this.#nextSequence = nextSequence;
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

  /** A list of its own that begins alike; its written records are rows of another table. */
  copy(table: () => Table<Value>): RecordList<Value> {
    const written = this.#entries.filter(({ isWritten }) => isWritten);
    for (const entry of written) table().create(entry, entry.timeline().record);
    return new RecordList(this.#owner, table, [...this.#entries], new Set(this.#deleted), this.#nextSequence);
  }

  get length(): number {
    return this.#entries.length;
  }

  /** @throws Error where there is no such index */
  at(index: number): Entry<Value> {
    const entry = this.#entries[index];
    if (entry === undefined) throw new Error(`There is no record ${index} of ${this.length}.`);
    return entry;
  }

  find(id: string): Entry<Value> | undefined {
    this.#byId ??= new Map(this.#entries.map((entry) => [entry.id, entry]));
    return this.#byId.get(id);
  }

  indexOf(entry: Entry<Value>): number {
    return findFirstIndex(this.length, (index) => compareEntries(this.at(index), entry) >= 0);
  }

  /** How many records were created by a time, in seconds since 1970. */
  countUntil(now: number): number {
    return findFirstIndex(this.length, (index) => this.at(index).created_at > now);
  }

  /** What was written, from an index on. */
  writtenFrom(index: number): Entry<Value>[] {
    const written: Entry<Value>[] = [];
    for (let at = index; at < this.length; at += 1) {
      const entry = this.at(at);
      if (entry.isWritten) written.push(entry);
    }
    return written;
  }

  /** Puts a record in, in place of the one of its id, whose sequence it keeps. */
  write(record: Value, created_at: number): void {
    const { id } = record;
    const old = this.find(id);
    if (old !== undefined) this.#entries.splice(this.indexOf(old), 1);
    const sequence = old?.sequence ?? this.#nextSequence++;
    const place = { owner: this.#owner, sequence, isWritten: true };
    const row = old?.isWritten
      ? this.#table().update(this.#owner, record)
      : this.#table().create(place, record);
    const timeline = { record: row, transitions: [] };
    const entry = { ...place, id, created_at, timeline: () => timeline };
    this.#entries.splice(this.indexOf(entry), 0, entry);
    this.#byId?.set(id, entry);
  }

  /** Takes a record out; false where there is none of this id. */
  remove(id: string): boolean {
    const entry = this.find(id);
    if (entry === undefined) return false;
    this.#entries.splice(this.indexOf(entry), 1);
    this.#byId?.delete(id);
    if (entry.sequence < 0) this.#deleted.add(id);
    if (entry.isWritten) this.#table().delete(this.#owner, id);
    return true;
  }

  /** Takes out what was written, with its rows: nothing is left of an owner that is gone. */
  clear(): void {
    for (const { id } of this.#entries.filter(({ isWritten }) => isWritten)) this.remove(id);
  }

  /** What was written, in the order of its creation, and which seeded records were taken out before. */
  changes(): Changes {
    return { records: this.#table().list(this.#owner), deleted: [...this.#deleted].sort() };
  }
}

const compareEntries = (a: Omit<Entry<unknown>, 'timeline'>, b: Omit<Entry<unknown>, 'timeline'>): number =>
  a.created_at - b.created_at || a.sequence - b.sequence;

/** When a record of a kind was created. */
export const createdAt = <Value extends Resource>(kind: Kind<Value>, record: Value): number =>
  kind.createdAt?.(record) ?? 0;
