import {
  ActionIcon,
  Anchor,
  Badge,
  Burger,
  Button,
  Group,
  Kbd,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import {
  IconDeviceDesktop,
  IconMoon,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconSearch,
  IconSun,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useClock, useNow } from './clock.ts';
import { session } from './connection.ts';
import { formatTime } from './format.ts';
import { live } from './live.ts';
import { openPalette } from './palette.tsx';
import { toHash } from './route.ts';
import { Foreign } from './text.tsx';
import { useQuery } from './use-query.ts';

interface HeaderProps {
  readonly isMenuOpen: boolean;
  readonly toggleMenu: () => void;
}

export const Header = ({ isMenuOpen, toggleMenu }: HeaderProps) => (
  <div className="top">
    <Burger
      opened={isMenuOpen}
      onClick={toggleMenu}
      hiddenFrom="sm"
      size="sm"
      aria-label="Panels"
      aria-expanded={isMenuOpen}
    />
    <Text component="span" fw={700} truncate fz={{ base: 'sm', sm: 'md' }}>
      gateway-mock
    </Text>
    <World />
    <Group gap="xs" wrap="nowrap" className="fixed">
      <Connection />
      <Button variant="default" px="xs" onClick={openPalette}>
        <IconSearch size={18} aria-hidden />
        <VisuallyHidden hiddenFrom="md">Find or do</VisuallyHidden>
        <Text span inherit visibleFrom="md" mx="xs">
          Find or do
        </Text>
        <Kbd size="xs" visibleFrom="md">
          Ctrl K
        </Kbd>
      </Button>
      <Colours />
    </Group>
  </div>
);

/** What the page shows: the scenario, the session and the world's time. */
const World = () => {
  useClock();
  const now = useNow();
  const { value: scenario } = useQuery('scenario', (control) => control.scenario.current());
  return (
    <div className="world">
      {scenario && (
        <Fact panel="scenario" name="scenario">
          <Foreign text={scenario.name} />
        </Fact>
      )}
      <Fact panel="sessions" name="session">
        <Foreign text={session} />
      </Fact>
      {now && (
        <Fact panel="clock" name="UTC">
          {formatTime(Math.floor(now.seconds))}{' '}
          {now.speed === 0 ? (
            <IconPlayerPauseFilled size={12} aria-label="frozen" />
          ) : (
            <>
              <IconPlayerPlayFilled size={12} aria-label="runs" /> {now.speed}×
            </>
          )}
        </Fact>
      )}
    </div>
  );
};

interface FactProps {
  readonly panel: string;
  readonly name: string;
  readonly children: ReactNode;
}

const Fact = ({ panel, name, children }: FactProps) => (
  <Anchor href={toHash(panel)} size="sm" c="inherit" truncate className="numbers">
    <Text component="span" size="xs" c="dimmed" visibleFrom="sm">
      {name}
    </Text>{' '}
    {children}
  </Anchor>
);

const connections = {
  connecting: { text: 'Connecting …', color: 'gray' },
  open: { text: 'Connected', color: 'teal' },
  lost: { text: 'Not connected', color: 'red' },
  locked: { text: 'Locked', color: 'orange' },
};

const Connection = () => {
  const { text, color } = connections[live.use(({ connection }) => connection)];
  return (
    <Badge role="status" color={color} className="fixed">
      {text}
    </Badge>
  );
};

/** Each colour scheme, with the next. */
const schemes = {
  auto: { Icon: IconDeviceDesktop, next: 'light' },
  light: { Icon: IconSun, next: 'dark' },
  dark: { Icon: IconMoon, next: 'auto' },
} as const;

const Colours = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { Icon, next } = schemes[colorScheme];
  const label = `Colours: ${colorScheme}`;
  return (
    <ActionIcon aria-label={label} title={label} onClick={() => setColorScheme(next)}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
};
