import { type Command, maxFound, type PanelCommands, thatFit, toAction } from '../../commands.ts';
import { control } from '../../connection.ts';
import { go, toHash } from '../../route.ts';

export const commands: PanelCommands = {
  find: async (text, own) => {
    const all = (await own.assumptions.list()).flatMap(({ id, choices }): Command[] =>
      choices.map(([choice]) =>
        toAction(`assume ${id}: ${choice}`, () => control.assumptions.set(id, choice)),
      ),
    );
    const used = {
      name: 'Show the assumptions that are used',
      run: () => go(toHash('assumptions', [], { used: 'yes' })),
    };
    return thatFit(text, [used, ...all]).slice(0, maxFound);
  },
};
