import { lists } from '../../src/tools/conformance/lists.ts';

/** The beginning of the ids of checks of lists. */
export const ofList = new RegExp(`^(?:${lists.map(({ name }) => name).join('|')})-`);
