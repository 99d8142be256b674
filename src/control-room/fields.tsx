import { Group, TextInput, type TextInputProps } from '@mantine/core';
import { type Icon, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Action, type Deed } from './act.tsx';
import { setQuery, useRoute } from './route.ts';
import { Foreign } from './text.tsx';
import { useKept } from './use-kept.ts';

/** An error at its field, which is announced. */
export const fieldError = (message: string | undefined) =>
  message && (
    <span role="alert" className="wrap">
      <Foreign text={message} />
    </span>
  );

interface TextFormProps extends Omit<TextInputProps, 'value' | 'onChange' | 'error'> {
  readonly 'aria-label': string;
  /** The text of the button. */
  readonly action: string;
  readonly Icon: Icon;
  /** What is done with the text, without spaces around it. */
  readonly toDeed: (text: string) => Deed;
  /** Whether the text stays when that is done, to do it again. */
  readonly isKept?: boolean;
}

/** A field with a button that does something with its text, which survives a reload. */
export const TextForm = ({ action, Icon, toDeed, isKept, mt = 0, ...rest }: TextFormProps) => {
  const [text = '', setText] = useKept<string>(rest['aria-label']);
  const [error, setError] = useState<string>();
  const deed = toDeed(text.trim());
  const run = async (): Promise<void> => {
    await deed.run();
    if (!isKept) setText('');
  };
  return (
    <Group
      component="form"
      w="100%"
      maw={560}
      gap="xs"
      align="flex-start"
      wrap="nowrap"
      mt={mt}
      onSubmit={(event) => event.preventDefault()}
    >
      <TextInput
        flex={1}
        autoComplete="off"
        spellCheck={false}
        inputWrapperOrder={['input', 'description', 'error']}
        {...rest}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(undefined);
        }}
        error={fieldError(error)}
      />
      <Action
        type="submit"
        size="sm"
        Icon={Icon}
        disabled={text.trim() === ''}
        fail={setError}
        {...deed}
        run={run}
      >
        {action}
      </Action>
    </Group>
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
