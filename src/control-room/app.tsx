import { AppShell, Badge, Divider, NavLink, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconHelp, IconMenu2 } from '@tabler/icons-react';
import { Fragment, lazy, type MouseEvent, Suspense, useEffect } from 'react';
import { live } from './connection.ts';
import { Header } from './header.tsx';
import { journal } from './journal.ts';
import { Notices, Unlock } from './notices.tsx';
import { Palette, showKeys } from './palette.tsx';
import { type Panel, PanelView, panelGroups, panels } from './panels.tsx';
import { focusMain, go, toHash, useRoute } from './route.ts';
import { isForeign } from './sender.ts';
import { listUnusual, StateBar, useSessionState } from './session-state.tsx';
import { formatCount } from './text.tsx';
import { openTryIt, tryItState } from './try-it-state.ts';

const Confirmation = lazy(async () => ({ default: (await import('./dialog.tsx')).Confirmation }));
const TryIt = lazy(async () => ({ default: (await import('./try-it.tsx')).TryIt }));

export const App = () => {
  const route = useRoute();
  const connection = live.use((state) => state.connection);
  const current = panels.find(({ id }) => id === route.panel);
  useLanding(current !== undefined);
  const [isMenuOpen, menu] = useDisclosure();
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const state = useSessionState();
  const unusual = state === undefined ? [] : listUnusual(state);
  const barHeight = unusual.length > 0 ? 28 : 0;
  const isTrying = tryItState.use(({ start }) => start !== undefined);
  useHotkeys([['T', () => openTryIt()]]);
  useEffect(() => menu.close(), [current]);
  return (
    <>
      <a className="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <AppShell
        header={{ height: 44 + barHeight }}
        footer={{ height: 56, collapsed: !isNarrow }}
        navbar={{ width: 176, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
        transitionDuration={0}
      >
        <AppShell.Header>
          <Header />
          {unusual.length > 0 && <StateBar of={unusual} />}
        </AppShell.Header>
        <AppShell.Navbar p="12px 8px" aria-label="Panels" inert={isNarrow && !isMenuOpen}>
          {panelGroups.map((group, at) => (
            <Fragment key={at}>
              {at > 0 && <Divider m={8} />}
              {group.map((panel) => (
                <MenuLink key={panel.id} panel={panel} isCurrent={panel === current} counts={state?.counts} />
              ))}
            </Fragment>
          ))}
          <Divider m={8} />
          <NavLink
            component="button"
            label="Keys and docs"
            leftSection={<IconHelp size={16} stroke={1.6} aria-hidden />}
            onClick={showKeys}
          />
        </AppShell.Navbar>
        {isNarrow && (
          <AppShell.Footer
            component="nav"
            aria-label="Main panels"
            display="flex"
            style={{ alignItems: 'center' }}
          >
            {panels
              .filter(({ id }) => ['requests', 'clock', 'data', 'faults'].includes(id))
              .map(({ id, title, Icon }) => (
                <UnstyledButton
                  key={id}
                  component="a"
                  {...barEntry}
                  {...(current?.id === id && { c: 'var(--accent)', fw: 600, 'aria-current': 'page' })}
                  href={toHash(id)}
                >
                  <Icon size={20} stroke={1.6} aria-hidden />
                  <div>{title}</div>
                </UnstyledButton>
              ))}
            <UnstyledButton
              {...barEntry}
              aria-label="More panels"
              aria-expanded={isMenuOpen}
              onClick={menu.toggle}
            >
              <IconMenu2 size={20} stroke={1.6} aria-hidden />
              <div>More</div>
            </UnstyledButton>
          </AppShell.Footer>
        )}
        <AppShell.Main id="main" tabIndex={-1}>
          <Notices />
          {connection === 'locked' ? <Unlock /> : current && <PanelView key={current.id} panel={current} />}
        </AppShell.Main>
      </AppShell>
      <Palette />
      {isTrying && (
        <Suspense>
          <TryIt />
        </Suspense>
      )}
      <Suspense>
        <Confirmation />
      </Suspense>
    </>
  );
};

/** Chooses the panel of a link without one: how to connect, until the first call of somebody else has come. */
const useLanding = (isPanelChosen: boolean): void => {
  const isLoaded = live.use(({ connection, revision }) => connection === 'open' && revision > 0);
  const isLocked = live.use(({ connection }) => connection === 'locked');
  useEffect(() => {
    if (isPanelChosen || !(isLoaded || isLocked)) return;
    const isConnected = journal.get().requests.some(isForeign);
    go(toHash(isConnected ? 'requests' : 'connect'), { replace: true });
  }, [isPanelChosen, isLoaded, isLocked]);
};

/** An entry of the bar below. */
const barEntry = { flex: 1, fz: 11, lh: 1.4, ta: 'center', c: 'var(--ink2)' } as const;

interface MenuLinkProps {
  readonly panel: Panel;
  readonly isCurrent: boolean;
  readonly counts: Readonly<Record<string, number>> | undefined;
}

const MenuLink = ({ panel: { id, title, Icon, countTone }, isCurrent, counts }: MenuLinkProps) => {
  const count = counts?.[id] ?? 0;
  const least = id === 'sessions' ? 2 : 1; // there is always one
  return (
    <NavLink
      href={toHash(id)}
      label={title}
      leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
      rightSection={
        count >= least && (
          <Badge
            variant={countTone ? 'light' : 'transparent'}
            color={countTone === 'bad' ? 'red' : countTone === 'warn' ? 'orange' : 'gray'}
            px={6}
            aria-hidden
          >
            {formatCount(count)}
          </Badge>
        )
      }
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
    />
  );
};

const skip = (event: MouseEvent): void => {
  event.preventDefault(); // the part after the # is the view
  focusMain();
};
