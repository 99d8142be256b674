import { Group, TextInput, type TextInputProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from './action.tsx';
import type { Question } from './confirm.tsx';
import { Foreign } from './text.tsx';

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
  /** Called with the text, without spaces around it. */
  readonly run: (text: string) => Promise<unknown>;
  readonly done: (text: string) => string;
  readonly undo?: number;
  readonly ask?: (text: string) => Question | undefined;
  /** Whether the text stays when that is done, to do it again. */
  readonly isKept?: boolean;
}

/** A field with a button that does something with its text. */
export const TextForm = ({
  action,
  Icon,
  run,
  done,
  undo = 0,
  ask,
  isKept,
  mt = 0,
  ...rest
}: TextFormProps) => {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const given = text.trim();
  const submit = async (): Promise<void> => {
    await run(given);
    if (!isKept) setText('');
  };
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <Group gap="xs" align="flex-start" wrap="nowrap" mt={mt}>
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
          disabled={given === ''}
          run={submit}
          done={done(given)}
          undo={undo}
          fail={setError}
          ask={ask?.(given)}
        >
          {action}
        </Action>
      </Group>
    </form>
  );
};
