import { Combobox, Group, Kbd, Loader, Table, Text, TextInput, useCombobox } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { act, Dialog } from './act.tsx';
import { type Command, filterByText } from './commands.ts';
import { createStore } from './connection.ts';
import { commands as assumptions } from './panels/assumptions/commands.ts';
import { commands as clock } from './panels/clock/commands.ts';
import { commands as data } from './panels/data/commands.ts';
import { commands as faults } from './panels/faults/commands.ts';
import { commands as requests } from './panels/requests/commands.ts';
import { commands as scenario } from './panels/scenario/commands.ts';
import { commands as sessions } from './panels/sessions/commands.ts';
import { panels } from './panels.tsx';
import { focusMain, go, toHash } from './route.ts';
import { Foreign } from './text.tsx';
import { useQuery } from './use-query.ts';

const panelCommands = [data, requests, sessions, clock, scenario, faults, assumptions];

const views = panels.map(({ id, title }) => ({ kind: 'panel', name: title, run: () => go(toHash(id)) }));

const shown = createStore({ what: 'nothing' as 'nothing' | 'palette' | 'keys' });

const showKeys = (): void => shown.set({ what: 'keys' });
export const openPalette = (): void => shown.set({ what: 'palette' });
const close = (): void => shown.set({ what: 'nothing' });

/** Focuses the search field of the panel, since the browser's search finds only the visible rows. Returns whether that changed the focus. */
const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (!field || field === document.activeElement) return false;
  field.select();
  field.focus();
  return true;
};

/** The buttons of the open panel and of the header. */
const buttonsInView = (): readonly Command[] =>
  [
    ...document.querySelectorAll<HTMLElement>(
      'main .mantine-Button-root:not([data-disabled]), .mantine-ActionIcon-root',
    ),
  ].map((button) => ({
    name: button.ariaLabel ?? button.innerText,
    run: () => button.click(),
  }));

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
        <Finder />
      </Dialog>
      <Dialog opened={what === 'keys'} onClose={close} title="Keyboard shortcuts">
        <Table variant="vertical" data={{ body: keys }} />
      </Dialog>
    </>
  );
};

const Finder = () => {
  const [text, setText] = useState('');
  const words = text.trim();
  const [before] = useState(document.activeElement);
  // The combobox handles Escape, so it does not reach the modal.
  const leave = (): void => {
    close();
    if (before instanceof HTMLElement) before.focus();
  };
  const combobox = useCombobox({ opened: true, onDropdownClose: leave });
  const { value: there = [], isLoading } = useQuery(
    'find',
    async (control) => {
      if (words.length < 2) return [];
      return (await Promise.all(panelCommands.map(({ find }) => find?.(words, control) ?? []))).flat();
    },
    { details: words, wait: 150 },
  );
  const isSearching = isLoading && words.length > 1;
  const found = [
    ...filterByText(words, views),
    ...(isLoading ? filterByText(words, there) : there),
    ...panelCommands.flatMap(({ match }) => match?.(words) ?? []),
    ...filterByText(words, [...buttonsInView(), { name: 'List the keyboard shortcuts', run: showKeys }]),
  ];
  // Shows what is found twice only once.
  const all = new Map(found.map((one): [string, Command] => [`${one.kind ?? ''} ${one.name}`, one]));
  useEffect(() => void combobox.selectFirstOption(), [text, all.size]);
  const choose = (id: string): void => {
    const chosen = all.get(id);
    close();
    focusMain();
    if (chosen) void act(chosen);
  };
  const status = isSearching ? 'Searching …' : all.size === 0 ? 'Nothing contains this text.' : '';
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          role="combobox"
          aria-label="Search or run"
          placeholder="An id, a path, a panel, or a command such as “advance 3d”"
          spellCheck={false}
          autoComplete="off"
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={isSearching && <Loader size="xs" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options
        mt="sm"
        mah="60vh"
        className="palette"
        style={{ overflowY: 'auto' }}
        aria-label="Results"
      >
        {[...all].map(([id, { kind = 'command', name }]) => (
          <Combobox.Option key={id} value={id}>
            <Group gap="sm" wrap="nowrap">
              <Text size="xs" w={76} flex="none" className="dimmed">
                {kind}
              </Text>
              <span className="wrap">
                <Foreign text={name} />
              </span>
            </Group>
          </Combobox.Option>
        ))}
      </Combobox.Options>
      <Text c="dimmed" role="status" p={status === '' ? 0 : 'xs'}>
        {status}
      </Text>
    </Combobox>
  );
};

const keys = (
  [
    [['Ctrl K'], 'Search for anything, or run a command'],
    [['/', 'Ctrl F'], 'Search the panel'],
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
