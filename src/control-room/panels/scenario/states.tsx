import { Group, Paper, Text, TextInput, Title } from '@mantine/core';
import { IconArrowBackUp, IconDeviceFloppy, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Action } from '../../action.tsx';
import { control } from '../../connection.ts';
import { formatTime } from '../../format.ts';
import { Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { replaceQuestion } from './questions.ts';

/** Saved states of the session. */
export const SavedStates = () => {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const { value: states, reload } = useQuery('states', (own) => own.state.list());
  const name = text.trim();
  const save = async (): Promise<void> => {
    await control.state.save(name);
    reload();
    setText('');
  };
  const isKnown = states?.some((state) => state.name === name);
  return (
    <Paper component="section" aria-label="Saved states">
      <Title order={2} size="h4" mb="xs">
        Saved states
      </Title>
      <form onSubmit={(event) => event.preventDefault()}>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            ref={field}
            flex={1}
            aria-label="Name of the state"
            placeholder="Name, such as before checkout"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={error && <span role="alert">{isolate(error)}</span>}
          />
          <Action
            type="submit"
            size="sm"
            leftSection={<IconDeviceFloppy size={16} aria-hidden />}
            run={save}
            fail={setError}
            disabled={name === ''}
            done={`The state was saved as ${name}.`}
            ask={isKnown ? replaceQuestion(name) : undefined}
          >
            Save
          </Action>
        </Group>
      </form>
      {states?.length === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          No saved states. The server keeps them in memory until it stops.
        </Text>
      )}
      <ul className="plain-list lines" aria-label="Saved states">
        {states?.toReversed().map(({ name: own, scenario, now }) => (
          <li key={own}>
            <div className="wrap">
              <Foreign text={own} />
              <Text size="xs" c="dimmed">
                <Foreign text={scenario} />, at {formatTime(now)}
              </Text>
            </div>
            <Group gap={4} wrap="nowrap">
              <Action
                size="compact-sm"
                leftSection={<IconArrowBackUp size={14} aria-hidden />}
                run={() => control.state.restore(own)}
                done={`The state ${own} was restored.`}
                undo={1}
                aria-label={isolate(`Restore ${own}`)}
              >
                Restore
              </Action>
              <Action
                size="compact-sm"
                run={async () => {
                  await control.state.delete(own);
                  reload();
                  field.current?.focus(); // the button goes
                }}
                done={`The saved state ${own} was deleted.`}
                ask={{
                  title: 'Delete the saved state?',
                  text: `The state ${isolate(own)} can then no longer be restored.`,
                  action: 'Delete it',
                }}
                aria-label={isolate(`Delete the saved state ${own}`)}
              >
                <IconTrash size={14} aria-hidden />
              </Action>
            </Group>
          </li>
        ))}
      </ul>
    </Paper>
  );
};
