import { maxFound, type PanelCommands, thatFit } from '../../commands.ts';
import { act } from '../../notify.tsx';
import { go, toHash } from '../../route.ts';

export const commands: PanelCommands = {
  match: (text) =>
    thatFit(text, [
      {
        kind: 'command',
        text: 'Show the assumptions that are used',
        run: () => go(toHash('assumptions', [], { used: 'yes' })),
      },
    ]),
  find: async (text, control) => {
    const all = (await control.assumptions.list()).flatMap(({ id, choices, value }) =>
      choices
        .filter(([choice]) => choice !== value)
        .map(([choice]) => ({
          kind: 'command',
          text: `assume ${id}: ${choice}`,
          run: () =>
            act(() => control.assumptions.set(id, choice), { done: `${id} is now ${choice}`, undo: 1 }),
        })),
    );
    return thatFit(text, all).slice(0, maxFound);
  },
};
