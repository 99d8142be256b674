/** An alphabet for {@link Random.text}: its order is part of the bytes that a seed gives. */
export const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A stream of numbers that depends on its key alone. */
export interface Random {
  /** In [0, 1). */
  readonly float: () => number;
  /** In [from, to], both included. */
  readonly int: (from: number, to: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <const Values extends readonly [unknown, ...unknown[]]>(values: Values) => Values[number];
  /** The index of one of the weights, each drawn as often as it weighs. */
  readonly weighted: (weights: readonly number[]) => number;
  /** `count` integers in [from, to], rising, equal ones allowed. */
  readonly rising: (count: number, from: number, to: number) => number[];
  /** `length` characters of the alphabet. */
  readonly text: (length: number, alphabet: string) => string;
}

/** The stream of one key: the same key, the same numbers, in any process and on any platform. */
export const createRandom = (...key: readonly (string | number)[]): Random => {
  const float = createFloats(key.join('/'));
  const int = (from: number, to: number): number => from + Math.floor(float() * (to - from + 1));
  return {
    float,
    int,
    chance: (share) => float() < share,
    pick: (values) => values[int(0, values.length - 1)],
    weighted: (weights) => {
      let left = float() * weights.reduce((sum, weight) => sum + weight, 0);
      const index = weights.findIndex((weight) => {
        left -= weight;
        return left < 0;
      });
      return Math.max(0, index);
    },
    rising: (count, from, to) => Array.from({ length: count }, () => int(from, to)).sort((a, b) => a - b),
    text: (length, alphabet) =>
      Array.from({ length }, () => alphabet.charAt(Math.floor(float() * alphabet.length))).join(''),
  };
};

/** Mixes 32 bits so that each input bit reaches each output bit. */
export const mix = (value: number): number => {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** 32 bits of a text; `lane` gives independent ones. */
export const hash = (text: string, lane = 0): number => {
  let state = mix(lane + 0x9e3779b9);
  for (let at = 0; at < text.length; at += 1)
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193) ^ (state >>> 15);
  return mix(state ^ text.length);
};

/** A small fast counter generator (sfc32) over four lanes of the key's hash. */
const createFloats = (key: string): (() => number) => {
  let a = hash(key, 1);
  let b = hash(key, 2);
  let c = hash(key, 3);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 8; round += 1) next();
  return () => next() / 0x1_0000_0000;
};
