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

export const showKeys = (): void => shown.set({ what: 'keys' });
export const openHistory = (): void => shown.set({ what: 'history' });
export const openPalette = (): void => {
  shown.set({ what: 'palette', before: document.activeElement });
  addEventListener('keydown', collect, true);
};

const close = (): void => {
  takeTyped();
  shown.set({ what: 'nothing' });
};

/** What was typed before the box of the palette had the focus. */
let typed = '';

const collect = (event: KeyboardEvent): void => {
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
  typed += event.key;
  event.preventDefault();
  event.stopImmediatePropagation();
};

/** Called once the box has the focus. */
const takeTyped = (): string => {
  removeEventListener('keydown', collect, true);
  const text = typed;
  typed = '';
  return text;
};

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
  const common = { onClose: close, size: 'lg' };
  return (
    <Suspense>
      <Dialog {...common} opened={what === 'palette'} title="Search or run" returnFocus={false}>
        <Finder before={shown.get().before} close={close} takeTyped={takeTyped} />
      </Dialog>
      <Dialog {...common} opened={what === 'history'} title="Last changes">
        <History />
      </Dialog>
      <Dialog {...common} opened={what === 'keys'} title="Keys and docs">
        <Keys />
      </Dialog>
    </Suspense>
  );
};
