import * as z from 'zod';
import { createPermutation } from './permutation.ts';
import type { Random } from './random.ts';

/** How many records there are of each state: one number for a natural mix, or an exact number for each state. */
export type Amount<State extends string> = number | ExactAmount<State>;

type ExactAmount<State extends string> = { readonly [Name in State]?: number | undefined };

/** The most records of one collection: an index entry of each could be needed at once. */
const maxCount = 1_000_000;

export const count = z.int().min(0).max(maxCount);

/** The scenario schema of an {@link Amount}. */
export const amountOf = <const States extends readonly [string, ...string[]]>(states: States) =>
  z.union([
    count,
    z
      .partialRecord(z.enum(states), count)
      // A single number that is too large has its own mistake.
      .refine((amounts) => !isTooMany(Object.values(amounts)), `more than ${maxCount} records in all`),
  ]);

const isTooMany = (numbers: readonly unknown[]): boolean => {
  const counts = numbers.map(Number);
  return counts.every((one) => one <= maxCount) && counts.reduce((sum, one) => sum + one, 0) > maxCount;
};

/** How many adjacent records share the second of their creation; without it, a natural pattern. */
export const ties = z.int().min(1).max(maxCount).exactOptional();

/** Which state each rank of a collection is in when the scenario starts; the newest ranks come first. */
export interface Mix<State extends string> {
  readonly size: number;
  /** How many of the newest records are in the state in which records begin. */
  readonly newborn: number;
  /** How many records behind those are young: their states are those that come before an end, and a few ends. */
  readonly young: number;
  readonly stateAt: (rank: number) => State;
}

/** The states of one kind, as they occur. */
export interface Deck<State extends string> {
  /** The state in which a record begins. */
  readonly newborn: State;
  /** The other states that come before an end, which only a young record can have. */
  readonly live: readonly State[];
  /** What the young records of a natural mix are dealt, once. */
  readonly young: readonly State[];
  /** What all the others are dealt, again and again. */
  readonly old: readonly State[];
}

/** Deals states to ranks: a pure function of key, amount and deck, computed rank by rank. */
export const dealStates = <State extends string>(
  key: string,
  amount: Amount<State>,
  deck: Deck<State>,
): Mix<State> =>
  typeof amount === 'number' ? dealNaturally(key, amount, deck) : dealExactly(key, amount, deck);

/** The state of a rank does not depend on the size, so that one record more changes none of the others. */
const dealNaturally = <State extends string>(key: string, size: number, deck: Deck<State>): Mix<State> => {
  const deal = (cards: readonly State[], place: number): State => {
    const round = Math.floor(place / cards.length);
    const card = createPermutation(`${key}/${round}`, cards.length).at(place % cards.length);
    return cards[card] as State; // a permutation stays below its length
  };
  const young = deck.young.length;
  return {
    size,
    newborn: 1,
    young,
    stateAt: (rank) => {
      if (rank === 0) return deck.newborn;
      return rank <= young ? deal(deck.young, rank - 1) : deal(deck.old, rank - 1 - young);
    },
  };
};

/** The states of each part stand in a seeded order, so that each occurs exactly as often as it was asked for. */
const dealExactly = <State extends string>(
  key: string,
  amount: ExactAmount<State>,
  { newborn, live }: Deck<State>,
): Mix<State> => {
  const given = Object.entries(amount) as [State, number | undefined][]; // its keys are states
  const born = amount[newborn] ?? 0;
  const young = dealPiles(
    `${key}/young`,
    given.filter(([state]) => live.includes(state)),
  );
  const old = dealPiles(
    `${key}/old`,
    given.filter(([state]) => state !== newborn && !live.includes(state)),
  );
  return {
    size: born + young.size + old.size,
    newborn: born,
    young: young.size,
    stateAt: (rank) => {
      if (rank < born) return newborn;
      return rank < born + young.size ? young.at(rank - born) : old.at(rank - born - young.size);
    },
  };
};

const dealPiles = <State extends string>(
  key: string,
  piles: readonly (readonly [State, number | undefined])[],
) => {
  let size = 0;
  const ends = piles.map(([state, pile = 0]) => {
    size += pile;
    return { state, end: size };
  });
  const shuffled = createPermutation(key, size);
  const at = (place: number): State => {
    const card = shuffled.at(place);
    return ends.find(({ end }) => card < end)?.state as State; // the last pile ends at the size
  };
  return { size, at };
};

/** Spreads records over time, newest first, with ties: the age in seconds of each rank, which never falls with the rank. */
export interface Ages {
  readonly ageAt: (rank: number) => number;
}

/** `count` records whose ages lie within [from, to]. */
export interface Span {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/**
 * @param spans the newest records, span after span
 * @param rest the others: from which age on, and how many seconds a group of eight takes
 * @param ties how many records share a second, or which of a group do: `[0, 0, 1]` means that the first two do
 */
export const spreadAges = (
  random: (group: string) => Random,
  spans: readonly Span[],
  rest: { readonly from: number; readonly gap: number },
  ties: number | readonly number[],
): Ages => {
  const [size, slots, slotIn] =
    typeof ties === 'number'
      ? [ties, 1, () => 0]
      : [ties.length, (ties.at(-1) ?? 0) + 1, (place: number) => ties[place] ?? 0];
  const slotAt = (place: number): number => Math.floor(place / size) * slots + slotIn(place % size);
  const within = (name: string, slot: number, width: number): number =>
    Math.floor(slot * width) + Math.floor(random(`${name}/${slot}`).float() * width);
  const ageAt = (rank: number): number => {
    let place = rank;
    for (const [index, { count: length, from, to }] of spans.entries()) {
      if (place < length)
        return from + within(`span ${index}`, slotAt(place), (to - from) / (slotAt(length - 1) + 1));
      place -= length;
    }
    return rest.from + within('rest', slotAt(place), rest.gap / slots);
  };
  return { ageAt };
};
