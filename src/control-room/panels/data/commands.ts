import { type Command, filterByText, maxFound, type PanelCommands } from '../../commands.ts';
import { kinds, linkTo, recordsOf } from '../../kinds.ts';
import { go, toHash } from '../../route.ts';
import { openTryIt } from '../../try-it-state.ts';
import { statusCommands } from './status-commands.ts';

export const commands: PanelCommands = {
  match: (text) =>
    filterByText(
      text,
      kinds.map(({ name, singular }) => ({
        name: `New ${singular}`,
        run: () => go(toHash('data', [name], { new: singular })),
      })),
    ),
  find: async (text, control) => {
    const [, verb, search = text] = /^(complete|fail|cancel|render)\s+(\S+)$/i.exec(text) ?? [];
    const lists = kinds.map(async (kind): Promise<Command[]> => {
      const { name, singular } = kind;
      const records = await recordsOf(name, control).list({ search, limit: maxFound });
      return records.flatMap(({ id }) => [
        { kind: singular, name: id, run: () => go(linkTo(name, id)) },
        ...(verb
          ? statusCommands(kind, [id]).filter(({ text }) => text?.toLowerCase() === verb.toLowerCase())
          : []),
        ...(verb && name === 'prompts'
          ? [
              {
                name: `Render ${id}`,
                run: () => openTryIt({ operation: 'renderPrompt', values: { promptId: id } }),
              },
            ]
          : []),
      ]);
    });
    return (await Promise.all(lists)).flat();
  },
};
