import * as z from 'zod';
import { parseRule } from '../../../core/faults/rule.ts';
import { idsOf } from '../../../core/operations/operation.ts';
import { type CommandsOf, change, command } from '../command.ts';
import type { Control } from '../control-interface.ts';

export const faultsCommands = {
  add: change({
    summary: 'Adds faults, each written as a line, after the present faults.',
    args: ['...faults'],
    input: () => z.strictObject({ faults: z.array(z.string()) }),
    example: { faults: ['listRuns#3: reset'] },
    run: ({ session, operations }, { faults }) => {
      for (const line of faults) parseRule(line, idsOf(operations));
      return session.state.faults.add(faults);
    },
  }),
  list: command({
    summary:
      'Lists the faults in their order, each with the number of calls that matched it and that it changed, and whether it is spent.',
    input: () =>
      z.strictObject({
        unused: z
          .boolean()
          .default(false)
          .describe('Whether to list only faults without an effect so far, each with the reason.'),
      }),
    run: ({ session }, { unused }) =>
      session.state.faults.list().filter((fault) => !unused || fault.unused !== null),
  }),
  update: change({
    summary: 'Changes the line of a fault, switches it off or on, or restarts it.',
    args: ['id'],
    input: () =>
      z.strictObject({
        id: z.string(),
        fault: z.string().exactOptional().describe('The line that replaces its line.'),
        off: z.boolean().exactOptional().describe('Whether it is switched off.'),
        restart: z
          .boolean()
          .exactOptional()
          .describe('Whether it starts again as it was added, with counts of 0 and its full duration.'),
      }),
    example: { id: 'fault_1', off: true },
    run: ({ session, operations }, { id, fault, off, restart }) => {
      if (fault !== undefined) parseRule(fault, idsOf(operations));
      return session.state.faults.update(id, { fault, off, restart });
    },
  }),
  remove: change({
    summary: 'Removes a fault by its id or its line.',
    args: ['id'],
    input: () => z.strictObject({ id: z.string() }),
    example: { id: 'fault_1' },
    run: ({ session }, { id }) => session.state.faults.remove(id),
  }),
  clear: change({
    summary: 'Removes all faults.',
    run: ({ session }) => session.state.faults.clear(),
  }),
} satisfies CommandsOf<Control['faults']>;
