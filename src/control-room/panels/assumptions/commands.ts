import { type Command, filterByText, maxFound, type PanelCommands, toCommand } from '../../commands.ts';
import { control } from '../../connection.ts';

export const commands: PanelCommands = {
  find: async (text, own) => {
    const all = (await own.assumptions.list()).flatMap(({ id, choices }): Command[] =>
      choices.map(([choice]) =>
        toCommand(`assume ${id}: ${choice}`, () => control.assumptions.set(id, choice)),
      ),
    );
    return filterByText(text, all).slice(0, maxFound);
  },
};
