import { Button, Group, Menu, Table } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { toJsonText } from '../../../core/util/json.ts';
import { Action, act } from '../../act.tsx';
import { control } from '../../connection.ts';
import type { AnyRecord, Kind } from '../../kinds.ts';
import { Section } from '../../parts.tsx';
import { countOf, Foreign, formatTime } from '../../text.tsx';
import { changedNames } from './form.ts';

const verbs: Readonly<Record<string, string>> = {
  completed: 'Complete',
  failed: 'Fail',
  cancelled: 'Cancel',
};

interface StatusActionsProps {
  readonly kind: Kind;
  readonly record: AnyRecord;
}

/** Gives a run or batch a status, with all that it implies, and shows what that changed. */
export const StatusActions = ({ kind: { name, singular, states = [] }, record }: StatusActionsProps) => {
  const [done, setDone] = useState<readonly [AnyRecord, AnyRecord]>();
  const { setStatus } = control.records[name === 'runs' ? 'runs' : 'batches'];
  const set = (status: string) => ({
    done: `The ${singular} is now ${status}`,
    run: async (): Promise<void> => {
      const after = await (setStatus as (id: string, status: string) => Promise<object>)(record.id, status); // the server checks it
      setDone([record, after as AnyRecord]);
    },
  });
  const names = done ? changedNames(...done) : [];
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
            <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
              Other status
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {states
              .filter((status) => !(status in verbs) && status !== record.status)
              .map((status) => (
                <Menu.Item key={status} onClick={() => void act(set(status))}>
                  {status}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      {done && changedNames(done[0], record).length > 0 && (
        <Section
          title="What changed"
          note={`${countOf(names.length, 'field')} changed. An edit of the status changes that field alone.`}
        >
          <Table
            aria-label="What changed"
            className="wrap"
            layout="fixed"
            data={{
              head: ['Field', 'Before', 'After'],
              body: names.map((name) =>
                [name, ...done.map((record) => toLine(name, record[name]))].map((text) => (
                  <Foreign key={text} text={text} />
                )),
              ),
            }}
          />
        </Section>
      )}
    </>
  );
};

/** The value of a field in one line. */
const toLine = (name: string, value: unknown): string => {
  if (name.endsWith('_at') && typeof value === 'number') return `${formatTime(value)} (${value})`;
  return typeof value === 'string' ? value : toJsonText(value);
};
