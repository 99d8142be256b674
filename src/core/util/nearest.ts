import { closest, distance } from 'fastest-levenshtein';

/** The longest text that is compared with names. */
const maxLength = 200;

/**
 * Suggests the nearest name, as a sentence with a leading space: ` Did you mean "listRuns"?`. Empty if no name is near,
 * that is, if more than half of its letters differ and neither contains the other.
 */
export const didYouMean = (text: string, names: readonly string[], shownAs = '"…"'): string => {
  if (names.length === 0 || text.length > maxLength) return '';
  const name = closest(text, [...names]);
  const isPart = text !== '' && (lower(name).includes(lower(text)) || lower(text).includes(lower(name)));
  const isNear = isPart || distance(text, name) <= Math.max(2, name.length / 2);
  return isNear ? ` Did you mean ${shownAs.replace('…', () => name)}?` : '';
};

/** The most names that are listed, since a report may have a hundred errors. */
const maxNames = 20;

/** Suggests the nearest name, or lists the names if none is near. Starts with a space; a list ends without a full stop. */
export const suggest = (text: string, names: readonly string[]): string => {
  const near = didYouMean(text, names);
  if (near !== '') return near;
  if (names.length === 0) return ' There are none';
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : '';
  return ` Use one of: ${names.slice(0, maxNames).join(', ')}${more}`;
};

const lower = (text: string): string => text.toLowerCase();
