import { Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { limits } from '../../../core/util/limits.ts';
import type { RecordQuery } from '../../../service/control/control-interface.ts';
import { Action } from '../../act.tsx';
import { type Kind, recordsOf } from '../../kinds.ts';
import { countOf, formatCount } from '../../text.tsx';
import { statusCommands } from './status-commands.ts';

interface ChosenProps {
  readonly kind: Kind;
  readonly ids: readonly string[];
  /** How many are listed. */
  readonly count: number;
  readonly set: (ids: readonly string[]) => void;
  /** The filter of the list. */
  readonly matching: RecordQuery;
}

/** What is done with all chosen records: one change, which one undo takes back. */
export const Chosen = ({ kind, ids, count, set, matching }: ChosenProps) => {
  const records = recordsOf(kind.name);
  const chosen = countOf(ids.length, kind.singular, kind.name);
  const most = Math.min(count, limits.listed);
  const chooseAll = async (): Promise<void> =>
    set((await records.list({ ...matching, limit: limits.listed })).map(({ id }) => id));
  const remove = async (): Promise<void> => {
    await records.deleteMany(ids);
    set([]);
  };
  return (
    <Group gap="xs" role="group" aria-label={`${chosen} chosen`}>
      <Text c="dimmed">
        {formatCount(ids.length)} of {formatCount(count)} chosen
      </Text>
      {ids.length < most && <Action run={chooseAll}>{`Choose all ${formatCount(most)}`}</Action>}
      <Action run={() => set([])}>Choose none</Action>
      {statusCommands(kind, ids).map(({ name, text, ...task }) => (
        <Action key={name} {...task} aria-label={name}>
          {text}
        </Action>
      ))}
      <Action Icon={IconTrash} run={remove} done={`${chosen}: deleted`}>
        Delete {formatCount(ids.length)}
      </Action>
    </Group>
  );
};
