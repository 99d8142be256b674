import { IconCopyPlus, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import type { FaultInfo } from '../../../core/faults/fault.ts';
import { type Command, type PanelCommands, type Task, toCommand } from '../../commands.ts';
import { control } from '../../connection.ts';
import { listOperations } from '../../openapi.ts';
import { go, toHash } from '../../route.ts';

/** Puts a line into the editor, to replace the fault with this id, or as a new one. */
export const fillEditor = (line: string, id = ''): void => {
  go(toHash('faults', [], { line, edit: id }));
  document.getElementById('fault-line')?.focus();
};

export const toggle = ({ id, fault, off }: FaultInfo): Task => ({
  run: () => control.faults.update(id, { off: off !== true }),
  done: `${fault}: ${off ? 'on' : 'off'}`,
});

export const restart = ({ id, fault }: FaultInfo): Task => ({
  run: () => control.faults.update(id, { restart: true }),
  done: `${fault}: can be used again`,
});

export const commandsOf = (info: FaultInfo): readonly Command[] => {
  const { id, fault, spent } = info;
  const useAgain = { name: `Use again ${fault}`, text: 'Use again', Icon: IconRefresh, ...restart(info) };
  return [
    ...(spent ? [useAgain] : []),
    { name: `Edit ${fault}`, Icon: IconPencil, run: () => fillEditor(fault, id) },
    { name: `Duplicate ${fault}`, Icon: IconCopyPlus, run: () => fillEditor(fault) },
    {
      name: `Remove ${fault}`,
      Icon: IconTrash,
      run: () => control.faults.remove(id),
      done: `${fault}: removed`,
    },
  ];
};

export const clear = toCommand('Remove all faults', () => control.faults.clear());

export const commands: PanelCommands = {
  match: (text) => {
    const line = text.replace(/^add (?:the )?fault /i, ''); // the server checks it
    return /^(?:\*|\w+)(?:#[\d-]+)?(?: \S+=\S+)*:/.test(line)
      ? [clear, toCommand(`add the fault ${line}`, () => control.faults.add(line))]
      : [clear];
  },
  find: async (_text, own) => [
    ...(await listOperations()).map(({ id }) =>
      toCommand(`fail next ${id}`, () => control.faults.add(`${id}#1: 503`)),
    ),
    ...(await own.faults.list()).flatMap((info) => [
      { ...toggle(info), kind: 'fault', name: `Turn ${info.off ? 'on' : 'off'} ${info.fault}` },
      ...commandsOf(info).map((command) => ({ ...command, kind: 'fault' })),
    ]),
  ],
};
