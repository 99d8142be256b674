import type { FaultInfo, Faults } from './faults.ts';

/** The faults of one world. */
export interface FaultsControl {
  /**
   * Adds faults, each as its line, behind those that there are: of several that hit a call the first one decides.
   *
   * @throws Error where a line is no fault: then none is added
   * @example
   * await gateway.faults.add('listRuns#3: reset', 'renderPrompt share=10%: 429 retry-after=0');
   */
  readonly add: (...lines: string[]) => Promise<FaultInfo[]>;
  /**
   * The faults, in their order, with their calls and hits.
   *
   * @param options `unused: true` lists those alone that have not come into play, each with the reason
   */
  readonly list: (options?: { readonly unused?: boolean | undefined }) => Promise<FaultInfo[]>;
  /** Takes one out, by its id or its line; false where there is none. */
  readonly remove: (idOrLine: string) => Promise<boolean>;
  readonly clear: () => Promise<void>;
}

/**
 * @param open the faults of the world: they are asked for each time, since a reset replaces them
 * @param inline puts the body of a fixture into a line that names it
 */
export const createFaultsControl = (open: () => Faults, inline: (line: string) => string): FaultsControl => ({
  add: async (...lines) => open().add(lines.map(inline)),
  list: async ({ unused = false } = {}) =>
    open()
      .list()
      .filter((fault) => !unused || fault.unused !== null),
  remove: async (idOrLine) => open().remove(idOrLine),
  clear: async () => open().clear(),
});
