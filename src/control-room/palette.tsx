import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { createStore } from './connection.ts';

const loadFinder = () => import('./finder.tsx');

/** It is large, so it is loaded after the page. */
const Finder = lazy(async () => ({ default: (await loadFinder()).Finder }));
const Dialog = lazy(async () => ({ default: (await import('./dialog.tsx')).Dialog }));
const Keys = lazy(async () => ({ default: (await import('./keys.tsx')).Keys }));
const History = lazy(async () => ({ default: (await import('./history.tsx')).History }));
addEventListener('load', () => setTimeout(loadFinder, 200));

const shown = createStore({
  what: 'nothing' as 'nothing' | 'palette' | 'keys' | 'history',
  /** What had the focus before the palette. */
  before: null as Element | null,
});

const showKeys = (): void => shown.set({ what: 'keys' });
export const openPalette = (): void => shown.set({ what: 'palette', before: document.activeElement });
export const openHistory = (): void => shown.set({ what: 'history' });
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
    <Suspense>
      <Dialog opened={what === 'palette'} onClose={close} title="Search or run" size="lg" returnFocus={false}>
        <Suspense>
          <Finder before={shown.get().before} close={close} showKeys={showKeys} />
        </Suspense>
      </Dialog>
      <Dialog opened={what === 'history'} onClose={close} title="Last changes">
        <Suspense>
          <History />
        </Suspense>
      </Dialog>
      <Dialog opened={what === 'keys'} onClose={close} title="Keyboard shortcuts">
        <Suspense>
          <Keys />
        </Suspense>
      </Dialog>
    </Suspense>
  );
};
