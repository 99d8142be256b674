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

/** A few records that are written out, by their ids. They never change by themselves. */
export const sourceOf = <Resource>(
  entries: readonly (readonly [id: string, make: () => Resource])[],
): Source<Resource> => {
  const ranks = new Map(entries.map(([id], rank) => [id, rank]));
  const entry = (rank: number) => {
    const found = entries[rank];
    if (found === undefined)
      throw new RangeError(`No record has the rank ${rank}: there are ${entries.length}.`);
    return found;
  };
  return {
    size: entries.length,
    ids: { at: (rank) => entry(rank)[0], rankOf: (id) => ranks.get(id) },
    createdAt: () => Number.NEGATIVE_INFINITY,
    make: (rank) => ({ resource: entry(rank)[1](), timeline: [] }),
  };
};

/** The records of the first source, then those of the second. */
export const concatSources = <Resource>(
  first: Source<Resource>,
  second: Source<Resource>,
): Source<Resource> => {
  const pick = <Result>(rank: number, read: (source: Source<Resource>, rank: number) => Result): Result =>
    rank < first.size ? read(first, rank) : read(second, rank - first.size);
  return {
    size: first.size + second.size,
    ids: {
      at: (rank) => pick(rank, (source, at) => source.ids.at(at)),
      rankOf: (id) => {
        const rank = first.ids.rankOf(id);
        if (rank !== undefined && rank < first.size) return rank;
        const behind = second.ids.rankOf(id);
        return behind === undefined ? undefined : behind + first.size;
      },
    },
    createdAt: (rank) => pick(rank, (source, at) => source.createdAt(at)),
    make: (rank) => pick(rank, (source, at) => source.make(at)),
  };
};
