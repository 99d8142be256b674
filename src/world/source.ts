import type { Ids } from './ids.ts';
import type { Life } from './timeline.ts';

/**
 * A seeded collection: a pure function of (seed, kind, owner, rank), of which nothing is made until it is asked for.
 * Rank 0 is the newest record; `createdAt` never rises with the rank.
 */
export interface Source<Resource> {
  readonly size: number;
  readonly ids: Ids;
  /** In seconds since 1970. */
  readonly createdAt: (rank: number) => number;
  readonly make: (rank: number) => Life<Resource>;
}

/** No seeded records at all. */
export const emptySource: Source<never> = {
  size: 0,
  ids: { at: () => '', rankOf: () => undefined },
  createdAt: () => 0,
  make: (rank) => {
    throw new Error(`There is no seeded record of rank ${rank}.`);
  },
};

/** The records of a mapping, by their keys. They have no order, and never change by themselves. */
export const sourceOfKeys = <Value, Resource>(
  mapping: Readonly<Record<string, Value>>,
  make: (id: string, value: Value) => Resource,
): Source<Resource> => {
  const keys = Object.keys(mapping);
  const ranks = new Map(keys.map((key, rank) => [key, rank]));
  const keyAt = (rank: number): string => keys[rank] ?? '';
  return {
    size: keys.length,
    ids: { at: keyAt, rankOf: (id) => ranks.get(id) },
    createdAt: () => 0,
    make: (rank) => ({ resource: make(keyAt(rank), mapping[keyAt(rank)] as Value), timeline: [] }), // it is a key of it
  };
};
