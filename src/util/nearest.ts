import { closest, distance } from 'fastest-levenshtein';

/**
 * Asks whether a name that is near was meant, as a sentence with a blank ahead of it; empty where none is near: more
 * than half of it is other letters, and neither is a part of the other.
 */
export const didYouMean = (given: string, names: readonly string[], shownAs = '"…"'): string => {
  if (names.length === 0) return '';
  const name = closest(given, [...names]);
  const isPart = given !== '' && (lower(name).includes(lower(given)) || lower(given).includes(lower(name)));
  const isNear = isPart || distance(given, name) <= Math.max(2, name.length / 2);
  return isNear ? ` Did you mean ${shownAs.replace('…', () => name)}?` : '';
};

/**
 * What to write instead of an unknown name: the nearest one, or where none is near, all that there are. As a sentence
 * with a blank ahead of it; the list has no full stop.
 */
export const suggest = (given: string, names: readonly string[]): string =>
  didYouMean(given, names) || (names.length === 0 ? ' There are none' : ` There are: ${names.join(', ')}`);

/** The name that this one is a slip of: up to two letters apart, or its beginning; undefined where it is another word. */
export const slipOf = (given: string, names: readonly string[]): string | undefined =>
  names.find((name) => given !== name && (distance(given, name) <= 2 || name.startsWith(given)));

const lower = (text: string): string => text.toLowerCase();
