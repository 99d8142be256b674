import { Text } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { Lines, Section, TextForm } from '../../parts.tsx';
import { countOf, Foreign, formatTime } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { inWords, stateCommands, toGoBack, toSave } from './commands.ts';

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

/** The last changes of the session, the newest first: each can be undone with all that came after it. */
export const History = () => {
  const { value: history } = useQuery('history', (own) => own.state.history());
  const { changes, dropped } = history ?? { changes: [], dropped: 0 };
  const note =
    changes.length === 0
      ? 'No changes yet. The last 20 are listed here, whoever makes them.'
      : 'Go back to before any change, and so before all later ones.';
  return (
    <Section
      title="History"
      note={dropped === 0 ? note : `${note} ${countOf(dropped, 'older change')} can no longer be undone.`}
    >
      <Lines
        label="Changes, the newest first"
        of={changes.toReversed()}
        commandsOf={(one) => [toGoBack(one)]}
      >
        {(change) => (
          <>
            <Foreign text={inWords(change)} />
            <Text size="xs" c="dimmed">
              at {formatTime(change.at)}
            </Text>
          </>
        )}
      </Lines>
    </Section>
  );
};
