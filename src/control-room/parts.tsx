import {
  Badge,
  Box,
  Button,
  Group,
  NativeSelect,
  Paper,
  type PaperProps,
  Skeleton,
  Text,
  TextInput,
  type TextInputProps,
  Title,
} from '@mantine/core';
import { type Icon, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Action, Actions } from './act.tsx';
import type { Command, Task } from './commands.ts';
import { live } from './connection.ts';
import { useParam } from './route.ts';
import { colorOf, Foreign, isolate } from './text.tsx';
import { useKept } from './use-kept.ts';

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
          <Group
            key={at}
            component="li"
            gap="xs"
            justify="flex-end"
            align="flex-start"
            py={8}
            fz="sm"
            className="line"
          >
            <Box className="wrap" flex="1 1 220px">
              {children(item)}
            </Box>
            {commandsOf && (
              <Group gap={4}>
                <Actions of={commandsOf(item)} />
              </Group>
            )}
          </Group>
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
  readonly Icon: Icon;
  /** The task for the text, without spaces around it. */
  readonly toTask: (text: string) => Task;
}

/** A text field with a button. The text survives a reload. */
export const TextForm = ({ action, Icon, toTask, ...rest }: TextFormProps) => {
  const [text = '', setText] = useKept<string>(rest.name);
  const [error, setError] = useState<string>();
  const task = toTask(text.trim());
  const run = async (): Promise<void> => {
    await task.run();
    setText('');
  };
  return (
    <Box component="form" onSubmit={(event) => event.preventDefault()}>
      <TextInput
        autoComplete="off"
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
              type="submit"
              Icon={Icon}
              disabled={text.trim() === ''}
              fail={setError}
              {...task}
              run={run}
            >
              {action}
            </Action>
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
    {...useParam('q')}
    {...props}
  />
);

/** What is not loaded yet; nothing more is loaded of a lost session. */
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

interface SlotProps {
  readonly label: string;
  readonly value: string;
  /** A text stands for itself. */
  readonly choices: readonly (string | { readonly value: string; readonly label: string })[];
  readonly choose: (value: string) => void;
}

/** A choice in a sentence. A value that is none of the choices is shown as one. */
export const Slot = ({ label, value, choices, choose }: SlotProps) => (
  <NativeSelect
    className="slot"
    aria-label={label}
    data-empty={value === '' && label === 'Effect' ? true : undefined}
    value={value}
    data={
      choices.some((choice) => choice === value || Object(choice).value === value)
        ? [...choices]
        : [...choices, { value, label: isolate(value) }]
    }
    onChange={(event) => choose(event.currentTarget.value)}
  />
);
