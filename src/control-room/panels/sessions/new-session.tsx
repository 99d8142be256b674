import { Group, NativeSelect, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { isSessionName, sessionNameRule } from '../../../protocol/session-name.ts';
import { Action } from '../../action.tsx';
import { control, session } from '../../connection.ts';
import { Foreign, isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

interface NewSessionProps {
  readonly names: readonly string[];
  readonly reload: () => void;
}

/** Creates a session from the state of another one, or from a scenario; one of the same name is replaced. */
export const NewSession = ({ names, reload }: NewSessionProps) => {
  const { value: scenarios = [] } = useQuery('scenarios', (own) => own.scenario.list());
  const [text, setText] = useState('');
  const [from, setFrom] = useState(`session:${session}`);
  const [failure, setFailure] = useState<string>();
  const name = text.trim();
  const problem =
    name === '' || isSessionName(name)
      ? failure
      : `${sessionNameRule.charAt(0).toUpperCase()}${sessionNameRule.slice(1)}.`;
  const isThere = names.includes(name);
  const create = async (): Promise<void> => {
    const [kind = '', start = ''] = from.split(/:(.*)/s);
    await control.sessions.create(name, { [kind]: start });
    setText('');
    reload();
  };
  return (
    <Paper component="form" aria-label="Create a session" onSubmit={(event) => event.preventDefault()}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          Create a session
        </Title>
        <Group align="flex-start">
          <TextInput
            label="Name"
            w={{ base: '100%', xs: 260 }}
            autoComplete="off"
            spellCheck={false}
            value={text}
            error={
              problem !== undefined && (
                <span role="alert" className="wrap">
                  <Foreign text={problem} />
                </span>
              )
            }
            onChange={(event) => {
              setText(event.currentTarget.value);
              setFailure(undefined);
            }}
          />
          <NativeSelect
            label="From"
            w={{ base: '100%', xs: 260 }}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
            data={[
              {
                group: 'The current state of',
                items: [session, ...names.filter((one) => one !== session)].map((one) => ({
                  value: `session:${one}`,
                  label: one === session ? `${one} (this page)` : one,
                })),
              },
              {
                group: 'The start of the scenario',
                items: scenarios.map((one) => ({
                  value: `scenario:${one.name}`,
                  label: isolate(one.name),
                })),
              },
            ]}
          />
        </Group>
        <Group gap="sm">
          <Action
            type="submit"
            variant="filled"
            leftSection={<IconPlus size={16} aria-hidden />}
            run={create}
            fail={setFailure}
            disabled={!isSessionName(name)}
            done={`The session ${name} was created.`}
            ask={
              isThere
                ? {
                    title: `Recreate the session ${name}?`,
                    text: 'The present one is deleted first, with its records, clock, faults and requests. This cannot be undone.',
                    action: `Recreate ${name}`,
                  }
                : undefined
            }
          >
            {isThere ? 'Recreate' : 'Create'}
          </Action>
          <Text size="sm" c="dimmed" role="status">
            {isThere && 'A session with this name exists. “Recreate” deletes it and its data first.'}
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
};
