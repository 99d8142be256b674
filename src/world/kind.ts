import type * as z from 'zod';
import { createRandom, type Random } from './random.ts';
import type { Source } from './source.ts';

/** What a seeded record may depend on, besides its kind, owner and rank. */
export interface Seeding {
  readonly seed: number;
  /** The moment at which the scenario starts, in seconds since 1970. */
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

/** The place of a record that is written by hand. */
export interface NewRecord<Value extends Resource = Resource> extends Seeding {
  readonly id: string;
  readonly owner: string;
  /** The owner's records that there are already, newest first, with those still to come. */
  readonly others: () => Iterable<Value>;
  /** The world's time, in seconds since 1970. */
  readonly now: number;
}

/**
 * One kind of record: which part of a scenario tells what there is of it, how that is seeded, and how a record that is
 * written by hand is completed. Two kinds may read the same section, such as threads and their runs.
 */
export interface Kind<Value extends Resource = Resource, Part extends Section = Section> {
  readonly name: string;
  /** What its records are called together, for instance `runs`. */
  readonly plural: string;
  readonly section: Part;
  /** The kind and the field that tell whom a record belongs to; absent for kinds that belong to no other. */
  readonly owner?: { readonly kind: string; readonly field: string };
  /** What may be given of a record by hand: its fields as the contract has them, none required. */
  readonly fields: z.ZodType;
  /** How new ids look, seeded by the key. */
  newId(key: string): string;
  /** The seeded records of `owner` (empty for kinds that belong to none). */
  source(part: z.output<Part['schema']>, owner: string, seeding: Seeding): Source<Value>;
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

/** The stream of one seeded record: it depends on nothing else, so that no other record can change it. */
export const randomOf = ({ seed }: Seeding, kind: string, owner: string, rank: number | string): Random =>
  createRandom(seed, kind, owner, rank);

/** No changes at all. */
export const noChanges: Changes = { records: [], deleted: [] };
