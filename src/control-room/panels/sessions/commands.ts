import { isSessionName } from '../../../protocol/session-name.ts';
import { type Command, maxFound, type PanelCommands, thatFit } from '../../commands.ts';
import { confirm } from '../../confirm.tsx';
import { control, pageOf, session } from '../../connection.ts';
import { act } from '../../notify.tsx';
import { toDeletion } from './deletion.ts';

const toCreation = (name: string): Command => ({
  kind: 'command',
  text: `create the session ${name} from the current state`,
  run: () =>
    act(() => control.sessions.create(name, { session }), { done: `The session ${name} was created.` }),
});

const toDelete = (name: string): Command => ({
  kind: 'command',
  text: `delete the session ${name}`,
  run: async () => {
    if (await confirm(toDeletion(name)))
      await act(() => control.sessions.delete(name), { done: `The session ${name} was deleted.` });
  },
});

export const commands: PanelCommands = {
  match: () => [],
  find: async (text, own) => {
    const names = await own.sessions.list();
    const found = names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
    const fresh = /^create (?:the )?session (\S+)$/i.exec(text)?.[1] ?? '';
    return [
      ...found.slice(0, maxFound).map((name) => ({
        kind: 'session',
        text: name,
        run: () => location.assign(pageOf(name)),
      })),
      // Only one that does not exist: creating another one again would have to ask.
      ...(isSessionName(fresh) && !names.includes(fresh) ? [toCreation(fresh)] : []),
      ...thatFit(text, names.filter((name) => name !== session && name !== 'default').map(toDelete)).slice(
        0,
        maxFound,
      ),
    ];
  },
};
