// Giving runs or batches a status, with all that it implies.
import type { Command } from '../../commands.ts';
import { type Kind, statusMethodsOf } from '../../kinds.ts';
import { countOf } from '../../text.tsx';

const verbs: Readonly<Record<string, string>> = {
  completed: 'Complete',
  failed: 'Fail',
  cancelled: 'Cancel',
};

const toCommand = ({ name, singular }: Kind, ids: readonly string[], status: string): Command => {
  const which = ids.length === 1 ? (ids[0] ?? '') : countOf(ids.length, singular, name);
  const text = verbs[status] ?? status;
  return {
    name: `${text} ${which}`,
    text,
    run: () => statusMethodsOf(name).setStatusMany(ids, status),
    done: `${which}: ${status}`,
  };
};

/** Complete, Fail and Cancel. */
export const statusCommands = (kind: Kind, ids: readonly string[]): readonly Command[] =>
  kind.states?.includes('completed') ? Object.keys(verbs).map((status) => toCommand(kind, ids, status)) : [];

/** The other states. */
export const otherStatusCommands = (kind: Kind, ids: readonly string[]): readonly Command[] =>
  (kind.states ?? []).filter((status) => !(status in verbs)).map((status) => toCommand(kind, ids, status));
