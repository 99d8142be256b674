import type { Command, PanelCommands } from '../../commands.ts';
import { type Kind, kinds, linkTo, recordsOf, statusMethodsOf } from '../../kinds.ts';
import { go, toHash } from '../../route.ts';
import { countOf } from '../../text.tsx';
import { openTryIt } from '../../try-it-state.ts';

/** How many records of a kind are found. */
const maxFound = 5;

export const commands: PanelCommands = {
  match: () =>
    kinds.map(({ name, singular }) => ({
      name: `New ${singular}`,
      run: () => go(toHash('data', [name], { new: singular })),
    })),
  find: async (text, control) => {
    const [, verb, search = text] = /^(complete|fail|cancel|render)\s+(\S+)$/i.exec(text) ?? [];
    const lists = kinds.map(async (kind): Promise<readonly Command[]> => {
      const { name, singular } = kind;
      const ids = (await recordsOf(name, control).list({ search, limit: maxFound })).map(({ id }) => id);
      if (verb === undefined)
        return ids.map((id) => ({ kind: singular, name: id, run: () => go(linkTo(name, id)) }));
      if (name !== 'prompts') return ids.flatMap((id) => statusCommands(kind, [id]));
      return ids.map((id) => ({
        name: `Render ${id}`,
        run: () => openTryIt({ operation: 'renderPrompt', values: { promptId: id } }),
      }));
    });
    return (await Promise.all(lists)).flat();
  },
};

const verbs = { completed: 'Complete', failed: 'Fail', cancelled: 'Cancel' };

/** Gives runs or batches a status, with all that it implies. */
export const statusCommands = ({ name, singular, isLiving }: Kind, ids: readonly string[]) => {
  const which = ids.length === 1 ? (ids[0] ?? '') : countOf(ids.length, singular, name);
  return Object.entries(isLiving ? verbs : {}).map(([status, text]) => ({
    name: `${text} ${which}`,
    text,
    run: () => statusMethodsOf(name).setStatusMany(ids, status),
    done: `${which}: ${status}`,
  }));
};
