import type * as z from 'zod';
import type { AssumptionId } from '../protocol/assumptions.ts';
import type { Timeline } from './timeline.ts';

/** What seeded records depend on, in addition to their kind, owner and id. */
export interface Seeding {
  readonly seed: number;
  /** The time at which the scenario starts, in seconds since 1970. */
  readonly start: number;
}

/** One part of a scenario: its key and its schema. */
export interface Section<Name extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly name: Name;
  readonly schema: Schema;
}

/** Any record: it has at least an id. */
export interface Resource {
  readonly id: string;
}

/** What a scenario changes in a collection: records to write (whole, or some fields of a seeded one), and ids to delete. */
export interface Changes {
  readonly records: readonly Resource[];
  readonly deleted: readonly string[];
}

/** A record of the base, made from the scenario and its seed. */
export interface Seed<Value extends Resource = Resource> {
  readonly id: string;
  /** In seconds since 1970; 0 for kinds without an order. */
  readonly created_at: number;
  /** The status that it has once its lifespan is over, if that is known without making it. */
  readonly finalStatus?: string | undefined;
  /** Makes the record. It depends only on seed, kind, owner and id. */
  readonly make: () => Timeline<Value>;
}

/** The context in which a written record is completed. */
export interface NewRecord<Value extends Resource = Resource> extends Seeding {
  readonly id: string;
  readonly owner: string;
  /** The owner's other records, newest first, including those that the clock has not reached yet. */
  readonly others: () => readonly Value[];
  /** The world's time, in seconds since 1970. */
  readonly now: number;
}

/**
 * One kind of record: which section of a scenario describes it, how it is seeded, and how a written record is completed.
 * Two kinds may share a section, such as threads and their runs.
 */
export interface Kind<Value extends Resource = Resource, Part extends Section = Section> {
  readonly name: string;
  /** The plural of its name, for instance `runs`. */
  readonly plural: string;
  readonly section: Part;
  /** The kind that owns its records, and the field with the owner's id. Undefined for kinds without an owner. */
  readonly owner?: { readonly kind: string; readonly field: string };
  /** The contract's schema of the record, from which its model is built. */
  readonly record: () => z.ZodObject;
  /** The schema of a written record: the contract's fields, of which only the id is required. */
  readonly fields: z.ZodType;
  /** The names of its states, and the assumption under which other names are allowed. Undefined for kinds without states. */
  readonly states?: { readonly names: readonly string[]; readonly assumption: AssumptionId };
  /** For how many seconds after its creation a seeded record may change. Undefined for kinds that never change. */
  readonly lifespan?: number;
  /** Draws a new id from the stream started last. */
  newId(): string;
  /** The seeded records of `owner` (`''` for kinds without an owner), oldest first. */
  seeds(part: z.output<Part['schema']>, owner: string, seeding: Seeding): readonly Seed<Value>[];
  /**
   * The changes that the scenario makes to the seeded records. Undefined for kinds whose section is a mapping of the records
   * themselves.
   */
  changes?(part: z.output<Part['schema']>, owner: string): Changes;
  /** The section with these changes in place of its own. */
  withChanges(part: z.output<Part['schema']>, owner: string, changes: Changes): z.output<Part['schema']>;
  /** Completes a record: the fields that are not given are seeded, consistent with those that are. */
  complete(given: Partial<Value>, record: NewRecord<Value>): Value;
  /** When a record was created, in seconds since 1970. Undefined for kinds without an order. */
  createdAt?(resource: Value): number;
}

export const defineKind = <Value extends Resource, Part extends Section>(
  kind: Kind<Value, Part>,
): Kind<Value, Part> => kind;

/** Changes nothing. */
export const noChanges: Changes = { records: [], deleted: [] };

/** Seeds a record for each key of a mapping. They have no order and no transitions. */
export const seedsOfKeys = <Value, Record extends Resource>(
  mapping: { readonly [id: string]: Value },
  make: (id: string, value: Value) => Record,
): readonly Seed<Record>[] =>
  // The first key is listed first, like the newest record of other kinds.
  Object.entries(mapping)
    .map(([id, value]) => ({ id, created_at: 0, make: () => ({ record: make(id, value), transitions: [] }) }))
    .reverse();
