import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Action, Copy } from '../../act.tsx';
import { baseUrl } from '../../connection.ts';
import { Json } from '../../json.tsx';
import { useQuery } from '../../use-query.ts';
import { firstTarget, sendFirst, toHeaders } from './actions.ts';

/** What the page is for, and a first call. */
export const FirstUse = () => {
  const { value: keys } = useQuery('keys', (control) => control.scenario.keys());
  const headers = keys === undefined ? [] : toHeaders(keys).split('\n');
  const url = baseUrl.replace(/\/v1$/, firstTarget);
  const example = [`curl '${url}'`, ...headers.map((line) => `-H '${line}'`)].join(' \\\n  ');
  return (
    <Paper>
      <Stack align="flex-start">
        <Title order={2} size="h4">
          No requests yet
        </Title>
        <Text maw={720}>
          This page shows each request that your app sends to the mock, and why it got its reply. Give your
          app the base URL below, or send a first request from here.
        </Text>
        <Group gap="xs">
          Base URL <Code className="wrap">{baseUrl}</Code>
          <Copy text={baseUrl} label="Copy the base URL" />
        </Group>
        <Json value={example} label="Example call" />
        <Group gap="xs">
          <Action run={sendFirst} Icon={IconSend}>
            Send it
          </Action>
          <Copy text={example} label="Copy the curl command" />
        </Group>
      </Stack>
    </Paper>
  );
};
