import { Button, CloseButton, Group, Menu, Paper, Text } from '@mantine/core';
import { IconChevronDown, IconPlayerTrackNext } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from '../../action.tsx';
import { useNow } from '../../clock.ts';
import { control } from '../../connection.ts';
import { countOf, formatTime } from '../../format.ts';
import type { AnyRecord } from '../../kinds.ts';
import { act } from '../../notify.tsx';
import { isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { Compare } from './compare.tsx';
import { changedNames } from './form.ts';
import type { Kind } from './kinds.ts';

const verbs: Readonly<Record<string, string>> = {
  completed: 'Complete',
  failed: 'Fail',
  cancelled: 'Cancel',
};

const focusHeading = (): void => document.getElementById('data-heading')?.focus();

interface StatusActionsProps {
  readonly kind: Kind;
  readonly record: AnyRecord;
}

/** Gives a run or batch a status, with all that it implies, and shows what that changed. */
export const StatusActions = ({ kind: { name, singular, states = [] }, record }: StatusActionsProps) => {
  const [done, setDone] = useState<readonly [AnyRecord, AnyRecord]>();
  const set = (status: string) => ({
    done: `The ${singular} is now ${status}`,
    undo: 1,
    run: async (): Promise<void> => {
      const { setStatus } = control.records[name === 'runs' ? 'runs' : 'batches'];
      const after = await (setStatus as (id: string, status: string) => Promise<object>)(record.id, status); // the server checks it
      setDone([record, after as AnyRecord]);
    },
  });
  const names = done && changedNames(...done);
  return (
    <>
      <Group gap="xs" role="group" aria-label="Set the status">
        {Object.entries(verbs).map(([status, verb]) => (
          <Action key={status} {...set(status)} disabled={record.status === status}>
            {verb}
          </Action>
        ))}
        <Menu position="bottom-start">
          <Menu.Target>
            <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
              Other status
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {states
              .filter((status) => !(status in verbs))
              .map((status) => (
                <Menu.Item
                  key={status}
                  disabled={record.status === status}
                  onClick={() => void act(set(status).run, set(status))}
                >
                  {status}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
        <ToEnd id={record.id} />
      </Group>
      {done && names && changedNames(done[0], record).length > 0 && (
        <Paper p="sm" component="section" aria-label="What changed">
          <Group justify="space-between">
            <Text size="sm">
              {countOf(names.length, 'field')} changed. An edit of the status changes that field alone.
            </Text>
            <CloseButton
              aria-label="Close what changed"
              onClick={() => {
                setDone(undefined);
                focusHeading(); // the button goes
              }}
            />
          </Group>
          <Compare label="What changed" heads={['Before', 'After']} names={names} of={done} />
        </Paper>
      )}
    </>
  );
};

/** Moves the clock to the last change of a run or batch; nothing if no change is to come. */
const ToEnd = ({ id }: { readonly id: string }) => {
  const now = useNow();
  const { value: histories } = useQuery(['history', id], (own) => own.clock.timeline({ search: id }));
  const last = histories?.find((one) => one.id === id)?.states.at(-1);
  if (last === undefined || now === undefined || last.at <= now.seconds) return null;
  return (
    <Action
      run={() => control.clock.set(last.at).then(focusHeading)} // the button goes
      done={`It is ${formatTime(last.at)}`}
      undo={1}
      leftSection={<IconPlayerTrackNext size={16} aria-hidden />}
      title={isolate(`${last.status}, ${formatTime(last.at)}`)}
    >
      Advance to its end
    </Action>
  );
};
