import type { Command } from '../../commands.ts';
import { type Kind, statusMethodsOf } from '../../kinds.ts';
import { countOf } from '../../text.tsx';

const verbs = { completed: 'Complete', failed: 'Fail', cancelled: 'Cancel' };

/** Gives runs or batches a status, with all that it implies. */
export const statusCommands = (
  { name, singular, isLiving }: Kind,
  ids: readonly string[],
): readonly Command[] => {
  const which = ids.length === 1 ? (ids[0] ?? '') : countOf(ids.length, singular, name);
  return Object.entries(isLiving ? verbs : {}).map(([status, text]) => ({
    name: `${text} ${which}`,
    text,
    run: () => statusMethodsOf(name).setStatusMany(ids, status),
    done: `${which}: ${status}`,
  }));
};
