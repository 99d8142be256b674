import { closest } from 'fastest-levenshtein';

/** The name that a mistyped one most likely stands for. */
export const nearest = (given: string, names: readonly string[]): string => closest(given, [...names]);
