import { type Command, maxFound, type PanelCommands, thatFit } from '../../commands.ts';
import { control } from '../../connection.ts';
import { act } from '../../notify.tsx';

const toCommand = (text: string, done: string, run: () => Promise<unknown>): Command => ({
  kind: 'command',
  text,
  run: () => act(run, { done, undo: 1 }),
});

export const commands: PanelCommands = {
  match: (text) =>
    thatFit(text, [
      toCommand('Reset to the start', 'The session was reset to the start of its scenario.', () =>
        control.reset(),
      ),
    ]),
  find: async (text, own) => {
    const names = (await own.scenario.list()).map(({ name }) => name);
    const loads = names.map((name) =>
      toCommand(`load ${name}`, `${name} is loaded.`, () => control.scenario.load(name)),
    );
    return thatFit(text, loads).slice(0, maxFound);
  },
};
