import { Combobox, Group, Kbd, Text, TextInput, useCombobox, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import type { RemoteControl } from '../service/client/connect.ts';
import { act, copy } from './act.tsx';
import { type Command, filterByText, type PanelCommands, toCommand } from './commands.ts';
import { baseUrl, control, root } from './connection.ts';
import { close, type FinderProps, showKeys } from './palette.tsx';
import { commands as clock } from './panels/clock/commands.ts';
import { commands as data } from './panels/data/commands.ts';
import { commands as faults } from './panels/faults/commands.ts';
import { enforce, lift, refill } from './panels/limits/commands.ts';
import { commands as requests } from './panels/requests/commands.ts';
import { inWords, commands as scenario, toGoBack } from './panels/scenario/commands.ts';
import { commands as sessions } from './panels/sessions/commands.ts';
import { panels } from './panels.tsx';
import { Definitions, Lines, Note } from './parts.tsx';
import { go, toHash } from './route.ts';
import { countOf, Foreign, formatTime, Rich } from './text.tsx';
import { useQuery } from './use-query.ts';

/** The most commands that the server finds for a panel. */
const maxFound = 10;

const limits: PanelCommands = { match: () => [enforce, lift, refill] };

const assumptions: PanelCommands = {
  find: async (_text, own) =>
    (await own.assumptions.list()).flatMap(({ id, choices }) =>
      choices.map(([choice]) =>
        toCommand(`assume ${id}: ${choice}`, () => control.assumptions.set(id, choice)),
      ),
    ),
};

const panelCommands = [data, requests, sessions, clock, scenario, faults, limits, assumptions];

const views = panels.map(({ id, title }) => ({ kind: 'panel', name: title, run: () => go(toHash(id)) }));

/** The buttons of the open panel and of the header. */
const buttonsInView = (): readonly Command[] =>
  [
    ...document.querySelectorAll<HTMLElement>(
      'main .mantine-Button-root:not([data-disabled]), header button[title]',
    ),
  ].map((button) => ({ name: button.ariaLabel ?? button.innerText, run: () => button.click() }));

/** The box of the palette with what is found. */
export const Finder = ({ text, input }: FinderProps) => {
  const { toggleColorScheme } = useMantineColorScheme();
  const words = text.trim();
  const combobox = useCombobox({ opened: true, onDropdownClose: close });
  const { value: results = [], isLoading } = useQuery(
    'find',
    (control) => (words.length < 2 ? Promise.resolve([]) : findCommands(words, control)),
    { details: words, wait: 150 },
  );
  const found = [
    ...filterByText(words, views),
    ...(isLoading ? filterByText(words, results) : results),
    ...panelCommands.flatMap(({ match }) => filterByText(words, match?.(words) ?? [])),
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
    if (chosen) void act(chosen);
  };
  const status =
    isLoading && words.length > 1 ? 'Searching …' : commands.size === 0 ? 'Nothing contains this text.' : '';
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput {...input} role="combobox" />
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

/** What the server finds for each panel. */
const findCommands = async (text: string, control: RemoteControl): Promise<readonly Command[]> => {
  const found = await Promise.all(panelCommands.map(({ find }) => find?.(text, control) ?? []));
  return found.flatMap((commands) => filterByText(text, commands).slice(0, maxFound));
};

/** The last changes of the session, the newest first: each can be undone with all that came after it. */
export const History = () => {
  const { value: history } = useQuery('history', (own) => own.state.history());
  const { changes, dropped } = history ?? { changes: [], dropped: 0 };
  return (
    <>
      <Text c="dimmed">
        {changes.length === 0
          ? 'No changes yet. The last 20 are listed here, whoever makes them.'
          : 'Go back to before any change, and so before all later ones.'}
        {dropped > 0 && ` ${countOf(dropped, 'older change')} can no longer be undone.`}
      </Text>
      <Lines
        label="Changes, the newest first"
        first={20}
        of={changes.toReversed()}
        commandsOf={(change) => [toGoBack(change)]}
      >
        {(change) => (
          <>
            <Foreign text={inWords(change)} />
            <Note>at {formatTime(change.at)}</Note>
          </>
        )}
      </Lines>
    </>
  );
};

const keys = {
  'Ctrl K': 'Search for anything, or run a command',
  '/, Ctrl F': 'Search the panel',
  T: 'Try a call',
  Space: 'Pause the list of requests',
  '?': 'List the keyboard shortcuts',
  'Ctrl Z': 'Undo the last change',
  '↑, ↓, Page Up, Page Down, Home, End': 'Move in a list',
  Enter: 'Open the row',
  Esc: 'Close what is open',
};

/** The documentation has no address: it is a part of the package. */
export const Keys = () => (
  <>
    <Definitions
      of={Object.entries(keys).map(([names, does]) => [
        names.split(', ').map((name) => <Kbd key={name}>{name}</Kbd>),
        does,
      ])}
    />
    <Text mt="sm">
      <Rich text="The docs are in the package: `node_modules/gateway-mock/docs/README.md`, this page in `control-room.md` beside it." />
    </Text>
  </>
);
