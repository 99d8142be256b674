import type * as z from 'zod';
import type { AssumptionChoices } from '../assumptions/table.ts';
import type { ValidationError } from '../util/validation-error.ts';
import type { AnyLifecycle, Ending } from './lifecycle.ts';
import type { Timeline } from './timeline.ts';

/** The values on which seeded records depend, besides their kind, owner and id. */
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

/** What a scenario changes in a list: records to write (complete, or some fields of a seeded record), and ids to delete. */
export interface ListChanges<Value extends Resource = Resource> {
  records: Value[];
  deleted: string[];
}

/** The plan of a seeded record, whose fields are made when it is first read. */
export interface RecordPlan<Value extends Resource = Resource> {
  readonly id: string;
  /** In seconds since 1970; 0 for kinds without an order. */
  readonly created_at: number;
  /** The status that the record has once its lifespan is over; undefined if only making it would tell. */
  readonly finalStatus?: string | undefined;
  /** Makes the record. It depends only on this plan, the seed, the kind and the owner. */
  readonly make: () => Timeline<Value>;
}

/** The context in which a record is written. */
export interface WriteContext<Value extends Resource = Resource> extends Seeding {
  readonly owner: string;
  /** The world's time, in seconds since 1970. */
  readonly now: number;
  /** The owner's records before and after a time, in seconds since 1970. */
  readonly neighbours: (time: number) => Neighbours<Value>;
}

/** The last record that is created by a time, and the first one after it; undefined if there is none. */
export interface Neighbours<Value extends Resource = Resource> {
  readonly before?: Value | undefined;
  readonly after?: Value | undefined;
}

/**
 * One kind of record: which section of a scenario describes it, how it is seeded, and how a written record is completed.
 * Two kinds may share a section, such as threads and their runs.
 */
export interface Kind<Value extends Resource = Resource, KindSection extends Section = Section> {
  readonly name: string;
  /** The plural of its name, for instance `runs`. */
  readonly plural: string;
  readonly section: KindSection;
  /** The kind that owns its records, and the field with the owner's id. Undefined for kinds without an owner. */
  readonly owner?: { readonly kind: string; readonly field: string };
  /** The columns of its model: the names of a record's fields, in order. */
  readonly columns: readonly string[];
  /** The schema of a written record: the contract's fields, of which only the id is required. */
  readonly fields: z.ZodType;
  /** The states of its records. Undefined for kinds that never change. */
  readonly lifecycle?: AnyLifecycle;
  /** Finds the errors of a written record that its schema cannot find, under these assumptions, with their paths in the record. */
  readonly findErrors?: (record: unknown, assumptions: AssumptionChoices) => Iterable<ValidationError>;
  /** Draws a new id from the stream started last. */
  newId(): string;
  /** The seeded records of `owner` (`''` for kinds without an owner), oldest first. */
  seeds(part: z.output<KindSection['schema']>, owner: string, seeding: Seeding): readonly RecordPlan<Value>[];
  /**
   * The changes that the scenario makes to the seeded records, if any. Not defined for kinds whose section lists the records
   * themselves by their ids.
   */
  changes?(part: z.output<KindSection['schema']>, owner: string): ListChanges | undefined;
  /** A copy of the section in which these changes replace its own. */
  withChanges(
    part: z.output<KindSection['schema']>,
    owner: string,
    changes: ListChanges<Value>,
  ): z.output<KindSection['schema']>;
  /**
   * A record that a user writes. Its `status` and `created_at` decide its states; no other field that the user sets changes
   * further fields.
   */
  write(fields: Partial<Value> & Resource, context: WriteContext<Value>, ending?: Ending): Timeline<Value>;
  /** A record that enters a status now, and continues its lifecycle from there. Undefined for kinds without a lifecycle. */
  enter?(record: Value, status: string, context: WriteContext<Value>, ending?: Ending): Timeline<Value>;
}
