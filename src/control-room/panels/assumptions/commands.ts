import { type Command, maxFound, type PanelCommands, thatFit, toAction } from '../../commands.ts';
import { control } from '../../connection.ts';

export const commands: PanelCommands = {
  find: async (text, own) => {
    const all = (await own.assumptions.list()).flatMap(({ id, choices }): Command[] =>
      choices.map(([choice]) =>
        toAction(`assume ${id}: ${choice}`, () => control.assumptions.set(id, choice)),
      ),
    );
    return thatFit(text, all).slice(0, maxFound);
  },
};
