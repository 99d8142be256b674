import * as z from 'zod';
import type { FaultChange } from '../../faults/faults.ts';
import { inlineResponse } from '../../scenario/inline.ts';
import { command, optional, required } from '../command.ts';

export const faultsCommands = {
  /**
   * Adds faults, each as its line, after the present ones. If several match a call, the first one wins.
   *
   * @throws Error if a line is invalid, or if the session has written too much: then none is added
   * @example
   * await gateway.faults.add('listRuns#3: reset', 'renderPrompt share=10%: 429 retry-after=0');
   */
  add: command({
    http: 'POST /faults',
    summary: 'Adds faults, each given as a line such as listRuns#3: reset.',
    input: () => [{ name: 'faults', schema: z.string(), isRest: true }],
    writes: true,
    keepsInput: true,
    run: async ({ open, library }, ...lines: string[]) =>
      open().state.faults.add(lines.map((line) => inlineResponse(line, library()))),
  }),
  /**
   * The faults in their order, each with the number of calls that matched it and that it changed.
   *
   * @param options `unused: true` lists only faults without an effect so far, each with the reason
   */
  list: command({
    http: 'GET /faults',
    summary: 'Lists the faults, each with the number of calls that matched it and that it changed.',
    input: () => [
      optional(
        'options',
        z.strictObject({
          unused: z
            .boolean()
            .exactOptional()
            .describe('Whether to list only faults without an effect so far, each with the reason.'),
        }),
      ),
    ],
    run: async ({ open }, { unused = false }: { readonly unused?: boolean | undefined } = {}) =>
      open()
        .state.faults.list()
        .filter((fault) => !unused || fault.unused !== null),
  }),
  /**
   * Changes the line of a fault, or switches it off or on. It keeps its id and its place, which matters if several faults match
   * a call. Another line begins with new counts.
   *
   * @throws Error if there is no such fault, the line is invalid, or the session has written too much
   * @example
   * await gateway.faults.update('fault_1', { off: true });
   */
  update: command({
    http: 'PATCH /faults/{id}',
    summary: 'Changes the line of a fault, or switches it off or on, in its place.',
    input: () => [
      required('id', z.string()),
      required(
        'change',
        z.strictObject({
          fault: z.string().exactOptional().describe('Its new line.'),
          off: z.boolean().exactOptional().describe('Whether it is switched off.'),
        }),
      ),
    ],
    writes: true,
    keepsInput: true,
    run: async ({ open, library }, id: string, { fault, off }: FaultChange) =>
      open().state.faults.update(id, {
        off,
        ...(fault !== undefined && { fault: inlineResponse(fault, library()) }),
      }),
  }),
  /** Removes a fault by its id or its line. False if there is none. */
  remove: command({
    http: 'DELETE /faults/{id}',
    summary: 'Removes a fault, by its id or its line.',
    input: () => [required('id', z.string())],
    writes: true,
    run: async ({ open }, id: string) => open().state.faults.remove(id),
  }),
  /** Puts back the faults that the last `remove` or `clear` removed, or `update` replaced, in their places and with their counts. Returns them. */
  restore: command({
    http: 'POST /faults/restore',
    summary: 'Puts back the faults that the last remove or clear removed, or update replaced.',
    writes: true,
    run: async ({ open }) => open().state.faults.restore(),
  }),
  /** Removes all faults. */
  clear: command({
    http: 'DELETE /faults',
    summary: 'Removes all faults.',
    writes: true,
    run: async ({ open }) => open().state.faults.clear(),
  }),
};
