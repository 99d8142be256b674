import { Anchor, Divider, Flex, Kbd, Text, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconArrowBackUp, IconBrightness, IconPlayerPauseFilled, IconSearch } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Action, Actions } from './act.tsx';
import { live, session } from './connection.ts';
import { openHistory, openPalette } from './palette.tsx';
import { toHash } from './route.ts';
import { Foreign, formatTime } from './text.tsx';
import { useClock, useNow } from './use-clock.ts';
import { useQuery } from './use-query.ts';

/** The state of the connection for those who cannot see that there is no notice. */
const states = { connecting: 'Connecting …', open: 'Connected', lost: 'Not connected', locked: 'Locked' };

export const Header = () => {
  const { toggleColorScheme } = useMantineColorScheme();
  const connection = live.use((state) => state.connection);
  return (
    <Flex h={44} align="center" gap={{ base: 8, sm: 16 }} px={{ base: 12, sm: 16 }}>
      <Anchor c="inherit" fw={600} underline="never" href={toHash('connect')} aria-label="gateway-mock">
        <Flex gap={8} align="center">
          <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
            <rect width="16" height="16" rx="4" fill="var(--accent-fill)" />
            <path d="M4 11V5l4 4 4-4v6" fill="none" stroke="#fff" strokeWidth="2" />
          </svg>
          <Text span inherit visibleFrom="sm">
            gateway-mock
          </Text>
        </Flex>
      </Anchor>
      <World />
      <VisuallyHidden role="status">{states[connection]}</VisuallyHidden>
      <Flex gap={4} align="center" flex="none" ml="auto">
        <Action
          text={
            <Text span inherit visibleFrom="md">
              Search or run <Kbd ml={56}>Ctrl K</Kbd>
            </Text>
          }
          Icon={IconSearch}
          c="dimmed"
          aria-label="Search or run Ctrl K"
          run={openPalette}
        />
        <Actions
          variant="subtle"
          color="gray"
          of={[
            { name: 'Last changes', Icon: IconArrowBackUp, run: openHistory },
            { name: 'Light or dark', Icon: IconBrightness, run: toggleColorScheme },
          ]}
        />
      </Flex>
    </Flex>
  );
};

/** What is shown: the session, its scenario and its time. */
const World = () => {
  useClock();
  const now = useNow();
  const { value: scenario } = useQuery('scenario', (control) => control.scenario.current());
  const facts = [
    { panel: 'sessions', name: 'session', text: session },
    { panel: 'scenario', name: 'scenario', text: scenario?.name },
    { panel: 'clock', name: 'UTC', text: now && formatTime(Math.floor(now.seconds)) },
  ];
  return facts.map(({ panel, name, text }, at) => {
    if (text === undefined) return null;
    const room = panel === 'scenario' ? { visibleFrom: 'sm' } : {};
    return (
      <Fragment key={panel}>
        {at > 0 && <Divider orientation="vertical" my={14} {...room} />}
        <Anchor href={toHash(panel)} title={name} c="inherit" truncate {...room}>
          <Text span inherit c="dimmed" visibleFrom="md">
            {name}{' '}
          </Text>
          <Foreign text={text} />
          {panel === 'clock' &&
            (now?.speed === 0 ? (
              <IconPlayerPauseFilled size={12} aria-label="frozen" style={{ marginLeft: 6 }} />
            ) : (
              ` ${now?.speed}×`
            ))}
        </Anchor>
      </Fragment>
    );
  });
};
