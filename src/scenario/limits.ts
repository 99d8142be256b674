import { maxDepth } from '../util/json.ts';

/** The deepest nesting of a scenario or fixture: a value of the greatest depth, within a record within a section. */
export const maxNesting = maxDepth + 10;

/** The message for what is nested deeper. */
export const tooDeep = 'it is nested too deeply';

/** The largest file that is read, in characters. */
export const maxLength = 20_000_000;

/** The most values of a JSON file on disk, as its commas and brackets count them. */
export const maxFileValues = 1_000_000;

/**
 * The most characters and signs that the YAML parser reads over HTTP. For each sign it takes up to 15 µs and 1,000 bytes, while
 * no other call is answered.
 */
export const [maxYaml, maxSigns] = [1_000_000, 50_000];

/** The most aliases of a YAML file. For each, the library searches all anchors and aliases before it. */
export const maxAliases = 5000;

/** The most values of a YAML file with its aliases written out. A text counts as one for each 50 characters. */
export const [maxUnaliased, textUnit] = [100_000, 50];

/** The most scenarios that may extend each other, one the next. */
export const maxChain = 100;

/** The most threads, the most jobs and the most prompts that one scenario may have. */
export const maxOwners = 10_000;

/** The most mistakes that are listed. Checks stop once they have found more. */
export const maxMistakes = 100;

/** The most characters of one listed mistake, and of all of them. */
export const [maxMistake, maxListed] = [1000, 22_000];

/**
 * The most values of a JSON text over HTTP, as its commas and brackets count them, with the conditions of faults. For each, the
 * checks take up to 10 µs, while no other call is answered.
 */
export const maxValues = 80_000;

export const hasTooManyValues = (json: string): boolean => hasMoreSigns(json, maxValues, /[,=[{]/g);

/** Whether a text has more of these signs. */
export const hasMoreSigns = (text: string, max: number, sign: RegExp): boolean => {
  let count = 0;
  while (count <= max && sign.test(text)) count += 1;
  return count > max;
};
