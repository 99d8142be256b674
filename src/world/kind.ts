import type * as z from 'zod';
import type { Timeline } from './timeline.ts';

/** What seeded records depend on, besides their kind, owner and id. */
export interface Seeding {
  readonly seed: number;
  /** The time at which the scenario starts, in seconds since 1970. */
  readonly start: number;
}

/** One part of a scenario, by the name of its key. */
export interface Section<Name extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly name: Name;
  readonly schema: Schema;
}

/** Any record: at least it has an id. */
export interface Resource {
  readonly id: string;
}

/** What of a collection was written by hand: whole records or single fields of seeded ones, and seeded ones deleted. */
export interface Changes {
  readonly records: readonly Resource[];
  readonly deleted: readonly string[];
}

/** A record that a scenario and its seed make. */
export interface Seed<Value extends Resource = Resource> {
  readonly id: string;
  /** In seconds since 1970; 0 for kinds without an order. */
  readonly created_at: number;
  /** Makes the record, by draws that depend on seed, kind, owner and id alone. */
  readonly make: () => Timeline<Value>;
}

/** The place of a record that is written by hand. */
export interface NewRecord<Value extends Resource = Resource> extends Seeding {
  readonly id: string;
  readonly owner: string;
  /** The owner's records that there are already, newest first, with those still to come. */
  readonly others: () => readonly Value[];
  /** The world's time, in seconds since 1970. */
  readonly now: number;
}

/**
 * One kind of record: which part of a scenario says what there is of it, how that is seeded, and how a record that is
 * written by hand is completed. Two kinds may read the same section, such as threads and their runs.
 */
export interface Kind<Value extends Resource = Resource, Part extends Section = Section> {
  readonly name: string;
  /** What its records are called together, for instance `runs`. */
  readonly plural: string;
  readonly section: Part;
  /** The kind and the field that name whom a record belongs to; absent for kinds that belong to no other. */
  readonly owner?: { readonly kind: string; readonly field: string };
  /** The record as the contract has it: the columns of its model. */
  readonly record: () => z.ZodObject;
  /** What may be given of a record by hand: its fields as the contract has them, none required. */
  readonly fields: z.ZodType;
  /** A new id, by the stream that was started last. */
  newId(): string;
  /** The seeded records of `owner` (empty for kinds that belong to none), oldest first. */
  seeds(part: z.output<Part['schema']>, owner: string, seeding: Seeding): readonly Seed<Value>[];
  /** What the scenario writes by hand. */
  changes(part: z.output<Part['schema']>, owner: string): Changes;
  /** The same part with these changes instead of its own. */
  withChanges(part: z.output<Part['schema']>, owner: string, changes: Changes): z.output<Part['schema']>;
  /** A whole record made of the fields given: the others are seeded, in agreement with them. */
  complete(given: Partial<Value>, record: NewRecord<Value>): Value;
  /** When a record was created, in seconds since 1970; absent for kinds without an order. */
  createdAt?(resource: Value): number;
}

export const defineKind = <Value extends Resource, Part extends Section>(
  kind: Kind<Value, Part>,
): Kind<Value, Part> => kind;

/** No changes at all. */
export const noChanges: Changes = { records: [], deleted: [] };

/** The records of a mapping, by their keys. They have no order, and never change by themselves. */
export const seedsOfKeys = <Value, Record extends Resource>(
  mapping: { readonly [id: string]: Value },
  make: (id: string, value: Value) => Record,
): readonly Seed<Record>[] =>
  // The first of them is listed first, as the newest of other kinds are.
  Object.entries(mapping)
    .map(([id, value]) => ({ id, created_at: 0, make: () => ({ record: make(id, value), transitions: [] }) }))
    .reverse();
