import { type PanelCommands, thatFit } from '../../commands.ts';
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
};
