import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Action, Copy } from '../../act.tsx';
import { baseUrl } from '../../connection.ts';
import { sendFirst } from './actions.ts';

/** What the control room is for, and a first call. */
export const FirstUse = () => (
  <Paper>
    <Stack align="flex-start">
      <Title order={2} size="h4">
        No requests yet
      </Title>
      <Text maw={720}>
        The control room shows each request that your app sends to the mock, and why it got its reply. Give
        your app the base URL, or send a first request from here, which you can then copy as a curl command.
      </Text>
      <Group gap="xs">
        Base URL <Code className="wrap">{baseUrl}</Code>
        <Copy text={baseUrl} label="Copy the base URL" />
      </Group>
      <Action variant="filled" run={sendFirst} Icon={IconSend}>
        Send a first request
      </Action>
    </Stack>
  </Paper>
);
