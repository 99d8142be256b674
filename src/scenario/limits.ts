import { maxDepth } from '../util/json.ts';

/** The deepest nesting of a scenario or fixture: a value of the greatest depth, within a record within a section. */
export const maxNesting = maxDepth + 10;

/** The message for what is nested deeper. */
export const tooDeep = 'it is nested too deeply';

/** The most scenarios that may extend each other, one the next. */
export const maxChain = 100;

/** The most threads, the most jobs and the most prompts that one scenario may have. */
export const maxOwners = 10_000;

/** The most mistakes that are listed. Checks stop once they have found more. */
export const maxMistakes = 100;
