import { type Command, maxFound, type PanelCommands, thatFit } from '../../commands.ts';
import { control } from '../../connection.ts';
import { act } from '../../notify.tsx';
import { operationIds } from '../../operations.ts';
import { go, toHash } from '../../route.ts';

const toCommand = (text: string, run: () => Promise<unknown>): Command => ({
  kind: 'command',
  text,
  run: () => act(run, { done: `Done: ${text}`, undo: 1 }),
});

/** A fault that is typed into the palette. */
const isLine = (text: string): boolean => /^[\w*]+(?:#\S+)?(?: .+)?:\s*\S/.test(text);

export const commands: PanelCommands = {
  match: (text) => [
    ...(isLine(text) ? [toCommand(`add the fault ${text}`, () => control.faults.add(text))] : []),
    ...thatFit(text, [
      ...operationIds.map((id) => toCommand(`fail next ${id}`, () => control.faults.add(`${id}#1: 503`))),
      toCommand('Remove all faults', () => control.faults.clear()),
      toCommand('Enforce the quotas', () => control.quotas.enforce()),
      toCommand('Stop enforcing the quotas', () => control.quotas.lift()),
      toCommand('Refill the quotas', () => control.quotas.refill()),
    ]),
  ],
  find: async (text, own) => {
    const all = (await own.faults.list()).flatMap(({ id, fault, off = false, spent }) => [
      toCommand(`turn ${off ? 'on' : 'off'} the fault ${fault}`, () =>
        control.faults.update(id, { off: !off }),
      ),
      ...(spent
        ? [toCommand(`arm again the fault ${fault}`, () => control.faults.update(id, { restart: true }))]
        : []),
      {
        kind: 'command',
        text: `edit the fault ${fault}`,
        run: () => go(toHash('faults', [], { line: fault, edit: id })),
      },
      toCommand(`remove the fault ${fault}`, () => control.faults.remove(id)),
    ]);
    return thatFit(text, all).slice(0, 2 * maxFound);
  },
};
