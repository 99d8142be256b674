// The values that masks replace in the journal. Only filters use them: they are in no output.

import { isDeeperThan, parseJson, toJsonText } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import { isMapping, mapValues } from '../util/mapping.ts';
import { tryParse } from '../util/try-parse.ts';

/** Hashes a value: equal values have equal digests, and nobody can get the value back. */
export type Digest = (value: string) => string;

/** The masked values of a request, by the names that the journal shows, and whether its body was cut. */
export interface MaskedValues {
  readonly headers: Readonly<Record<string, string>>;
  /** For each value of a parameter: the sent value; null if it is not masked. */
  readonly query: Readonly<Record<string, readonly (string | null)[]>>;
  /** The whole body if something in it is masked; or, if values are digests, the masked values by their paths. */
  readonly body?: string | Readonly<Record<string, string>>;
  readonly isCut?: true;
  /** Undefined if the values are as they were sent. */
  readonly digest?: Digest;
}

/** The path that stands for the whole body. */
export const wholeBody = '';

/** The path of an item in a body. */
const pathBelow = (path: string, key: string | number): string => `${path}/${key}`;

/** The masked values of a body, by their paths: each as JSON, and the whole body as its text. @param shown with masks */
export const findMasked = (sent: string, shown: string): ReadonlyMap<string, string> => {
  const masked = new Map([[wholeBody, sent]]);
  const compare = (sentValue: unknown, shownValue: unknown, path: string): void => {
    if (typeof sentValue !== 'object' || sentValue === null) {
      if (sentValue !== shownValue) masked.set(path, toJsonText(sentValue));
      return;
    }
    for (const [key, value] of Object.entries(sentValue))
      compare(value, Reflect.get(Object(shownValue), key), pathBelow(path, key));
  };
  compare(parseStart(sent).value, parseStart(shown).value, wholeBody);
  masked.set(wholeBody, sent); // also if the body is a single value
  return masked;
};

/** Replaces the values by digests, so that they can be stored. */
export const toDigests = (sent: MaskedValues, shown: string | null, digest: Digest): MaskedValues => {
  if (sent.digest !== undefined) return sent;
  const { headers, query, body, isCut } = sent;
  const digestAll = (values: Iterable<readonly [string, string]>): Record<string, string> =>
    Object.fromEntries(Array.from(values, ([name, value]) => [name, digest(value)]));
  return {
    headers: digestAll(Object.entries(headers)),
    query: mapValues(query, (values) => values.map((value) => value && digest(value))),
    ...(typeof body === 'string' && { body: digestAll(findMasked(body, shown ?? '')) }),
    ...(isCut && { isCut }),
  };
};

/**
 * Parses JSON, or the start of a JSON text that was cut: without what is not complete. The value is undefined if it is not JSON, or
 * nests too deeply. `open` is how many levels were open where it was cut.
 */
export const parseStart = (text: string): { readonly value: unknown; readonly open: number } => {
  const checked = (value: unknown) => (isDeeperThan(Object(value), limits.depth) ? undefined : value);
  const complete = tryParse(text, parseJson);
  if (complete !== undefined) return { value: checked(complete), open: 0 };
  const { closed, open } = closeStart(text);
  return { value: checked(tryParse(closed, parseJson)), open };
};

/** Cuts a text after the last value that is complete, and closes what is open there. */
const closeStart = (text: string): { readonly closed: string; readonly open: number } => {
  const closers: string[] = [];
  let end = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[[\]{},]/gs)) {
    if (part.startsWith('"')) continue;
    if (part === '{') closers.push('}');
    if (part === '[') closers.push(']');
    if (part === '}' || part === ']') closers.pop();
    end = part === ',' ? index : index + 1;
  }
  return { closed: text.slice(0, end) + closers.reverse().join(''), open: closers.length };
};

/** How a value in a body compares: it matches, it does not, or it may be in the part that the journal does not have. */
type Comparison = 'equal' | 'different' | { readonly behind: string };

/**
 * Compares a value with what a body must contain: the fields of an object, each item of a list.
 *
 * @param compareLeaf compares the leaves, by their paths
 * @param open how many levels, from this one on, were cut
 */
export const compareBody = (
  wanted: unknown,
  found: unknown,
  compareLeaf: (wanted: unknown, found: unknown, path: string) => boolean,
  open: number,
  path = wholeBody,
): Comparison => {
  const isList = Array.isArray(wanted);
  if (!isList && !isMapping(wanted)) return compareLeaf(wanted, found, path) ? 'equal' : 'different';
  if (isList !== Array.isArray(found) || (!isList && !isMapping(found))) return 'different';
  const values = Object(found);
  const names = Object.keys(values);
  if (isList && (open > 0 ? names.length > wanted.length : names.length !== wanted.length))
    return 'different';
  const comparisons = Object.entries(wanted).map(([name, value]): Comparison => {
    const below = pathBelow(path, name);
    if (!Object.hasOwn(values, name)) return open > 0 ? { behind: below } : 'different';
    return compareBody(value, values[name], compareLeaf, name === names.at(-1) ? open - 1 : 0, below);
  });
  if (comparisons.includes('different')) return 'different';
  const end: Comparison = isList && open > 0 ? { behind: path } : 'equal'; // more items may follow
  return comparisons.find((comparison) => comparison !== 'equal') ?? end;
};
