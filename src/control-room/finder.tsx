import { Combobox, Group, Text, TextInput, useCombobox, useMantineColorScheme } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { act, copy } from './act.tsx';
import { type Command, filterByText } from './commands.ts';
import { baseUrl, root } from './connection.ts';
import { showKeys } from './palette.tsx';
import { commands as assumptions } from './panels/assumptions/commands.ts';
import { commands as clock } from './panels/clock/commands.ts';
import { commands as data } from './panels/data/commands.ts';
import { commands as faults } from './panels/faults/commands.ts';
import { commands as limits } from './panels/limits/commands.ts';
import { commands as requests } from './panels/requests/commands.ts';
import { commands as scenario } from './panels/scenario/commands.ts';
import { commands as sessions } from './panels/sessions/commands.ts';
import { panels } from './panels.tsx';
import { focusMain, go, toHash } from './route.ts';
import { Foreign } from './text.tsx';
import { useQuery } from './use-query.ts';

const panelCommands = [data, requests, sessions, clock, scenario, faults, limits, assumptions];

const views = panels.map(({ id, title }) => ({ kind: 'panel', name: title, run: () => go(toHash(id)) }));

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

interface FinderProps {
  readonly before: Element | null;
  readonly close: () => void;
  /** What was typed before. */
  readonly takeTyped: () => string;
}

/** The box of the palette. */
export const Finder = ({ before, close, takeTyped }: FinderProps) => {
  const [text, setText] = useState('');
  const { toggleColorScheme } = useMantineColorScheme();
  const words = text.trim();
  // The combobox handles Escape, so it does not reach the modal.
  const leave = (): void => {
    close();
    if (before instanceof HTMLElement) before.focus();
  };
  const combobox = useCombobox({ opened: true, onDropdownClose: leave });
  const { value: results = [], isLoading } = useQuery(
    'find',
    async (control) => {
      if (words.length < 2) return [];
      return (await Promise.all(panelCommands.map(({ find }) => find?.(words, control) ?? []))).flat();
    },
    { details: words, wait: 150 },
  );
  const found = [
    ...filterByText(words, views),
    ...(isLoading ? filterByText(words, results) : results),
    ...panelCommands.flatMap(({ match }) => match?.(words) ?? []),
    ...filterByText(words, [
      ...buttonsInView(),
      { name: 'List the keyboard shortcuts', run: showKeys },
      { name: 'Open the docs', run: showKeys },
      { name: 'Open the OpenAPI document', run: () => open(`${root}/openapi.json`) },
      { name: 'Copy the base URL', run: () => copy(baseUrl) },
      { name: 'Switch the theme: light or dark', run: toggleColorScheme },
    ]),
  ];
  // Shows what is found twice only once.
  const commands = new Map(
    found.map((command): [string, Command] => [`${command.kind ?? ''} ${command.name}`, command]),
  );
  useEffect(() => void combobox.selectFirstOption(), [text, commands.size]);
  const choose = (id: string): void => {
    const chosen = commands.get(id);
    close();
    focusMain();
    if (chosen) void act(chosen);
  };
  const status =
    isLoading && words.length > 1 ? 'Searching …' : commands.size === 0 ? 'Nothing contains this text.' : '';
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          autoFocus
          role="combobox"
          aria-label="Search or run"
          placeholder="An id, a path, a panel, or a command such as “advance 3d”"
          spellCheck={false}
          autoComplete="off"
          leftSection={<IconSearch size={18} aria-hidden />}
          value={text}
          onFocus={() => setText((now) => now + takeTyped())}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options mt="sm" mah="60vh" style={{ overflowY: 'auto' }} aria-label="Results">
        {[...commands].map(([id, { kind = 'command', name }]) => (
          <Combobox.Option key={id} value={id}>
            <Group gap="sm" wrap="nowrap">
              <Text size="xs" w={76} flex="none">
                {kind}
              </Text>
              <span className="wrap">
                <Foreign text={name} />
              </span>
            </Group>
          </Combobox.Option>
        ))}
      </Combobox.Options>
      <Text c="dimmed" role="status">
        {status}
      </Text>
    </Combobox>
  );
};
