import { isSessionName } from '../../../protocol/session-name.ts';
import { type Command, maxFound, type PanelCommands, thatFit } from '../../commands.ts';
import { confirm, type Question } from '../../confirm.tsx';
import { control, pageOf, session } from '../../connection.ts';
import { copy } from '../../copy.tsx';
import { act } from '../../notify.tsx';

/** What is asked before a session is deleted. */
export const toDelete = (name: string): Question => ({
  title: `Delete the session ${name}?`,
  text: 'Its records, clock, faults and requests are lost. This cannot be undone.',
  action: `Delete ${name}`,
});

/** The base URL for clients of a session. */
export const baseUrlOf = (name: string): string => pageOf(name).replace(/\/__admin\/.*$/s, '/v1');

const toCommand = (text: string, done: string, run: () => Promise<unknown>, ask?: Question): Command => ({
  kind: 'command',
  text,
  run: async () => {
    if (ask === undefined || (await confirm(ask))) await act(run, { done });
  },
});

export const commands: PanelCommands = {
  match: () => [],
  find: async (text, own) => {
    const names = await own.sessions.list();
    const found = names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
    const fresh = /^create (?:the )?session (\S+)$/i.exec(text)?.[1] ?? '';
    const create = toCommand(
      `create the session ${fresh} from the current state`,
      `The session ${fresh} was created.`,
      () => control.sessions.create(fresh, { session }),
    );
    const all = names.flatMap((name) => [
      toCommand(`copy the base URL of the session ${name}`, 'Copied', () => copy(baseUrlOf(name))),
      ...(name === session || name === 'default'
        ? []
        : [
            toCommand(
              `delete the session ${name}`,
              `The session ${name} was deleted.`,
              () => control.sessions.delete(name),
              toDelete(name),
            ),
          ]),
    ]);
    return [
      ...found.slice(0, maxFound).map((name) => ({
        kind: 'session',
        text: name,
        run: () => location.assign(pageOf(name)),
      })),
      // Only one that does not exist: creating another one again would have to ask.
      ...(isSessionName(fresh) && !names.includes(fresh) ? [create] : []),
      ...thatFit(text, all).slice(0, maxFound),
    ];
  },
};
