import { Alert, Box, Group, Paper, Title } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { defaultSession } from '../core/protocol/session-name.ts';
import { Action } from './act.tsx';
import { linkOf, live, session } from './connection.ts';
import { continueHere, unlock } from './live.ts';
import { TextForm } from './parts.tsx';
import { focusMain } from './route.ts';
import { Foreign } from './text.tsx';
import { failures } from './use-query.ts';

/** Notices that stay in view above the panel: the server does not answer, the world is lost, queries failed. */
export const Notices = () => {
  const { connection, isLost } = live.use((state) => state);
  const all = failures.use((state) => state.all);
  return (
    <Box pos="sticky" top="var(--app-shell-header-offset)" style={{ zIndex: 2 }}>
      {connection === 'lost' && (
        <Alert color="red" icon={<IconPlugConnectedX />} p="xs" mb="xs">
          The server does not answer. Trying again …
        </Alert>
      )}
      {isLost && <Loss />}
      {connection === 'open' &&
        [...new Set(all.map(({ message }) => message))].map((message) => (
          <Alert key={message} color="red" role="alert" p="xs" mb="xs">
            <Foreign text={message} />
          </Alert>
        ))}
    </Box>
  );
};

const Loss = () => {
  const run = async (): Promise<void> => {
    await continueHere();
    focusMain(); // the button is removed
  };
  return (
    <Alert color="orange" role="alert" icon={<IconAlertTriangle />} mb="xs">
      This session was deleted, removed to make room for others or created again, or the server was restarted.
      Its records, faults, clock and requests are lost. You still see an old copy, which cannot be changed. If
      the session no longer exists, the button creates it again.
      <Group mt="xs" gap="xs">
        <Action text="Load the session" variant="filled" run={run} />
        {session !== defaultSession && (
          <Action text="Go to the default session" run={() => location.assign(linkOf(defaultSession))} />
        )}
      </Group>
    </Alert>
  );
};

/** Asks for the token in place of the panel. */
export const Unlock = () => {
  const run = async (token: string): Promise<void> => {
    await unlock(token);
    focusMain(); // the form is removed
  };
  return (
    <Paper m="md" maw={440}>
      <Title order={1} mb="md">
        Admin token required
      </Title>
      <TextForm
        name="token"
        type="password"
        label="Token"
        description="The admin token that this server was started with."
        action="Unlock"
        toTask={(token) => ({ run: () => run(token) })}
      />
    </Paper>
  );
};
