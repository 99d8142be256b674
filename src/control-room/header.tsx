import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Flex,
  Group,
  Kbd,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import {
  type Icon,
  IconArrowBackUp,
  IconBrightness,
  IconPlayerPauseFilled,
  IconSearch,
} from '@tabler/icons-react';
import { live, session } from './connection.ts';
import { openHistory, openPalette } from './palette.tsx';
import { toHash } from './route.ts';
import { Foreign, formatTime } from './text.tsx';
import { useClock, useNow } from './use-clock.ts';
import { useQuery } from './use-query.ts';

export const Header = () => (
  <Flex h={44} align="center" gap={{ base: 8, sm: 16 }} px={{ base: 12, sm: 16 }}>
    <Anchor
      c="inherit"
      fw={600}
      underline="never"
      display="flex"
      style={{ gap: 8 }}
      aria-label="gateway-mock"
      href={toHash('connect')}
    >
      <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
        <rect width="16" height="16" rx="4" fill="var(--accent-fill)" />
        <path d="M4 11V5l4 4 4-4v6" fill="none" stroke="#fff" strokeWidth="2" />
      </svg>
      <Text span inherit visibleFrom="sm">
        gateway-mock
      </Text>
    </Anchor>
    <World />
    <Group gap={4} wrap="nowrap" flex="none" ml="auto">
      <Connection />
      <Button
        variant="default"
        w={{ md: 232 }}
        c={{ md: 'dimmed' }}
        styles={{ label: { width: '100%' } }}
        onClick={openPalette}
      >
        <IconSearch size={16} aria-hidden />
        <VisuallyHidden hiddenFrom="md">Search or run</VisuallyHidden>
        <Text span inherit visibleFrom="md" ml="xs">
          Search or run
        </Text>
        <Kbd visibleFrom="md" ml="auto" aria-hidden>
          Ctrl K
        </Kbd>
      </Button>
      <IconButton
        label="Last changes"
        title="Last changes, to go back"
        Icon={IconArrowBackUp}
        run={openHistory}
      />
      <Colours />
    </Group>
  </Flex>
);

/** The state of the connection. When all is well, it is only said to those who cannot see that there is no other. */
const Connection = () => {
  const { text, color } = connections[live.use(({ connection }) => connection)];
  return (
    <span role="status">
      {color === undefined ? (
        <VisuallyHidden>{text}</VisuallyHidden>
      ) : (
        <Badge color={color} mr="xs">
          {text}
        </Badge>
      )}
    </span>
  );
};

/** What the page shows: the scenario, the session and the world's time. */
const World = () => {
  useClock();
  const now = useNow();
  const { value: scenario } = useQuery('scenario', (control) => control.scenario.current());
  const facts = [
    { panel: 'sessions', name: 'session', text: session },
    { panel: 'scenario', name: 'scenario', text: scenario?.name },
    { panel: 'clock', name: 'UTC', text: now && formatTime(Math.floor(now.seconds)) },
  ];
  return (
    <Flex className="world" miw={0}>
      {facts.map(
        ({ panel, name, text }) =>
          text !== undefined && (
            <Anchor
              key={panel}
              href={toHash(panel)}
              title={name}
              c="inherit"
              truncate
              {...(panel === 'scenario' && { visibleFrom: 'sm' })}
              flex={panel === 'clock' ? 'none' : undefined}
            >
              <Text span inherit c="dimmed" fw={400} visibleFrom="md">
                {name}
              </Text>{' '}
              <Foreign text={text} />
              {panel === 'clock' && now?.speed === 0 && (
                <IconPlayerPauseFilled size={12} aria-label="frozen" style={{ marginLeft: 6 }} />
              )}
              {panel === 'clock' && now?.speed !== 0 && ` ${now?.speed}×`}
            </Anchor>
          ),
      )}
    </Flex>
  );
};

const connections = {
  connecting: { text: 'Connecting …', color: 'gray' },
  open: { text: 'Connected', color: undefined },
  lost: { text: 'Not connected', color: 'red' },
  locked: { text: 'Locked', color: 'orange' },
};

const Colours = () => {
  const { toggleColorScheme } = useMantineColorScheme();
  return <IconButton label="Light or dark" Icon={IconBrightness} run={toggleColorScheme} />;
};

interface IconButtonProps {
  readonly label: string;
  /** Default: the label. */
  readonly title?: string;
  readonly Icon: Icon;
  readonly run: () => void;
}

const IconButton = ({ label, title = label, Icon, run }: IconButtonProps) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} title={title} onClick={run}>
    <Icon size={16} aria-hidden />
  </ActionIcon>
);
