import {
  Badge,
  Box,
  Button,
  Group,
  type GroupProps,
  NativeSelect,
  type NativeSelectProps,
  Paper,
  type PaperProps,
  Skeleton,
  Tabs,
  Text,
  TextInput,
  type TextInputProps,
  type TextProps,
  Title,
} from '@mantine/core';
import { type Icon, IconSearch } from '@tabler/icons-react';
import { type ComponentProps, Fragment, type PropsWithChildren, type ReactNode, useState } from 'react';
import type { AssumptionInUse } from '../core/assumptions/marking.ts';
import { Action, Actions, act } from './act.tsx';
import type { Command, Task } from './commands.ts';
import { control, live } from './connection.ts';
import { setQuery, useRoute } from './route.ts';
import { colorOf, Foreign, isolate } from './text.tsx';
import { useDraft } from './use-query.ts';

interface SectionProps extends PaperProps {
  readonly title: string;
  /** What is shown below the title. */
  readonly note?: ReactNode;
  /** What is shown beside the title. */
  readonly side?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a panel with a heading. */
export const Section = ({ title, note, side, children, ...rest }: SectionProps) => (
  <Paper component="section" aria-label={title} className="wrap" {...rest}>
    <Group justify="space-between" gap="xs">
      <Title order={2} tabIndex={-1}>
        {title}
      </Title>
      <Group gap="xs">{side}</Group>
    </Group>
    {note && (
      <Text c="dimmed" mt={4}>
        {note}
      </Text>
    )}
    {children}
  </Paper>
);

interface LinesProps<Item> {
  readonly label: string;
  readonly of: readonly Item[];
  /** The buttons at the end of a line. */
  readonly commandsOf?: (item: Item) => readonly Command[];
  /** How many are shown before “Show all” is pressed. */
  readonly first?: number;
  readonly children: (item: Item) => ReactNode;
}

/** A list whose lines have buttons. If a line is removed, the same button of the next line gets the focus, or the list if there is none. */
export const Lines = <Item,>({ label, of, commandsOf, first = 8, children }: LinesProps<Item>) => {
  const [isExpanded, setExpanded] = useState(false);
  const text = isExpanded ? 'Show less' : `Show all ${of.length}`;
  return (
    <>
      <ul className="plain-list lines" tabIndex={-1} aria-label={label}>
        {(isExpanded ? of : of.slice(0, first)).map((item, at) => (
          <Row
            key={at}
            component="li"
            wrap="wrap"
            px={0}
            justify="flex-end"
            side={commandsOf && <Actions of={commandsOf(item)} />}
          >
            {children(item)}
          </Row>
        ))}
      </ul>
      {of.length > first && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          aria-expanded={isExpanded}
          aria-label={`${text}: ${label}`}
          onClick={() => setExpanded(!isExpanded)}
        >
          {text}
        </Button>
      )}
    </>
  );
};

/** An error at its field. Screen readers announce it. */
export const fieldError = (message: string | undefined) =>
  message && (
    <span role="alert" className="wrap">
      <Foreign text={message} />
    </span>
  );

interface TextFormProps extends Omit<TextInputProps, 'value' | 'onChange' | 'error'> {
  /** What is typed is kept under it. */
  readonly name: string;
  /** The text of the button. */
  readonly action: string;
  readonly Icon?: Icon;
  /** The task for the text, without spaces around it. */
  readonly toTask: (text: string) => Task;
}

/** A text field with a button. The text survives a reload. */
export const TextForm = ({ action, Icon, toTask, ...rest }: TextFormProps) => {
  const [text = '', setText] = useDraft<string>(rest.name);
  const [error, setError] = useState<string>();
  const task = toTask(text.trim());
  const run = async (): Promise<void> => {
    await task.run();
    setText('');
  };
  return (
    <Box component="form" onSubmit={(event) => event.preventDefault()}>
      <TextInput
        spellCheck={false}
        {...rest}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(undefined);
        }}
        error={fieldError(error)}
        inputContainer={(input) => (
          <Group gap="xs" wrap="nowrap">
            <Box flex={1}>{input}</Box>
            <Action
              text={action}
              type="submit"
              Icon={Icon}
              disabled={text.trim() === ''}
              fail={setError}
              {...task}
              run={run}
            />
          </Group>
        )}
      />
    </Box>
  );
};

/** The search of a panel, which is `q` in its link. The keys / and Ctrl+F go to it. */
export const SearchField = (props: TextInputProps) => (
  <TextInput
    type="search"
    aria-label="Search"
    leftSection={<IconSearch size={16} aria-hidden />}
    value={useRoute().query.q ?? ''}
    onChange={(event) => setQuery({ q: event.currentTarget.value })}
    {...props}
  />
);

