import { limits } from '../util/limits.ts';

/** The deepest nesting of a scenario or fixture: a value of the greatest depth, within a record within a section. */
export const maxNesting = limits.depth + 10;

export const tooDeep = 'it is nested too deeply';
