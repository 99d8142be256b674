import {
  ActionIcon,
  Anchor,
  Badge,
  Burger,
  Button,
  Group,
  Kbd,
  type MantineColorScheme,
  Menu,
  Text,
  useMantineColorScheme,
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
      <Button
        variant="default"
        visibleFrom="md"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={openPalette}
      >
        Find or do
      </Button>
      <ActionIcon hiddenFrom="md" aria-label="Find or do" onClick={openPalette}>
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
      <Colours />
    </Group>
  </div>
);

/** What the page shows: the scenario, the session and the world's time. */
const World = () => {
  useClock();
  const now = useNow();
  const { value: scenario } = useQuery('scenario', (control) => control.scenario.current());
  const isFrozen = now?.speed === 0;
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
        <Fact panel="clock" name="UTC" hint="The time of this world, in UTC">
          <span className="numbers">{formatTime(Math.floor(now.seconds))}</span>{' '}
          {isFrozen ? (
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
  readonly hint?: string;
  readonly children: ReactNode;
}

const Fact = ({ panel, name, hint, children }: FactProps) => (
  <Anchor href={toHash(panel)} size="sm" c="inherit" title={hint} className="fact">
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

const schemes = [
  { value: 'auto', label: 'System colours', Icon: IconDeviceDesktop },
  { value: 'light', label: 'Light colours', Icon: IconSun },
  { value: 'dark', label: 'Dark colours', Icon: IconMoon },
] as const;

const Colours = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { Icon } = schemes.find(({ value }) => value === colorScheme) ?? schemes[0];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label="Colours">
          <Icon size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        >
          {schemes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
};
