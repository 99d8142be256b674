import type { OrderedList } from '../protocol/cursor-page.ts';
import type { Clock } from './clock.ts';
import type { Changes, Kind, Resource } from './kind.ts';
import type { Table } from './models.ts';
import { createdAt, type Entry, type RecordList } from './record-list.ts';
import { afterTransitions, countPassed } from './timeline.ts';

/**
 * The records of one kind and owner in one world, as they are at its clock's time, oldest first: those created by then, and
 * behind them those that were written by hand and stay although the clock went back. Its list is the base's, which all
 * worlds share, until something is written: then it is a copy of that, with the same entries.
 */
export class Collection<Value extends Resource = Resource> implements OrderedList<Value> {
  readonly #kind: Kind<Value>;
  readonly #table: () => Table<Value>;
  readonly #clock: Clock;
  readonly #onWrite: () => void;
  #list: RecordList<Value>;
  #isChanged = false;
  /** What was written ahead of the clock, as it was found last. */
  #seen: { readonly due: number; readonly ahead: readonly Entry<Value>[] } | undefined;

  /** @param table where this world's own records are */
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

  /** How many records there are at the clock's time. */
  get length(): number {
    const due = this.#due();
    return due + this.#ahead(due).length;
  }

  at(index: number): Value {
    return this.#read(this.#entryAt(index));
  }

  /** Where the record of this id stands; -1 where there is none, or none yet. */
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

  /** The newest entries, newest first: at most `max` of those that there are at the clock's time. */
  newest(max = Number.POSITIVE_INFINITY): Entry<Value>[] {
    const { length } = this;
    return Array.from({ length: Math.min(max, length) }, (_, at) => this.#entryAt(length - 1 - at));
  }

  /** All records, newest first, with those still to come. */
  all(): Value[] {
    const { length } = this.#list;
    return Array.from({ length }, (_, at) => this.#read(this.#list.at(length - 1 - at)));
  }

  /** When the next record appears; undefined where all have. */
  nextCreation(): number | undefined {
    for (let index = this.#due(); index < this.#list.length; index += 1) {
      const { isWritten, created_at } = this.#list.at(index);
      if (!isWritten) return created_at;
    }
    return undefined;
  }

  /** Puts a record in, in place of the one that has its id. From now on it stays as it is given. */
  write(record: Value): void {
    this.#own().write(record, createdAt(this.#kind, record));
  }

  /** Takes a record out; false where there is none of this id. */
  remove(id: string): boolean {
    return this.#list.find(id) !== undefined && this.#own().remove(id);
  }

  /** Takes out what was written. */
  clear(): void {
    this.#own().clear();
  }

  /** Whether anything was written or taken out, even where nothing of that is left. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** What was written, and which seeded records were taken out, by the scenario or since. */
  changes(): Changes {
    return this.#list.changes();
  }

  /** How many records were created by now. */
  #due(): number {
    return this.#list.countUntil(this.#clock.now());
  }

  /** The records that were created later and are there all the same: what was written stays when the clock goes back. */
  #ahead(due: number): readonly Entry<Value>[] {
    if (this.#seen?.due !== due) this.#seen = { due, ahead: this.#list.writtenFrom(due) };
    return this.#seen.ahead;
  }

  /** @throws Error where there is no such index */
  #entryAt(index: number): Entry<Value> {
    const due = this.#due();
    if (index < due) return this.#list.at(index);
    const entry = this.#ahead(due)[index - due];
    if (entry === undefined) throw new Error(`There is no record ${index} of ${this.length}.`);
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

/** The last view of each entry. It is made anew once another transition is passed. */
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
