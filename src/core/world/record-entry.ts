import type { Planned, Resource } from './kind.ts';
import { afterTransitions, countPassed, type Timeline, toWritten } from './timeline.ts';

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
    { id, created_at, finalStatus, make }: Planned<Value>,
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
  at(now: number): Value {
    const timeline = this.timeline();
    const passed = countPassed(timeline, now);
    if (this.#read?.passed !== passed) this.#read = { passed, record: afterTransitions(timeline, passed) };
    return this.#read.record;
  }

  /** The record as a scenario lists it, with its transitions if it has any. Cached: each change of a session exports all written records. */
  written(): Resource {
    this.#written ??= toWritten(this.timeline());
    return this.#written;
  }
}
