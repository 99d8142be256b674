import { type Command, type PanelCommands, thatFit } from '../../commands.ts';
import { control } from '../../connection.ts';
import { act } from '../../notify.tsx';
import { operationIds } from '../../operations.ts';

const toCommand = (text: string, run: () => Promise<unknown>): Command => ({
  kind: 'command',
  text,
  run: () => act(run, { done: `Done: ${text}`, undo: 1 }),
});

export const commands: PanelCommands = {
  match: (text) =>
    thatFit(text, [
      ...operationIds.map((id) => toCommand(`fail next ${id}`, () => control.faults.add(`${id}#1: 503`))),
      toCommand('Refill the quotas', () => control.quotas.refill()),
      toCommand('Remove all faults', () => control.faults.clear()),
    ]),
};
