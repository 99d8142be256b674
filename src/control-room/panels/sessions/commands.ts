import { IconArrowsDiff, IconCopy, IconLink, IconTrash } from '@tabler/icons-react';
import { defaultSession, isSessionName } from '../../../core/protocol/session-name.ts';
import { copy } from '../../act.tsx';
import type { Command, PanelCommands, Question, Task } from '../../commands.ts';
import { control, linkOf, session } from '../../connection.ts';
import { go, toHash } from '../../route.ts';

const deleteQuestion = (name: string): Question => ({
  title: `Delete the session ${name}?`,
  text: 'Its records, clock, faults and requests are lost. This cannot be undone.',
  action: `Delete ${name}`,
});

/** The base URL for clients of a session. */
export const baseUrlOf = (name: string): string => linkOf(name).replace(/\/__admin\/.*$/s, '/v1');

/** Creates a session from a start, such as `{ session: 'mine' }`. One of the same name is replaced. */
export const toCreate = (
  name: string,
  start: Readonly<Record<string, string>>,
  sessions: readonly string[],
): Task => ({
  run: () => control.sessions.create(name, start),
  done: `The session ${name} was created.`,
  ask: sessions.includes(name)
    ? { ...deleteQuestion(name), title: `Recreate the session ${name}?`, action: `Recreate ${name}` }
    : undefined,
});

/** What can be done with a session, besides going there. */
export const sessionCommands = (name: string): readonly Command[] => {
  const copyLink = () => copy(linkOf(name).replace(/#.*/s, ''));
  const compare = () => go(toHash('sessions', [], { with: name }));
  const remove = {
    name: `Delete ${name}`,
    Icon: IconTrash,
    run: () => control.sessions.delete(name),
    done: `The session ${name} was deleted.`,
    ask: deleteQuestion(name),
  };
  return [
    {
      name: `Copy the base URL of ${name}`,
      text: 'Copy the base URL',
      Icon: IconCopy,
      run: () => copy(baseUrlOf(name)),
    },
    { name: `Copy the link to ${name}`, Icon: IconLink, run: copyLink },
    ...(name === session ? [] : [{ name: `Compare with ${name}`, Icon: IconArrowsDiff, run: compare }]),
    ...(name === defaultSession || name === session ? [] : [remove]),
  ];
};

export const commands: PanelCommands = {
  find: async (text, own) => {
    const names = await own.sessions.list();
    const [, fresh = ''] = /^create (?:the )?session (\S+)$/i.exec(text) ?? [];
    const create = {
      ...toCreate(fresh, { session }, names),
      name: `create the session ${fresh} from the current state`,
    };
    return [
      ...(isSessionName(fresh) ? [create] : []),
      ...names.flatMap((name) => [
        { kind: 'session', name, run: () => location.assign(linkOf(name)) },
        ...sessionCommands(name).map((command) => ({ ...command, kind: 'session' })),
      ]),
    ];
  },
};
