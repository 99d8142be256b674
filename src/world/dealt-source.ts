import type { Ids } from './ids.ts';
import { type Amount, type Deck, dealStates, spreadAges } from './mix.ts';
import { createRandom } from './random.ts';
import type { Source } from './source.ts';
import type { Life } from './timeline.ts';

/** How the records of a kind that has states usually lie in time; ages are in seconds. */
export interface Habits<State extends string> {
  readonly deck: Deck<State>;
  readonly newborn: { readonly from: number; readonly to: number };
  readonly young: { readonly from: number; readonly to: number };
  readonly old: { readonly from: number; readonly gap: number };
  /** Which of a group of records share a second: `[0, 0, 1]` means that the first two do. */
  readonly ties: readonly number[];
}

/** What one collection asks for. */
export interface Dealing<State extends string> {
  /** What all that is drawn for the collection depends on. */
  readonly key: string;
  readonly ids: Ids;
  readonly amount: Amount<State>;
  /** How many records share a second, instead of the usual ties. */
  readonly ties: number | undefined;
  /** The moment at which the records are in these states, in seconds since 1970. */
  readonly start: number;
}

/** A seeded collection, newest first, whose records are dealt their states and their ages. */
export const createDealtSource = <Resource, State extends string>(
  { deck, newborn, young, old, ties: usualTies }: Habits<State>,
  { key, ids, amount, ties, start }: Dealing<State>,
  make: (rank: number, state: State, created: number) => Life<Resource>,
): Source<Resource> => {
  const mix = dealStates(`${key}/state`, amount, deck);
  const spans = [
    { count: mix.newborn, ...newborn },
    { count: mix.young, ...young },
  ];
  const ages = spreadAges((group) => createRandom(key, 'age', group), spans, old, ties ?? usualTies);
  const createdAt = (rank: number): number => start - ages.ageAt(rank);
  return { size: mix.size, ids, createdAt, make: (rank) => make(rank, mix.stateAt(rank), createdAt(rank)) };
};
