import { CloseButton, Group, NativeSelect, Paper, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from '../../act.tsx';
import { type AnyRecord, type Kind, recordsOf } from '../../kinds.ts';
import { countOf } from '../../text.tsx';

/** The most records that are chosen at once. */
export const maxChosen = 500;

interface ChosenProps {
  readonly kind: Kind;
  readonly ids: readonly string[];
  readonly clear: () => void;
}

/** What is done to all chosen records at once, and undone at once. */
export const Chosen = ({ kind: { name, singular, states = [] }, ids, clear }: ChosenProps) => {
  const [status = '', setStatus] = useState(states[0]);
  const records = recordsOf(name);
  const count = countOf(ids.length, singular, name);
  return (
    <Paper p="xs" role="group" aria-label={`${count} chosen`}>
      <Group gap="xs">
        <Text fw={600}>{count} chosen</Text>
        {states.length > 0 && (
          <>
            <NativeSelect
              size="xs"
              aria-label="New status"
              data={[...states]}
              value={status}
              onChange={({ currentTarget }) => setStatus(currentTarget.value)}
            />
            <Action
              run={() => records.updateMany(ids, { status } as Partial<AnyRecord>).then(clear)} // the server checks it
              done={`The status of ${count} was set`}
            >
              Set status
            </Action>
            <Text size="xs" c="dimmed">
              This field alone.
            </Text>
          </>
        )}
        <Action Icon={IconTrash} run={() => records.deleteMany(ids).then(clear)} done={`Deleted: ${count}`}>
          Delete
        </Action>
        <CloseButton aria-label="Choose none" onClick={clear} />
      </Group>
    </Paper>
  );
};
