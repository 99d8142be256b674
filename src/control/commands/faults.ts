import * as z from 'zod';
import type { FaultChange } from '../../faults/faults.ts';
import { inlineResponse } from '../../scenario/inline.ts';
import { command, signature } from '../command.ts';

export const faultsCommands = {
  /**
   * Adds faults, each as its line, after the present ones. If several match a call, the first one wins.
   *
   * @throws Error if a line is invalid, or if the session has written too much: then none is added
   * @example
   * await gateway.faults.add('listRuns#3: reset', 'renderPrompt share=10%: 429 retry-after=0');
   */
  add: command({
    summary: 'Adds faults, each given as a line such as listRuns#3: reset.',
    args: signature<string[]>('...faults'),
    input: () => z.strictObject({ faults: z.array(z.string()) }),
    example: { faults: ['listRuns#3: reset'] },
    writes: true,
    keepsInput: true,
    run: ({ open, library }, { faults }) =>
      open().state.faults.add(faults.map((line) => inlineResponse(line, library()))),
  }),
  /**
   * The faults in their order, each with the number of calls that matched it and that it changed.
   *
   * @param options `unused: true` lists only faults without an effect so far, each with the reason
   */
  list: command({
    summary: 'Lists the faults, each with the number of calls that matched it and that it changed.',
    args: signature<[options?: { readonly unused?: boolean | undefined }]>(),
    input: () =>
      z.strictObject({
        unused: z
          .boolean()
          .default(false)
          .describe('Whether to list only faults without an effect so far, each with the reason.'),
      }),
    run: ({ open }, { unused }) =>
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
    summary: 'Changes the line of a fault, or switches it off or on, in its place.',
    args: signature<[id: string, change: FaultChange]>('id'),
    input: () =>
      z.strictObject({
        id: z.string(),
        fault: z.string().exactOptional().describe('Its new line.'),
        off: z.boolean().exactOptional().describe('Whether it is switched off.'),
      }),
    example: { id: 'fault_1', off: true },
    writes: true,
    keepsInput: true,
    run: ({ open, library }, { id, fault, off }) =>
      open().state.faults.update(id, {
        off,
        ...(fault !== undefined && { fault: inlineResponse(fault, library()) }),
      }),
  }),
  /** Removes a fault by its id or its line. False if there is none. */
  remove: command({
    summary: 'Removes a fault, by its id or its line.',
    args: signature<[id: string]>('id'),
    input: () => z.strictObject({ id: z.string() }),
    example: { id: 'fault_1' },
    writes: true,
    run: ({ open }, { id }) => open().state.faults.remove(id),
  }),
  /** Removes all faults. */
  clear: command({
    summary: 'Removes all faults.',
    writes: true,
    run: ({ open }) => open().state.faults.clear(),
  }),
};
