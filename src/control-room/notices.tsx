import { Alert, Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { defaultSession } from '../protocol/session-name.ts';
import { Action } from './action.tsx';
import { pageOf, session } from './connection.ts';
import { continueHere, live, unlock } from './live.ts';
import { act } from './notify.tsx';
import { focusMain } from './route.ts';
import { Foreign } from './text.tsx';
import { failures } from './use-query.ts';

/** What stays in view above the panel: a server that is away, a lost world, errors of queries. */
export const Notices = () => {
  const connection = live.use((state) => state.connection);
  return (
    <div className="notices">
      {connection === 'lost' && (
        <Alert color="red" icon={<IconPlugConnectedX />} p="xs">
          The server does not answer. Trying again …
        </Alert>
      )}
      <Loss />
      {connection === 'open' && <QueryFailures />}
    </div>
  );
};

/** The errors of the queries of the page, each once. */
const QueryFailures = () => {
  const all = failures.use((state) => state.all);
  return [...new Set(all.map(({ message }) => message))].map((message) => (
    <Alert key={message} color="red" role="alert" p="xs">
      <Foreign text={message} />
    </Alert>
  ));
};

const losses = {
  deleted: 'This session was deleted.',
  removed: 'This session was removed to make room for others.',
  replaced: 'The server was restarted, or the session was created again.',
};

const Loss = () => {
  const lost = live.use((state) => state.lost);
  if (lost === undefined) return null;
  const isReplaced = lost === 'replaced';
  const run = async (): Promise<void> => {
    await continueHere();
    focusMain(); // the button goes
  };
  return (
    <Alert color="orange" role="alert" icon={<IconAlertTriangle />}>
      <Text size="sm">
        {losses[lost]} Its records, faults, clock and requests are lost. This page still shows an old copy,
        which cannot be changed.
      </Text>
      <Group mt="xs" gap="xs">
        <Action variant="filled" run={run}>
          {isReplaced ? 'Load the new data from the server' : 'Create the session again'}
        </Action>
        {!isReplaced && session !== defaultSession && (
          <Button component="a" variant="default" size="xs" href={pageOf(defaultSession)}>
            Go to the default session
          </Button>
        )}
      </Group>
    </Alert>
  );
};

/** Asks for the token in place of the panel. */
export const Unlock = () => {
  const [token, setToken] = useState('');
  const [error, setError] = useState<string>();
  const onSubmit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    if (await act(() => unlock(token), { fail: setError }))
      focusMain(); // the form goes
    else form.querySelector('input')?.select();
  };
  return (
    <Paper component="form" maw={440} onSubmit={(event) => void onSubmit(event)}>
      <Stack>
        <Title order={1} size="h3">
          Admin token required
        </Title>
        <Text>Enter the admin token that this server was started with.</Text>
        <PasswordInput
          label="Token"
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          error={error && <span role="alert">{error}</span>}
        />
        <Group>
          <Button type="submit">Unlock</Button>
        </Group>
      </Stack>
    </Paper>
  );
};
