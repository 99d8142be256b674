import { Text } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { Offers } from '../../act.tsx';
import { Line, Lines, Section, TextForm } from '../../parts.tsx';
import { countOf, Foreign, formatTime } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { stateOffers, toGoBack, toSave } from './commands.ts';

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
        aria-label="Name of the state"
        placeholder="Name"
        action="Save"
        Icon={IconDeviceFloppy}
        toDeed={(name) => toSave(name, states)}
      />
      <Lines label="Saved states">
        {states.toReversed().map(({ name, scenario, now }) => (
          <Line key={name} actions={<Offers of={stateOffers(name)} />}>
            <Foreign text={name} />
            <Text size="xs" c="dimmed">
              <Foreign text={scenario} />, at {formatTime(now)}
            </Text>
          </Line>
        ))}
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
      <Lines label="Changes, the newest first">
        {changes.toReversed().map((change) => (
          <Line key={change.id} actions={<Offers of={[toGoBack(change)]} />}>
            <span className="mono">
              {change.what}{' '}
              <span className="dimmed">
                <Foreign text={change.input === '{}' ? '' : change.input} />
              </span>
            </span>
            <Text size="xs" c="dimmed">
              at {formatTime(change.at)}
            </Text>
          </Line>
        ))}
      </Lines>
    </Section>
  );
};
