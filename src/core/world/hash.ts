/** Mixes 32 bits, so that each input bit affects each output bit. */
export const scramble = (value: number): number => {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** A 32-bit hash of a text. Different salts give independent hashes. */
export const hash = (text: string, salt = 0): number => {
  let state = scramble(salt + 0x9e3779b9);
  for (let at = 0; at < text.length; at += 1)
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193) ^ (state >>> 15);
  return scramble(state ^ text.length);
};

/**
 * A 64-bit hash of a text, as 16 hex digits, to see whether something has changed. It also runs in a browser, which has no hash
 * that is synchronous. It does not protect against somebody who looks for two texts with the same hash.
 */
export const hashToHex = (text: string): string => [0, 1].map((salt) => toHex(hash(text, salt))).join('');

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Eight hex digits, from a table: `toString(16)` takes eight times as long, 20 % of our time for a page. */
export const toHex = (word: number): string =>
  `${bytes[word >>> 24]}${bytes[(word >>> 16) & 0xff]}${bytes[(word >>> 8) & 0xff]}${bytes[word & 0xff]}`;
