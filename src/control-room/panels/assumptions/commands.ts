import { maxFound, type PanelCommands, thatFit, toAction, toCommand } from '../../commands.ts';
import { control } from '../../connection.ts';
import { go, toHash } from '../../route.ts';

export const commands: PanelCommands = {
  match: (text) =>
    thatFit(text, [
      toCommand('Show the assumptions that are used', () => go(toHash('assumptions', [], { used: 'yes' }))),
    ]),
  find: async (text, own) => {
    const all = (await own.assumptions.list()).flatMap(({ id, choices }) =>
      choices.map(([choice]) =>
        toAction(`assume ${id}: ${choice}`, () => control.assumptions.set(id, choice)),
      ),
    );
    return thatFit(text, all).slice(0, maxFound);
  },
};
