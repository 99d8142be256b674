import { Button, Group, Paper, Stack, TextInput, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { FaultInfo } from '../../../faults/faults.ts';
import { Action } from '../../action.tsx';
import { Foreign, Rich } from '../../text.tsx';
import { FaultFields } from './fault-fields.tsx';

const inputId = 'fault-line';

export const focusLine = (): void => document.getElementById(inputId)?.focus();

interface EditorProps {
  readonly line: string;
  readonly setLine: (line: string) => void;
  /** The fault that the line replaces. */
  readonly edited: FaultInfo | undefined;
  readonly save: () => Promise<void>;
  readonly cancel: () => void;
}

/** A fault as a line and as fields; each updates the other. */
export const FaultEditor = ({ line, setLine, edited, save, cancel }: EditorProps) => {
  const [failed, setFailed] = useState<{ readonly line: string; readonly message: string }>();
  const fail = (message: string | undefined): void => {
    setFailed(message === undefined ? undefined : { line, message });
    focusLine();
  };
  const error = failed?.line === line && (
    <span role="alert">
      <Foreign text={failed.message} />
    </span>
  );
  const title = edited ? 'Edit the fault' : 'Add a fault';
  return (
    <Paper component="form" aria-label={title} onSubmit={(event) => event.preventDefault()}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        <TextInput
          id={inputId}
          label="Line"
          description={
            <Rich text="Which calls it affects, a colon, and what happens to them: `OPERATION[#CALLS] [CONDITION…]: KIND [OPTION…]`" />
          }
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          classNames={{ input: 'mono', error: 'wrap' }}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder="listRuns#3: reset"
          value={line}
          error={error}
          onChange={(event) => setLine(event.currentTarget.value)}
        />
        <FaultFields line={line} setLine={setLine} />
        <Group gap="xs">
          <Action
            type="submit"
            variant="filled"
            leftSection={edited ? undefined : <IconPlus size={16} aria-hidden />}
            run={save}
            fail={fail}
            done={edited ? 'The fault was saved' : 'The fault was added'}
            undo={1}
          >
            {edited ? 'Save' : 'Add'}
          </Action>
          {(edited !== undefined || line !== '') && (
            <Button variant="default" size="xs" onClick={cancel}>
              {edited ? 'Cancel' : 'Clear'}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
};
