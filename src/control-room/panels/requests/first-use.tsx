import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Action } from '../../action.tsx';
import { baseUrl } from '../../connection.ts';
import { Copy } from '../../copy.tsx';
import { Json } from '../../json.tsx';
import { Foreign } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { readFirstCalls, toHeaders } from './first-calls.ts';

/** What the page is for, and a first call of each operation. */
export const FirstUse = () => {
  const { value: keys } = useQuery('keys', (control) => control.scenario.keys());
  const { value: calls } = useQuery('first', readFirstCalls);
  const headers = Object.entries(keys ? toHeaders(keys) : {}).map((pair) => `-H '${pair.join(': ')}'`);
  const example = [`curl '${baseUrl}/batches?limit=2'`, ...headers].join(' \\\n  ');
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
        <Copy text={example} label="Copy the curl command" />
        {calls?.map(({ text, call, run }) => (
          <Group key={text} gap="xs" wrap="nowrap">
            <Action run={run} aria-label={text} Icon={IconSend}>
              Send it
            </Action>
            <Text size="sm" className="mono">
              <Foreign text={call} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
};
