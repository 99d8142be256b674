/** A part of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A secret in a text. */
export interface Found extends Range {
  readonly secret: string;
}

/** Shorter secrets are not searched for. */
export const minSecret = 8;

/** A match on this many leading characters counts, since a text may quote a secret cut short. */
const headLength = 16;

/** Finds secrets in texts. */
export interface SecretFinder {
  /** The secrets in a text, in order, each as long as possible. */
  readonly find: (text: string) => Found[];
  /** How many characters and candidates were visited, for tests: the work grows with the text, not with the secrets. */
  readonly visited: () => number;
}

/**
 * Creates a finder for any number of secrets of 8 or more characters. One pass over a text looks each window of 8 characters
 * up in a small table; only where that may start a secret, a binary search decides.
 */
export const createFinder = (given: readonly string[]): SecretFinder => {
  const secrets = [...new Set(given)].filter(({ length }) => length >= minSecret);
  const heads = createHeads(secrets);
  const longest = secrets.reduce((length, secret) => Math.max(length, secret.length), 0);
  let shorter: readonly number[] | undefined; // set once the secrets are sorted
  let visited = 0;

  /** The secret that a text continues like for longest; for `longest` characters at most. */
  const matchAt = (text: string, start: number): Found | undefined => {
    shorter ??= findShorter(secrets.sort(compare));
    const rest = text.slice(start, start + longest);
    const next = findPlace(secrets, rest);
    visited += 1;
    let best: Found | undefined;
    for (let index of [next - 1, next]) {
      const length = commonLength(secrets[index] ?? '', rest);
      visited += length;
      // A secret that begins the same way may be shorter, and match as a whole.
      while (index >= 0 && length < Math.min(headLength, secrets[index]?.length ?? 0))
        index = shorter[index] ?? -1;
      const secret = secrets[index];
      if (secret === undefined) continue;
      const end = start + Math.min(length, secret.length);
      if (best === undefined || end > best.end) best = { start, end, secret };
    }
    return best;
  };

  const find = (text: string): Found[] => {
    const found: Found[] = [];
    if (secrets.length === 0) return found;
    let hash = 0;
    let filled = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = nextHash(hash, text.charCodeAt(at));
      filled += 1;
      if (filled < minSecret || !heads.mayHave(hash)) continue;
      visited += 1;
      if (!heads.has(text.slice(at - minSecret + 1, at + 1))) continue;
      const match = matchAt(text, at - minSecret + 1);
      if (match === undefined) continue;
      found.push(match);
      at = match.end - 1;
      filled = 0;
    }
    visited += text.length;
    return found;
  };
  return { find, visited: () => visited };
};

/** Makes a check of whether a secret may start in some texts, by its first 8 characters. It may be wrong in that it does. */
export const createStartCheck = (texts: readonly string[]): ((secret: string) => boolean) => {
  const total = texts.reduce((sum, { length }) => sum + length, 0);
  const shift = total < 1000 ? 20 : 16;
  const windows = new Uint8Array(2 ** (32 - shift));
  for (const text of texts) {
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = nextHash(hash, text.charCodeAt(at));
      if (at >= minSecret - 1) windows[hash >>> shift] = 1;
    }
  }
  return (secret) => secret.length >= minSecret && windows[hashHead(secret) >>> shift] === 1;
};

/** The hash of the first 8 characters. */
const hashHead = (secret: string): number => {
  let hash = 0;
  for (let at = 0; at < minSecret; at += 1) hash = nextHash(hash, secret.charCodeAt(at));
  return hash;
};

/** The first 8 characters of secrets, and a table of their hashes, some of which are set by chance. */
const createHeads = (secrets: readonly string[]) => {
  const shift = secrets.length > 16 ? 16 : 20;
  const table = new Uint8Array(2 ** (32 - shift));
  const heads = new Set<string>();
  for (const secret of secrets) {
    table[hashHead(secret) >>> shift] = 1;
    heads.add(secret.slice(0, minSecret));
  }
  return { mayHave: (hash: number) => table[hash >>> shift] === 1, has: (head: string) => heads.has(head) };
};

/** For each of the sorted secrets, the longest other one that it starts with, if that is too short to be known by its head. */
const findShorter = (sorted: readonly string[]): number[] => {
  const open: number[] = [];
  return sorted.map((secret, index) => {
    while (open.length > 0 && !secret.startsWith(sorted[open.at(-1) ?? 0] ?? '')) open.pop();
    const found = open.at(-1) ?? -1;
    if (secret.length < headLength) open.push(index);
    return found;
  });
};

/** The index of the first of the sorted secrets that is not less than a text. */
const findPlace = (sorted: readonly string[], text: string): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** With how many equal characters two texts begin. */
const commonLength = (one: string, other: string): number => {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
};

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The hash of the last 8 characters: each shift by 4 bits moves a character out after 8 more. */
const nextHash = (hash: number, code: number): number => ((hash << 4) ^ Math.imul(code, 0x9e3779b1)) | 0;
