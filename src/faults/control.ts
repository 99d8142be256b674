import type { FaultInfo, Faults } from './faults.ts';

/** The commands for the faults of one world. A fault is written as one line, such as `listRuns#3: reset`. */
export interface FaultsControl {
  /**
   * Adds faults after the existing ones. If several faults match a call, the first one wins.
   *
   * @throws Error if a line is invalid; then no fault is added
   * @example
   * await gateway.faults.add('listRuns#3: reset', 'renderPrompt share=10%: 429 retry-after=0');
   */
  readonly add: (...lines: string[]) => Promise<FaultInfo[]>;
  /**
   * Lists the faults in their order, with how many calls each has matched and hit.
   *
   * @param options `unused: true` lists only faults that have had no effect yet, each with the reason
   */
  readonly list: (options?: { readonly unused?: boolean | undefined }) => Promise<FaultInfo[]>;
  /** Removes a fault by its id or line. Returns false if there is no such fault. */
  readonly remove: (idOrLine: string) => Promise<boolean>;
  /** Removes all faults. */
  readonly clear: () => Promise<void>;
}

/**
 * @param open returns the faults of the world; it is called each time, since a reset replaces them
 * @param inline replaces the name of a fixture in a line by its body
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
