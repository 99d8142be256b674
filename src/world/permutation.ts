import { hash, mix } from './random.ts';

/** A seeded order of the numbers below `size`, computed number by number in both directions. */
export interface Permutation {
  readonly at: (index: number) => number;
  readonly indexOf: (value: number) => number;
}

const rounds = [0, 1, 2, 3] as const;

/**
 * A Feistel network over the next even number of bits, walked until it falls below `size`: nothing is stored, so the
 * order of a hundred thousand records costs nothing until one asks for a place in it.
 */
export const createPermutation = (key: string, size: number): Permutation => {
  const half = Math.max(1, Math.ceil(Math.log2(Math.max(2, size)) / 2));
  const mask = 2 ** half - 1;
  const keys = rounds.map((round) => hash(key, round));
  const scramble = (part: number, round: number): number => mix(part ^ (keys[round] ?? 0)) & mask;
  const join = (left: number, right: number): number => left * (mask + 1) + right;
  const split = (value: number): [number, number] => [Math.floor(value / (mask + 1)), value % (mask + 1)];

  const forth = (value: number): number => {
    let [left, right] = split(value);
    for (const round of rounds) [left, right] = [right, left ^ scramble(right, round)];
    return join(left, right);
  };
  const back = (value: number): number => {
    let [left, right] = split(value);
    for (const round of rounds.toReversed()) [left, right] = [right ^ scramble(left, round), left];
    return join(left, right);
  };
  const walk = (step: (value: number) => number) => (start: number) => {
    let value = step(start);
    while (value >= size) value = step(value);
    return value;
  };
  return { at: walk(forth), indexOf: walk(back) };
};
