import { limits } from '../util/limits.ts';

/** The deepest nesting of a scenario or fixture: a value of the greatest depth, within a record within a section. */
export const maxNesting = limits.depth + 10;

/** The message for what is nested deeper. */
export const tooDeep = 'it is nested too deeply';

/** The most values of a JSON file on disk, as its commas and brackets count them. */
export const maxFileValues = 1_000_000;

/** The most aliases of a YAML file. For each, the library searches all anchors and aliases before it. */
export const maxAliases = 5000;

/** The most values of a YAML file with its aliases written out. A text counts as one for each 50 characters. */
export const [maxUnaliased, textUnit] = [100_000, 50];

/** The most characters of the message of one listed error. */
export const maxErrorText = 1000;

export const hasTooManyValues = (json: string): boolean => hasMoreSigns(json, limits.values, /[,=[{]/g);

/** Whether a text has more of these signs. */
export const hasMoreSigns = (text: string, max: number, sign: RegExp): boolean => {
  let count = 0;
  while (count <= max && sign.test(text)) count += 1;
  return count > max;
};