/** Stands for what is not loaded yet. Nothing more is loaded of a lost session. */
export const Loading = () => {
  const isLost = live.use((state) => state.isLost);
  return isLost ? <Text c="dimmed">Not available in the old copy.</Text> : <Skeleton />;
};

/** The status of a record. */
export const Status = ({ status }: { readonly status: string }) => (
  <Badge color={colorOf(status)} maw="100%" title={status}>
    <Foreign text={status} />
  </Badge>
);

interface ChoiceProps extends Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> {
  readonly value: string;
  /** A text stands for itself. */
  readonly choices: readonly (string | readonly [value: string, text: string])[];
  readonly choose: (value: string) => void;
}

/** A choice. A value that is none of the choices is shown as one. */
export const Choice = ({ value, choices, choose, ...rest }: ChoiceProps) => {
  const options = new Map(choices.map((choice) => (typeof choice === 'string' ? [choice, choice] : choice)));
  if (!options.has(value)) options.set(value, isolate(value));
  return (
    <NativeSelect
      value={value}
      data={[...options].map(([option, text]) => ({ value: option, label: text }))}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      {...rest}
    />
  );
};

/** A choice in a sentence. */
export const Slot = (props: ChoiceProps) => <Choice className="slot" {...props} />;

/** The title line of a panel, with room for its tools. */
export const PanelHead = ({ title, children }: PropsWithChildren<{ readonly title: ReactNode }>) => (
  <Group gap="8px 12px" mih={28} mb="md">
    <Title order={1} tabIndex={-1} className="wrap">
      {title}
    </Title>
    {children}
    <Group id="panel-tools" gap="xs" ml="auto" />
  </Group>
);

/** A text beside another one. */
export const Note = (props: TextProps & { readonly children: ReactNode; readonly title?: string }) => (
  <Text size="xs" c="dimmed" {...props} />
);

interface RowProps extends GroupProps, Pick<ComponentProps<'section'>, 'role' | 'aria-label'> {
  readonly component?: 'section' | 'li';
  /** What it is, before the text. */
  readonly name?: ReactNode;
  /** What can be done with it. */
  readonly side?: ReactNode;
}

/** A row of a card. */
export const Row = ({ name, side, children, ...rest }: RowProps) => (
  <Group className="row" gap="4px 12px" wrap="nowrap" mih={40} px="md" py={6} {...rest}>
    {name}
    <Box className="wrap" flex="1 1 220px">
      {children}
    </Box>
    {side}
  </Group>
);

/** Words, each with what it stands for. */
export const Definitions = ({ of }: { readonly of: readonly (readonly [ReactNode, ReactNode])[] }) => (
  <dl className="facts">
    {of.map(([word, definition], at) => (
      <Fragment key={at}>
        <dt>{word}</dt>
        <dd>{definition}</dd>
      </Fragment>
    ))}
  </dl>
);

/** Tabs. The link names the open one; without a name, the first is open. */
export const Tabbed = ({ tabs }: { readonly tabs: Readonly<Record<string, ReactNode>> }) => {
  const names = Object.keys(tabs);
  const at = Math.max(0, names.indexOf(useRoute().query.tab ?? ''));
  return (
    <Tabs
      value={String(at)}
      onChange={(chosen) => setQuery({ tab: chosen === '0' ? '' : names[Number(chosen)] })}
    >
      <Tabs.List>
        {names.map((name, tab) => (
          <Tabs.Tab key={name} value={String(tab)}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={String(at)} pos="relative">
        {Object.values(tabs)[at]}
      </Tabs.Panel>
    </Tabs>
  );
};

/** What is assumed, with its switch if there are alternatives. */
export const Assumption = ({ assumption }: { readonly assumption: AssumptionInUse }) => {
  const { id, choices, value } = assumption;
  const options = choices.map(
    ([choice, meaning]) => [choice, meaning.startsWith(choice) ? meaning : `${choice}: ${meaning}`] as const,
  );
  if (options.length < 2) return <Text size="xs">{options[0]?.[1]}</Text>;
  const choose = (chosen: string): void =>
    void act({
      run: () => control.assumptions.set(id, chosen),
      done: `${id}: now ${chosen}, from the next replies on`,
    });
  return <Choice aria-label={`Choice for ${id}`} value={value} choices={options} choose={choose} />;
};

/** Whether another choice than the documented one is made. */
export const isSwitched = ({ value, choices }: AssumptionInUse): boolean => value !== choices[0]?.[0];
