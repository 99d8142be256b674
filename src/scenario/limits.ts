import { maxDepth } from '../util/json.ts';

/** The deepest nesting of a scenario or fixture: a value of the greatest depth, within a record within a section. */
export const maxNesting = maxDepth + 10;

/** The message for what is nested deeper. */
export const tooDeep = 'it is nested too deeply';

/** The most scenarios that may extend each other in a row. */
export const maxChain = 100;
