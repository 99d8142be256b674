import { parse, stringify } from 'lossless-json';
import { limits } from './limits.ts';
import { messageOf } from './message-of.ts';
import { truncate } from './truncate.ts';

/** The longest text that is parsed with bigints, in characters. The parser takes 30 bytes for each character of a string. */
const maxLossless = 4_000_000;

/** Finds what may be a number of 16 digits or more. The engine can parse texts without such a number, which most are. */
const maybeBigInteger = /[\s[:,]-?[1-9]\d{15}/;

/**
 * Parses JSON like `JSON.parse`, but turns integers beyond 2^53 that a number would round into bigints. A text that nests
 * deeper than `limits.depth`, or has more than 4,000,000 characters, is parsed without bigints.
 *
 * @throws SyntaxError if the text is not JSON
 */
export const parseJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  if (text.length > maxLossless || !maybeBigInteger.test(text)) return value;
  if (isDeeperThan(Object(value), limits.depth)) return value;
  return parse(text, undefined, {
    parseNumber: readNumber,
    onDuplicateKey: ({ newValue }) => newValue, // like JSON.parse
  });
};

/** Finds why a text is not JSON, and where. The messages of this parser, unlike those of the engine, all have a position. */
export const findJsonError = (
  text: string,
): { readonly message: string; readonly at: number } | undefined => {
  try {
    parse(text, undefined, { parseNumber: Number });
    return undefined;
  } catch (error) {
    const [, reason = messageOf(error), at = 0] = /^(.*) at position (\d+)$/s.exec(messageOf(error)) ?? [];
    return { message: truncate(reason), at: Number(at) };
  }
};

/** A number such as 9007199254740993.0 counts as an integer. */
const readNumber = (text: string): number | bigint => {
  const [, digits] = /^(-?\d+)(?:\.0+)?$/.exec(text) ?? [];
  return digits === undefined ? Number(text) : readInteger(digits);
};

/** Reads an integer: as a bigint if a number would round it, as infinity if it is too large for a number. */
export const readInteger = (digits: string): number | bigint => {
  const value = Number(digits);
  const isKept = Number.isSafeInteger(value) || !Number.isFinite(value) || String(value) === digits;
  return isKept ? value : BigInt(digits);
};

/** Writes JSON like `JSON.stringify`, and bigints as integers. */
export const toJsonText = (value: unknown, indent = 0): string => {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return stringify(value, null, indent) ?? ''; // it contains a bigint, which JSON.stringify cannot write
  }
};

/** The same JSON for equal values: keys are sorted, and there are no spaces. */
export const toCanonicalJson = (value: unknown): string => toJsonText(sortKeys(value));

const sortKeys = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(Reflect.get(value, key))]));
};

/** Replaces each bigint in a value by the nearest number. */
export const toNumbers = (value: unknown, above: readonly unknown[] = []): unknown => {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null || above.includes(value)) return value;
  const below = [...above, value];
  const inner = Object.values(value);
  const changed = inner.map((part) => toNumbers(part, below));
  if (changed.every((part, index) => Object.is(part, inner[index]))) return value;
  return Array.isArray(value)
    ? changed
    : Object.fromEntries(Object.keys(value).map((key, index) => [key, changed[index]]));
};

/** Whether a value that `JSON.parse` returned contains a number that may have been rounded. It does not recurse. */
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

/** Describes the type of a JSON value: `an object`, `a number`, `null`. */
export const describeJson = (value: unknown): string => {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number that is too large';
  return typeof value === 'bigint' ? 'a number' : `a ${typeof value}`;
};

/**
 * Whether a value nests deeper than a limit. A value that contains itself does. It does not recurse, since a deep value would
 * overflow the stack.
 */
export const isDeeperThan = (root: object, limit: number): boolean => {
  let level = new Set([root]);
  for (let depth = 1; level.size > 0; depth += 1) {
    if (depth > limit) return true;
    const below = new Set<object>();
    for (const value of level)
      for (const inner of Object.values(value))
        if (typeof inner === 'object' && inner !== null) below.add(inner);
    level = below;
  }
  return false;
};
