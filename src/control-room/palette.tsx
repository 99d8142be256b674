import { Group, Kbd, Table } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { Dialog } from './act.tsx';
import { createStore } from './connection.ts';

const loadFinder = () => import('./finder.tsx');

/** It is large, so it is loaded after the page. */
const Finder = lazy(async () => ({ default: (await loadFinder()).Finder }));
addEventListener('load', () => setTimeout(loadFinder, 200));

const shown = createStore({
  what: 'nothing' as 'nothing' | 'palette' | 'keys',
  /** What had the focus before the palette. */
  before: null as Element | null,
});

const showKeys = (): void => shown.set({ what: 'keys' });
export const openPalette = (): void => shown.set({ what: 'palette', before: document.activeElement });
const close = (): void => shown.set({ what: 'nothing' });

/** Focuses the search field of the panel, since the browser's search finds only the visible rows. Returns whether that changed the focus. */
const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (!field || field === document.activeElement) return false;
  field.select();
  field.focus();
  return true;
};

/** Finds anything and runs any command: Ctrl+K. The key ? lists the keyboard shortcuts. */
export const Palette = () => {
  const what = shown.use((state) => state.what);
  useHotkeys([
    ['/', () => focusSearch() || openPalette()],
    ['mod+F', (event) => focusSearch() && event.preventDefault(), { preventDefault: false }],
    ['shift+?', showKeys],
  ]);
  useHotkeys([['mod+K', openPalette]], []); // in fields as well
  return (
    <>
      <Dialog opened={what === 'palette'} onClose={close} title="Search or run" size="lg" returnFocus={false}>
        <Suspense>
          <Finder before={shown.get().before} close={close} showKeys={showKeys} />
        </Suspense>
      </Dialog>
      <Dialog opened={what === 'keys'} onClose={close} title="Keyboard shortcuts">
        <Table variant="vertical" data={{ body: keys }} />
      </Dialog>
    </>
  );
};

const keys = (
  [
    [['Ctrl K'], 'Search for anything, or run a command'],
    [['/', 'Ctrl F'], 'Search the panel'],
    [['T'], 'Try a call'],
    [['Space'], 'Pause the list of requests'],
    [['?'], 'List the keyboard shortcuts'],
    [['Ctrl Z'], 'Undo the last change'],
    [['↑', '↓', 'Page Up', 'Page Down', 'Home', 'End'], 'Move in a list'],
    [['Enter'], 'Open the row'],
    [['Esc'], 'Close what is open'],
  ] as const
).map(([names, does]) => [
  <Group key={does} gap={4}>
    {names.map((name) => (
      <Kbd key={name}>{name}</Kbd>
    ))}
  </Group>,
  does,
]);
