import { parse, stringify } from 'lossless-json';

/** How deep a JSON value may nest: far beyond any real one, and well within what can be written again. */
export const maxDepth = 500;

/** What may be a number of 16 digits or more. Most texts hold none, and need no more than the engine's own parser. */
const maybeBigInteger = /[\s[:,]-?[1-9]\d{15}/;

/**
 * Reads JSON text. An integer beyond 2^53 whose digits no number keeps becomes a bigint; any other number is what
 * `JSON.parse` makes of it, and so is all of a text that nests deeper than {@link maxDepth}.
 *
 * @throws SyntaxError where the text is no JSON
 */
export const parseJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  if (!maybeBigInteger.test(text) || isDeeperThan(Object(value), maxDepth)) return value;
  return parse(text, undefined, {
    parseNumber: readNumber,
    onDuplicateKey: ({ newValue }) => newValue, // as JSON.parse has it
  });
};

/** A fraction of zeros is none: 9007199254740993.0 is that integer. */
const readNumber = (text: string): number | bigint => {
  const [, digits] = /^(-?\d+)(?:\.0+)?$/.exec(text) ?? [];
  return digits === undefined ? Number(text) : readInteger(digits);
};

/** An integer by its digits: a bigint where a number would have others; infinity where it is too large for any number. */
export const readInteger = (digits: string): number | bigint => {
  const value = Number(digits);
  const isKept = Number.isSafeInteger(value) || !Number.isFinite(value) || String(value) === digits;
  return isKept ? value : BigInt(digits);
};

/** Writes JSON text as `JSON.stringify` does, and a bigint with its digits. */
export const toJsonText = (value: unknown, indent = 0): string => {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return stringify(value, null, indent) ?? ''; // it holds a bigint, which JSON.stringify cannot write
  }
};

/** The same value with the nearest number for each bigint: for what holds plain numbers. */
export const toNumbers = (value: unknown, above: readonly unknown[] = []): unknown => {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null || above.includes(value)) return value;
  const below = [...above, value];
  const entries = Object.entries(value).map(([key, inner]) => [key, inner, toNumbers(inner, below)] as const);
  if (entries.every(([, inner, changed]) => Object.is(inner, changed))) return value;
  return Array.isArray(value)
    ? entries.map(([, , changed]) => changed)
    : Object.fromEntries(entries.map(([key, , changed]) => [key, changed]));
};

/** Whether `JSON.parse` may have given a number in it other digits than were sent. It walks without recursion. */
export const hasRounded = (root: object): boolean => {
  let level: unknown[] = [root];
  while (level.length > 0) {
    if (level.some((value) => typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)))
      return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
};

/** What a JSON value is, in words: `an object`, `a number`, `null`. */
export const describeJson = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number too large to hold';
  return typeof value === 'bigint' ? 'a number' : `a ${typeof value}`;
};

/** Whether a value nests deeper. It walks without recursion, which is what a deep one would break. */
export const isDeeperThan = (root: object, limit: number): boolean => {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((value) =>
      Object.values(value).filter((inner) => typeof inner === 'object' && inner !== null),
    );
  }
  return false;
};
