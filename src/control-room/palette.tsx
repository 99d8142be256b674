import { TextInput, type TextInputProps } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { createStore } from './connection.ts';
import { Dialog } from './dialog.tsx';

const loadFinder = () => import('./finder.tsx');

/** It is large, so it is loaded after everything else. */
const Finder = lazy(async () => ({ default: (await loadFinder()).Finder }));
const lists = {
  keys: { title: 'Keys and docs', View: lazy(async () => ({ default: (await loadFinder()).Keys })) },
  history: { title: 'Last changes', View: lazy(async () => ({ default: (await loadFinder()).History })) },
};
addEventListener('load', () => setTimeout(loadFinder, 200));

const shown = createStore({ what: 'nothing' as 'nothing' | 'palette' | keyof typeof lists });

export const showKeys = (): void => shown.set({ what: 'keys' });
export const openHistory = (): void => shown.set({ what: 'history' });
export const openPalette = (): void => shown.set({ what: 'palette' });
export const close = (): void => shown.set({ what: 'nothing' });

/** Focuses the search field of the panel, since the browser's search finds only the visible rows. Returns whether that changed the focus. */
const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (!field || field === document.activeElement) return false;
  field.select();
  field.focus();
  return true;
};

/** The palette, and the other dialogs that open over any panel. Ctrl+K finds anything and runs any command; the key ? lists the keyboard shortcuts. */
export const Palette = () => {
  const what = shown.use((state) => state.what);
  useHotkeys([
    ['/', () => focusSearch() || openPalette()],
    ['mod+F', (event) => focusSearch() && event.preventDefault(), { preventDefault: false }],
    ['shift+?', showKeys],
  ]);
  useHotkeys([['mod+K', openPalette]], []); // in fields as well
  if (what === 'nothing') return null;
  if (what === 'palette') return <FinderDialog />;
  const { title, View } = lists[what];
  return (
    <Suspense>
      <Dialog title={title} close={close}>
        <View />
      </Dialog>
    </Suspense>
  );
};

export interface FinderProps {
  readonly text: string;
  readonly input: TextInputProps;
}

const FinderDialog = () => {
  const [text, setText] = useState('');
  const input: TextInputProps = {
    'aria-label': 'Search or run',
    placeholder: 'An id, a path, a panel, or a command such as “advance 3d”',
    spellCheck: false,
    autoFocus: true,
    value: text,
    onChange: (event) => setText(event.currentTarget.value),
  };
  return (
    <Dialog title="Search or run" close={close}>
      {/* The first input takes what is typed until the second is loaded. */}
      <Suspense fallback={<TextInput {...input} />}>
        <Finder text={text} input={input} />
      </Suspense>
    </Dialog>
  );
};
