import { Badge, Group, Switch, Text } from '@mantine/core';
import { IconCheck, IconTrash } from '@tabler/icons-react';
import type { FaultInfo } from '../../../core/faults/fault.ts';
import { Action, act } from '../../act.tsx';
import { Lines, Loading, Section } from '../../parts.tsx';
import { countOf, Foreign, isolate } from '../../text.tsx';
import { clear, commandsOf, toggle } from './commands.ts';

/** The faults in the order in which they are tried. */
export const FaultList = ({ faults }: { readonly faults: readonly FaultInfo[] | undefined }) => {
  if (faults === undefined) return <Loading />;
  const isEmpty = faults.length === 0;
  return (
    <Section
      title="In this session"
      note={
        isEmpty
          ? 'No faults: every call gets its usual reply.'
          : 'The first that matches acts, with all delays above it. Delays are in real time.'
      }
      side={
        !isEmpty && (
          <Action {...clear} Icon={IconTrash}>
            Remove all
          </Action>
        )
      }
    >
      <Lines label="Faults" first={20} of={faults} commandsOf={commandsOf}>
        {(fault) => <Fault fault={fault} />}
      </Lines>
    </Section>
  );
};

const Fault = ({ fault: info }: { readonly fault: FaultInfo }) => {
  const { fault, calls, hits, off, spent, unused } = info;
  const state = off ? 'off' : spent ? 'used up' : undefined;
  return (
    <Group wrap="nowrap" align="flex-start">
      {spent && !off ? (
        <IconCheck size={16} aria-hidden style={{ width: 32, marginTop: 2 }} />
      ) : (
        <Switch
          size="xs"
          mt={2}
          aria-label={`On: ${isolate(fault)}`}
          checked={!off}
          onChange={() => void act(toggle(info))}
        />
      )}
      <div className="wrap">
        <Text className="mono" {...(state && { c: 'dimmed' })}>
          <Foreign text={fault} />
        </Text>
        <Group gap="2px 8px">
          {state && <Badge color="gray">{state}</Badge>}
          <Text size="xs" c="dimmed">
            {countOf(calls, 'call')}, {countOf(hits, 'hit')}.{' '}
            {unused !== null && !off && (
              <Foreign text={`${spent ? 'It never had an effect' : 'No effect yet'}: ${unused}.`} />
            )}
          </Text>
        </Group>
      </div>
    </Group>
  );
};
