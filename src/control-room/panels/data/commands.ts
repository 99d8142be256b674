import { type Command, maxFound, type PanelCommands } from '../../commands.ts';
import { kinds, linkTo, recordsOf } from '../../kinds.ts';
import { go } from '../../route.ts';

export const commands: PanelCommands = {
  find: async (search, control) => {
    const lists = kinds.map(async ({ name, singular }): Promise<Command[]> => {
      const found = await recordsOf(name, control).list({ search, limit: maxFound });
      return found.map(({ id }) => ({ kind: singular, name: id, run: () => go(linkTo(name, id)) }));
    });
    return (await Promise.all(lists)).flat();
  },
};
