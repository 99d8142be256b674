import { maxDepth } from '../util/json.ts';

/** The deepest nesting of a scenario or fixture: a value of the greatest depth, within a record within a section. */
export const maxNesting = maxDepth + 10;

/** The message for what is nested deeper. */
export const tooDeep = 'it is nested too deeply';

/** The most scenarios that may extend each other, one the next. */
export const maxChain = 100;

/** The most threads, and the most jobs, that one scenario may have: each has a list of its own. */
export const maxOwners = 10_000;
