import { type Command, maxFound, type PanelCommands, thatFit, toAction } from '../../commands.ts';
import { control } from '../../connection.ts';
import { operationIds } from '../../operations.ts';
import { go, toHash } from '../../route.ts';

/** The line of a fault that is typed into the palette, also after "add the fault". */
const lineIn = (text: string): string | undefined => {
  const line = text.replace(/^add (?:the )?fault /i, '');
  const [operation = ''] = line.split(/[#:\s]/, 1);
  return ['*', ...operationIds].includes(operation) && line.includes(':') ? line : undefined;
};

/** The command that adds a line, which the server checks. */
const toAddition = (line: string | undefined): readonly Command[] =>
  line === undefined ? [] : [toAction(`add the fault ${line}`, () => control.faults.add(line))];

export const commands: PanelCommands = {
  match: (text) => [
    ...toAddition(lineIn(text)),
    ...thatFit(text, [
      ...operationIds.map((id) => toAction(`fail next ${id}`, () => control.faults.add(`${id}#1: 503`))),
      toAction('Remove all faults', () => control.faults.clear()),
      toAction('Enforce the quotas', () => control.quotas.enforce()),
      toAction('Stop enforcing the quotas', () => control.quotas.lift()),
      toAction('Refill the quotas', () => control.quotas.refill()),
    ]),
  ],
  find: async (text, own) => {
    const all = (await own.faults.list()).flatMap(({ id, fault, off = false, spent }) => [
      toAction(`turn ${off ? 'on' : 'off'} the fault ${fault}`, () =>
        control.faults.update(id, { off: !off }),
      ),
      ...(spent
        ? [toAction(`arm again the fault ${fault}`, () => control.faults.update(id, { restart: true }))]
        : []),
      ...['edit', 'duplicate'].map((verb) => ({
        kind: 'command',
        text: `${verb} the fault ${fault}`,
        run: () => go(toHash('faults', [], { line: fault, edit: verb === 'edit' ? id : '' })),
      })),
      toAction(`remove the fault ${fault}`, () => control.faults.remove(id)),
    ]);
    return thatFit(text, all).slice(0, 2 * maxFound);
  },
};
