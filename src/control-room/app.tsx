import { AppShell, Badge, Button, Divider, Flex, NavLink, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconHelp, IconMenu2, type Icon as IconType } from '@tabler/icons-react';
import { Fragment, lazy, Suspense, useEffect } from 'react';
import { live } from './connection.ts';
import { Confirmation } from './dialog.tsx';
import { Header } from './header.tsx';
import { journal } from './journal.ts';
import { Notices, Unlock } from './notices.tsx';
import { Palette, showKeys } from './palette.tsx';
import { type Panel, PanelView, panelGroups, panels } from './panels.tsx';
import { focusMain, go, toHash, useRoute } from './route.ts';
import { isFromClient } from './sender.ts';
import { StateBar, useSessionState } from './session-state.tsx';
import { formatCount } from './text.tsx';
import { openTryIt, tryItState } from './try-it-state.ts';

const TryIt = lazy(async () => ({ default: (await import('./try-it.tsx')).TryIt }));

export const App = () => {
  const route = useRoute();
  const connection = live.use((state) => state.connection);
  const current = panels.find(({ id }) => id === route.panel);
  useLanding(current !== undefined);
  const [isMenuOpen, menu] = useDisclosure();
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const { counts, unusual } = useSessionState();
  const hasBar = Object.keys(unusual).length > 0;
  const isTrying = tryItState.use(({ start }) => start !== undefined);
  useHotkeys([['T', () => openTryIt()]]);
  useEffect(() => menu.close(), [current]);
  return (
    <>
      <Button
        component="a"
        className="skip"
        pos="fixed"
        left={8}
        style={{ zIndex: 1000 }}
        href="#main"
        onClick={(event) => {
          event.preventDefault(); // the part after the # is the view
          focusMain();
        }}
      >
        Skip to the content
      </Button>
      <AppShell
        header={{ height: hasBar ? 72 : 44 }}
        footer={{ height: 56, collapsed: !isNarrow }}
        navbar={{ width: 176, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
        transitionDuration={0}
      >
        <AppShell.Header>
          <Header />
          {hasBar && <StateBar of={unusual} />}
        </AppShell.Header>
        <AppShell.Navbar p="12px 8px" aria-label="Panels" inert={isNarrow && !isMenuOpen}>
          {panelGroups.map((group) => (
            <Fragment key={group[0]?.id}>
              {group.map((panel) => (
                <MenuLink key={panel.id} {...panel} isCurrent={panel === current} count={counts[panel.id]} />
              ))}
              <Divider m={8} />
            </Fragment>
          ))}
          <NavLink
            component="button"
            c="var(--ink2)"
            label="Keys and docs"
            leftSection={<IconHelp size={16} stroke={1.6} aria-hidden />}
            onClick={showKeys}
          />
        </AppShell.Navbar>
        {isNarrow && (
          <AppShell.Footer>
            <Flex component="nav" aria-label="Main panels" h="100%" align="center">
              {panels
                .filter(({ id }) => ['requests', 'clock', 'data', 'faults'].includes(id))
                .map((panel) => (
                  <UnstyledButton
                    key={panel.id}
                    component="a"
                    {...barEntry}
                    {...(current === panel && { c: 'var(--accent)', fw: 600, 'aria-current': 'page' })}
                    href={toHash(panel.id)}
                  >
                    <BarLabel {...panel} />
                  </UnstyledButton>
                ))}
              <UnstyledButton {...barEntry} aria-expanded={isMenuOpen} onClick={menu.toggle}>
                <BarLabel title="More" Icon={IconMenu2} />
              </UnstyledButton>
            </Flex>
          </AppShell.Footer>
        )}
        <AppShell.Main id="main" tabIndex={-1}>
          <Notices />
          {connection === 'locked' ? <Unlock /> : current && <PanelView key={current.id} panel={current} />}
        </AppShell.Main>
      </AppShell>
      <Palette />
      <Suspense>{isTrying && <TryIt />}</Suspense>
      <Confirmation />
    </>
  );
};

/** Chooses the panel of a link without one: how to connect, until the first call of somebody else has come. */
const useLanding = (isPanelChosen: boolean): void => {
  const isReady = live.use(
    ({ connection, revision }) => connection === 'locked' || (connection === 'open' && revision > 0),
  );
  useEffect(() => {
    if (isPanelChosen || !isReady) return;
    const isConnected = journal.get().requests.some(isFromClient);
    go(toHash(isConnected ? 'requests' : 'connect'), { replace: true });
  }, [isPanelChosen, isReady]);
};

/** An entry of the bar below, on a phone. */
const barEntry = { flex: 1, fz: 11, lh: 1.4, ta: 'center', c: 'var(--ink2)' } as const;

const BarLabel = ({ title, Icon }: { readonly title: string; readonly Icon: IconType }) => (
  <>
    <Icon size={20} stroke={1.6} aria-hidden />
    <div>{title}</div>
  </>
);

interface MenuLinkProps extends Panel {
  readonly isCurrent: boolean;
  readonly count: number | undefined;
}

const MenuLink = ({ id, title, Icon, countColor, isCurrent, count = 0 }: MenuLinkProps) => (
  <NavLink
    href={toHash(id)}
    label={title}
    leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
    rightSection={
      count > 0 && (
        <Badge variant={countColor ? 'light' : 'transparent'} color={countColor ?? 'gray'} px={6} aria-hidden>
          {formatCount(count)}
        </Badge>
      )
    }
    {...(isCurrent ? { active: true, fw: 600, 'aria-current': 'page' } : { c: 'var(--ink2)' })}
  />
);
