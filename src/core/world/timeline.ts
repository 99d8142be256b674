import type { RecordPlan, Resource } from './kind.ts';

/** A change of some fields of a record, from the time `at` on, in seconds since 1970. */
export interface Transition<Value> {
  readonly at: number;
  readonly set: Partial<Value>;
}

/** A record before its transitions, and its transitions in order of time. */
export interface Timeline<Value> {
  readonly record: Value;
  readonly transitions: readonly Transition<Value>[];
}

/** How many transitions have happened by a time. */
export const countPassed = ({ transitions }: Timeline<unknown>, now: number): number => {
  const next = transitions.findIndex(({ at }) => at > now);
  return next === -1 ? transitions.length : next;
};

/** A record after its first `count` transitions. */
export const afterTransitions = <Value extends object>(
  { record, transitions }: Timeline<Value>,
  count: number,
): Value =>
  count === 0 ? record : Object.assign({}, record, ...transitions.slice(0, count).map(({ set }) => set));

/** A record as it is at a time. It is a pure function, so that the clock can go back. */
export const recordAt = <Value extends object>(timeline: Timeline<Value>, now: number): Value =>
  afterTransitions(timeline, countPassed(timeline, now));

/** A record as a scenario lists it, with its transitions if it has any. */
const toWritten = <Value extends object>({ record, transitions }: Timeline<Value>): Value =>
  transitions.length === 0
    ? record
    : { ...record, transitions: transitions.map(({ at, set }) => ({ at, set: inOrderOf(record, set) })) };

/** The fields in the order of a record, as the schema of a scenario returns them: an export of an import is the same text. */
const inOrderOf = (record: object, set: object): object => {
  const fields = Object.keys(record);
  return Object.fromEntries(Object.entries(set).sort(([a], [b]) => fields.indexOf(a) - fields.indexOf(b)));
};

/** A record of a list. Its fields are made when it is first read. Entries never change, except for cached values, so worlds share them. */
export class RecordEntry<Value extends Resource = Resource> {
  readonly id: string;
  /** In seconds since 1970; 0 for kinds without an order. */
  readonly created_at: number;
  readonly finalStatus: string | undefined;
  readonly owner: string;
  /** Orders records with the same `created_at`. Seeded records have negative numbers. */
  readonly sequence: number;
  /** Whether a user wrote it, so that it does not follow from the seed. */
  readonly isWritten: boolean;
  readonly #make: () => Timeline<Value>;
  #timeline: Timeline<Value> | undefined;
  /** The record as it was last read, with the number of transitions that it includes. */
  #read: { readonly passed: number; readonly record: Value } | undefined;
  #written: Resource | undefined;

  constructor(
    { id, created_at, finalStatus, make }: RecordPlan<Value>,
    owner: string,
    sequence: number,
    isWritten: boolean,
  ) {
    this.id = id;
    this.created_at = created_at;
    this.finalStatus = finalStatus;
    this.owner = owner;
    this.sequence = sequence;
    this.isWritten = isWritten;
    this.#make = make;
  }

  timeline(): Timeline<Value> {
    this.#timeline ??= this.#make();
    return this.#timeline;
  }

  /** The record as it is at a time, in seconds since 1970. */
  readAt(now: number): Value {
    const timeline = this.timeline();
    const passed = countPassed(timeline, now);
    if (this.#read?.passed !== passed) this.#read = { passed, record: afterTransitions(timeline, passed) };
    return this.#read.record;
  }

  /** The record as a scenario lists it, with its transitions if it has any. Cached: a state directory exports all written records after changes. */
  written(): Resource {
    this.#written ??= toWritten(this.timeline());
    return this.#written;
  }
}
