import { isSessionName } from '../../../protocol/session-name.ts';
import { maxFound, type PanelCommands, thatFit, toAction } from '../../commands.ts';
import type { Question } from '../../confirm.tsx';
import { control, pageOf, session } from '../../connection.ts';
import { copy } from '../../copy.tsx';

/** What is asked before a session is deleted. */
export const toDelete = (name: string): Question => ({
  title: `Delete the session ${name}?`,
  text: 'Its records, clock, faults and requests are lost. This cannot be undone.',
  action: `Delete ${name}`,
});

/** The base URL for clients of a session. */
export const baseUrlOf = (name: string): string => pageOf(name).replace(/\/__admin\/.*$/s, '/v1');

export const commands: PanelCommands = {
  match: () => [],
  find: async (text, own) => {
    const names = await own.sessions.list();
    const found = names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
    const fresh = /^create (?:the )?session (\S+)$/i.exec(text)?.[1] ?? '';
    const create = toAction(
      `create the session ${fresh} from the current state`,
      () => control.sessions.create(fresh, { session }),
      { done: `The session ${fresh} was created.`, undo: 0 },
    );
    const all = names.flatMap((name) => [
      toAction(`copy the base URL of the session ${name}`, () => copy(baseUrlOf(name)), {
        done: 'Copied',
        undo: 0,
      }),
      ...(name === session || name === 'default'
        ? []
        : [
            toAction(`delete the session ${name}`, () => control.sessions.delete(name), {
              done: `The session ${name} was deleted.`,
              undo: 0,
              ask: toDelete(name),
            }),
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
