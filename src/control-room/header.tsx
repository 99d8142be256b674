import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Divider,
  Flex,
  Group,
  Kbd,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import {
  IconArrowBackUp,
  IconBrightness,
  IconPlayerPauseFilled,
  IconSearch,
  type Icon as IconType,
} from '@tabler/icons-react';
import { Fragment } from 'react';
import { live, session } from './connection.ts';
import { openHistory, openPalette } from './palette.tsx';
import { toHash } from './route.ts';
import { Foreign, formatTime } from './text.tsx';
import { useClock, useNow } from './use-clock.ts';
import { useQuery } from './use-query.ts';

export const Header = () => {
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <Flex h={44} align="center" gap={{ base: 8, sm: 16 }} px={{ base: 12, sm: 16 }}>
      <Anchor c="inherit" fw={600} underline="never" href={toHash('connect')} aria-label="gateway-mock">
        <Group gap={8} wrap="nowrap">
          <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
            <rect width="16" height="16" rx="4" fill="var(--accent-fill)" />
            <path d="M4 11V5l4 4 4-4v6" fill="none" stroke="#fff" strokeWidth="2" />
          </svg>
          <Text span inherit visibleFrom="sm">
            gateway-mock
          </Text>
        </Group>
      </Anchor>
      <World />
      <Group gap={4} wrap="nowrap" flex="none" ml="auto">
        <Connection />
        <Button variant="default" c="dimmed" px={8} onClick={openPalette}>
          <IconSearch size={16} aria-hidden />
          <VisuallyHidden hiddenFrom="md">Search or run</VisuallyHidden>
          <Text span inherit visibleFrom="md" ml="xs" mr={56}>
            Search or run
          </Text>
          <Kbd visibleFrom="md" aria-hidden>
            Ctrl K
          </Kbd>
        </Button>
        <IconButton label="Last changes" Icon={IconArrowBackUp} run={openHistory} />
        <IconButton label="Light or dark" Icon={IconBrightness} run={toggleColorScheme} />
      </Group>
    </Flex>
  );
};

const connections = {
  connecting: ['Connecting …', 'gray'],
  open: ['Connected', 'teal'],
  lost: ['Not connected', 'red'],
  locked: ['Locked', 'orange'],
} as const;

/** The state of the connection. When all is well, it is only said to those who cannot see that there is no other. */
const Connection = () => {
  const connection = live.use((state) => state.connection);
  const [text, color] = connections[connection];
  return (
    <span role="status">
      {connection === 'open' ? <VisuallyHidden>{text}</VisuallyHidden> : <Badge color={color}>{text}</Badge>}
    </span>
  );
};

/** What the page shows: the session, its scenario and its time. */
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

interface IconButtonProps {
  readonly label: string;
  readonly Icon: IconType;
  readonly run: () => void;
}

const IconButton = ({ label, Icon, run }: IconButtonProps) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={run}>
    <Icon size={16} aria-hidden />
  </ActionIcon>
);
