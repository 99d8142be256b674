import { AppShell, NavLink } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { type MouseEvent, useEffect } from 'react';
import { Confirmation } from './act.tsx';
import { live } from './connection.ts';
import { Header } from './header.tsx';
import { Notices, Unlock } from './notices.tsx';
import { Palette } from './palette.tsx';
import { PanelView, panels } from './panels.tsx';
import { focusMain, toHash, useRoute } from './route.ts';

export const App = () => {
  const route = useRoute();
  const connection = live.use((state) => state.connection);
  const current = panels.find(({ id }) => id === route.panel) ?? panels[0];
  const [isMenuOpen, menu] = useDisclosure();
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  useEffect(() => menu.close(), [current]);
  return (
    <>
      <a className="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <AppShell
        header={{ height: { base: 92, sm: 56 } }}
        navbar={{ width: 190, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
        padding="md"
        transitionDuration={0}
      >
        <AppShell.Header>
          <Header isMenuOpen={isMenuOpen} toggleMenu={menu.toggle} />
        </AppShell.Header>
        <AppShell.Navbar p="xs" aria-label="Panels" inert={isNarrow && !isMenuOpen}>
          {panels.map(({ id, title, Icon }) => (
            <NavLink
              key={id}
              href={toHash(id)}
              label={title}
              leftSection={<Icon size={18} aria-hidden />}
              active={id === current.id}
              aria-current={id === current.id ? 'page' : undefined}
            />
          ))}
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1} pb={80}>
          <Notices />
          {connection === 'locked' ? <Unlock /> : <PanelView key={current.id} panel={current} />}
        </AppShell.Main>
      </AppShell>
      <Palette />
      <Confirmation />
    </>
  );
};

const skip = (event: MouseEvent): void => {
  event.preventDefault(); // the part after the # is the view
  focusMain();
};
