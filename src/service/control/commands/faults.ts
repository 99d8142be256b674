import * as z from 'zod';
import { parseRule } from '../../../core/faults/rule.ts';
import { idsOf } from '../../../core/world/operation.ts';
import { type CommandsOf, command } from '../command.ts';
import type { Control } from '../types.ts';

export const faultsCommands = {
  add: command({
    args: ['...faults'],
    input: () => z.strictObject({ faults: z.array(z.string()) }),
    example: { faults: ['listRuns#3: reset'] },
    writes: true,
    run: ({ open, operations }, { faults }) => {
      for (const line of faults) parseRule(line, idsOf(operations));
      return open().state.faults.add(faults);
    },
  }),
  list: command({
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
  update: command({
    args: ['id'],
    input: () =>
      z.strictObject({
        id: z.string(),
        fault: z.string().exactOptional().describe('Its new line.'),
        off: z.boolean().exactOptional().describe('Whether it is switched off.'),
        restart: z
          .boolean()
          .exactOptional()
          .describe(
            'Whether it begins again as it was added: with counts of 0, and with its whole duration.',
          ),
      }),
    example: { id: 'fault_1', off: true },
    writes: true,
    run: ({ open, operations }, { id, fault, off, restart }) => {
      if (fault !== undefined) parseRule(fault, idsOf(operations));
      return open().state.faults.update(id, { fault, off, restart });
    },
  }),
  remove: command({
    args: ['id'],
    input: () => z.strictObject({ id: z.string() }),
    example: { id: 'fault_1' },
    writes: true,
    run: ({ open }, { id }) => open().state.faults.remove(id),
  }),
  clear: command({ writes: true, run: ({ open }) => open().state.faults.clear() }),
} satisfies CommandsOf<Control['faults']>;
