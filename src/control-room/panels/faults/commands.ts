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

/** The line of a fault that is typed into the palette, also after "add the fault". */
const lineIn = (text: string): string | undefined => {
  const line = text.replace(/^add (?:the )?fault /i, '');
  const [operation = ''] = line.split(/[#:\s]/, 1);
  return ['*', ...operationIds].includes(operation) && line.includes(':') ? line : undefined;
};

/** The command that adds a line, which the server checks. */
const toAddition = (line: string | undefined): readonly Command[] =>
  line === undefined ? [] : [toCommand(`add the fault ${line}`, () => control.faults.add(line))];

export const commands: PanelCommands = {
  match: (text) => [
    ...toAddition(lineIn(text)),
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
      ...['edit', 'duplicate'].map((verb) => ({
        kind: 'command',
        text: `${verb} the fault ${fault}`,
        run: () => go(toHash('faults', [], { line: fault, edit: verb === 'edit' ? id : '' })),
      })),
      toCommand(`remove the fault ${fault}`, () => control.faults.remove(id)),
    ]);
    return thatFit(text, all).slice(0, 2 * maxFound);
  },
};
