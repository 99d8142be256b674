import {
  ActionIcon,
  Anchor,
  Badge,
  Burger,
  Button,
  Flex,
  Group,
  Kbd,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { IconBrightness, IconPlayerPauseFilled, IconSearch } from '@tabler/icons-react';
import { useClock, useNow } from './clock.ts';
import { live, session } from './connection.ts';
import { openPalette } from './palette.tsx';
import { toHash } from './route.ts';
import { Foreign, formatTime } from './text.tsx';
import { useQuery } from './use-query.ts';

interface HeaderProps {
  readonly isMenuOpen: boolean;
  readonly toggleMenu: () => void;
}

export const Header = ({ isMenuOpen, toggleMenu }: HeaderProps) => {
  const { text, color } = connections[live.use(({ connection }) => connection)];
  return (
    <Flex
      h="100%"
      align="center"
      wrap={{ base: 'wrap', sm: 'nowrap' }}
      gap={{ base: '4px 8px', sm: 12 }}
      px={{ base: 12, sm: 16 }}
    >
      <Burger
        opened={isMenuOpen}
        onClick={toggleMenu}
        hiddenFrom="sm"
        size="sm"
        aria-label="Panels"
        aria-expanded={isMenuOpen}
      />
      <Text span size="md" fw={700} truncate flex={{ base: 1, sm: 'none' }}>
        gateway-mock
      </Text>
      <World />
      <Group gap="xs" wrap="nowrap" flex="none">
        <Badge role="status" color={color} flex="none">
          {text}
        </Badge>
        <Button variant="default" px="xs" onClick={openPalette}>
          <IconSearch size={18} aria-hidden />
          <VisuallyHidden hiddenFrom="md">Search or run</VisuallyHidden>
          <Text span inherit visibleFrom="md" mx="xs">
            Search or run
          </Text>
          <Kbd size="xs" visibleFrom="md">
            Ctrl K
          </Kbd>
        </Button>
        <Colours />
      </Group>
    </Flex>
  );
};

/** What the page shows: the scenario, the session and the world's time. */
const World = () => {
  useClock();
  const now = useNow();
  const { value: scenario } = useQuery('scenario', (control) => control.scenario.current());
  const facts = [
    { panel: 'scenario', name: 'scenario', text: scenario?.name },
    { panel: 'sessions', name: 'session', text: session },
    { panel: 'clock', name: 'UTC', text: now && formatTime(Math.floor(now.seconds)) },
  ];
  return (
    <Flex className="world" gap="md" miw={0} flex={{ base: '1 0 100%', sm: 1 }}>
      {facts.map(
        ({ panel, name, text }) =>
          text !== undefined && (
            <Anchor
              key={panel}
              href={toHash(panel)}
              title={name}
              c="inherit"
              truncate
              flex={panel === 'clock' ? 'none' : undefined}
            >
              <Text span size="xs" c="dimmed" visibleFrom="md">
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
  open: { text: 'Connected', color: 'teal' },
  lost: { text: 'Not connected', color: 'red' },
  locked: { text: 'Locked', color: 'orange' },
};

const Colours = () => {
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <ActionIcon aria-label="Light or dark" title="Light or dark" onClick={toggleColorScheme}>
      <IconBrightness size={18} aria-hidden />
    </ActionIcon>
  );
};
