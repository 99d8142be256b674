import { maxFound, type PanelCommands } from '../../commands.ts';
import { pageOf } from '../../connection.ts';

export const commands: PanelCommands = {
  match: () => [],
  find: async (text, control) =>
    (await control.sessions.list())
      .filter((name) => name.toLowerCase().includes(text.toLowerCase()))
      .slice(0, maxFound)
      .map((name) => ({ kind: 'session', text: name, run: () => location.assign(pageOf(name)) })),
};
