import type { z } from 'zod';
import { createRandom, type Random } from './random.ts';
import type { Source } from './source.ts';

/** What a seeded record may depend on, besides its kind, owner and rank. */
export interface Seeding {
  readonly seed: number;
  /** The moment at which the scenario starts, in seconds since 1970. */
  readonly start: number;
  /** Hand-written material by kind and name. */
  readonly fixtures: Fixtures;
}

export interface Fixtures {
  readonly prompts: Readonly<Record<string, unknown>>;
}

/** One part of a scenario, by the name of its key. */
export interface Section<Name extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly name: Name;
  readonly schema: Schema;
}

/**
 * One kind of record: which part of a scenario tells what there is of it, and how that is seeded.
 * Two kinds may read the same section, such as threads and their runs.
 */
export interface Kind<Resource extends object = object, Part extends Section = Section> {
  readonly name: string;
  readonly section: Part;
  /** The records that belong to `owner` (empty for kinds that belong to none); undefined where there is no such owner. */
  source(part: z.output<Part['schema']>, owner: string, seeding: Seeding): Source<Resource> | undefined;
}

export const defineKind = <Resource extends object, Part extends Section>(
  kind: Kind<Resource, Part>,
): Kind<Resource, Part> => kind;

/** The stream of one seeded record: it depends on nothing else, so that no other record can change it. */
export const randomOf = ({ seed }: Seeding, kind: string, owner: string, rank: number): Random =>
  createRandom(seed, kind, owner, rank);
