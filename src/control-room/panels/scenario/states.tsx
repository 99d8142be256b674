import { Text } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { Lines, Section, TextForm } from '../../parts.tsx';
import { Foreign, formatTime } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { stateCommands, toSave } from './commands.ts';

/** Saved states of the session, the newest first. */
export const SavedStates = () => {
  const { value: states = [] } = useQuery('states', (own) => own.state.list());
  return (
    <Section
      title="Saved states"
      note={states.length === 0 && 'No saved states. The server keeps them in memory until it stops.'}
    >
      <TextForm
        mt="xs"
        name="state"
        label="Name of the state"
        action="Save"
        Icon={IconDeviceFloppy}
        toTask={(name) => toSave(name, states)}
      />
      <Lines label="Saved states" of={states.toReversed()} commandsOf={({ name }) => stateCommands(name)}>
        {({ name, scenario, now }) => (
          <>
            <Foreign text={name} />
            <Text size="xs" c="dimmed">
              <Foreign text={scenario} />, at {formatTime(now)}
            </Text>
          </>
        )}
      </Lines>
    </Section>
  );
};
