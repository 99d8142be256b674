import { createPermutation } from './permutation.ts';
import { createRandom } from './random.ts';

/** The ids of one seeded collection: each tells its rank, so that a cursor is found without a table. */
export interface Ids {
  readonly at: (rank: number) => string;
  /** The rank that an id stands for; undefined where it is none of these ids. */
  readonly rankOf: (id: string) => number | undefined;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const hexDigits = `${digits.slice(0, 10)}abcdef`;
const ranks = 2 ** 32;

/** Ids such as `run_4Tq0…`: the prefix and 24 letters or digits. */
export const createIds = (prefix: string, key: string): Ids =>
  encodeRanks(key, {
    write: (head, tail) => prefix + toDigits(head, 62, 6) + tail(18, digits),
    read: (id) =>
      id.startsWith(prefix) ? fromDigits(id.slice(prefix.length, prefix.length + 6), 62) : undefined,
  });

/** Uuids of version 4, in lower case. */
export const createUuids = (key: string): Ids =>
  encodeRanks(key, {
    write: (head, tail) => {
      const rest = tail(22, hexDigits);
      const variant = '89ab'.charAt(head % 4);
      return `${head.toString(16).padStart(8, '0')}-${rest.slice(0, 4)}-4${rest.slice(4, 7)}-${variant}${rest.slice(7, 10)}-${rest.slice(10)}`;
    },
    read: (id) => (/^[0-9a-f]{8}-/.test(id) ? Number.parseInt(id.slice(0, 8), 16) : undefined),
  });

interface Spelling {
  readonly write: (head: number, tail: (length: number, alphabet: string) => string) => string;
  readonly read: (id: string) => number | undefined;
}

/** The rank stands enciphered at the head; the tail is drawn by key and rank, and proves that the id is one of these. */
const encodeRanks = (key: string, { write, read }: Spelling): Ids => {
  const cipher = createPermutation(key, ranks);
  const at = (rank: number): string => write(cipher.at(rank), createRandom(key, 'id', rank).text);
  return {
    at,
    rankOf: (id) => {
      const head = read(id);
      if (head === undefined || head >= ranks) return undefined;
      const rank = cipher.indexOf(head);
      return at(rank) === id ? rank : undefined;
    },
  };
};

const toDigits = (value: number, base: number, length: number): string => {
  let text = '';
  for (let left = value; text.length < length; left = Math.floor(left / base))
    text = digits.charAt(left % base) + text;
  return text;
};

const fromDigits = (text: string, base: number): number | undefined => {
  let value = 0;
  for (const digit of text) {
    const worth = digits.indexOf(digit);
    if (worth === -1) return undefined;
    value = value * base + worth;
  }
  return value;
};
