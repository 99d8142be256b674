import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { Action } from '../../action.tsx';
import { baseUrl } from '../../connection.ts';
import { Copy } from '../../copy.tsx';
import { Json } from '../../json.tsx';
import { type KindName, recordsOf } from '../../kinds.ts';
import { operations } from '../../operations.ts';
import { go, toHash } from '../../route.ts';
import { Foreign } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

/** The kind of record that a path parameter names. */
const kindOf: Readonly<Record<string, KindName>> = {
  promptId: 'prompts',
  thread_id: 'threads',
  fine_tuning_job_id: 'jobs',
  rateLimitsPolicyId: 'policies',
};

const names = { apiKey: 'x-gateway-api-key', virtualKey: 'x-gateway-virtual-key' };

const example = (keys: { readonly apiKey: string; readonly virtualKey: string }): string =>
  [
    `curl '${baseUrl}/batches?limit=2'`,
    `-H '${names.apiKey}: ${keys.apiKey}'`,
    `-H '${names.virtualKey}: ${keys.virtualKey}'`,
  ].join(' \\\n  ');

/** What the page is for, and a first call of each operation. */
export const FirstUse = () => {
  const { value } = useQuery('first', async (control) => {
    const ids = Object.entries(kindOf).map(async ([name, kind]) => {
      const filter = { limit: 1, ...(kind === 'policies' && { status: 'active' }) };
      const [first] = await recordsOf(kind, control).list(filter);
      return [name, first?.id ?? 'none'] as const;
    });
    const [keys, ...all] = await Promise.all([control.scenario.keys(), ...ids]);
    return { keys, ids: new Map(all) };
  });
  const send = async (method: string, path: string): Promise<void> => {
    const reply = await fetch(baseUrl + path, {
      method,
      headers: {
        [names.apiKey]: value?.keys.apiKey ?? '',
        [names.virtualKey]: value?.keys.virtualKey ?? '',
        'content-type': 'application/json',
      },
      body: method === 'POST' ? '{"variables":{}}' : null,
    });
    await reply.text();
    go(toHash('requests', [reply.headers.get('x-request-id') ?? '']));
    document.getElementById('main')?.focus(); // the button goes
  };
  return (
    <Paper>
      <Stack>
        <div>
          <Title order={2} size="h4">
            No requests yet
          </Title>
          <Text maw={720}>
            This page shows each request that your app sends to the mock, and why it got its reply. Give your
            app the base URL below, or send a first request from here.
          </Text>
        </div>
        <Group gap="xs">
          <Text span>Base URL</Text>
          <Code className="wrap">{baseUrl}</Code>
          <Copy text={baseUrl} label="Copy the base URL" />
        </Group>
        {value && (
          <>
            <Json value={example(value.keys)} label="Example call" />
            <Group>
              <Copy text={example(value.keys)} label="Copy the curl command" />
            </Group>
            <Stack component="ul" gap="xs" className="plain-list">
              {operations.map(({ id, method, path: template }) => {
                const path = template.replace(/\{(\w+)\}/, (_, name: string) =>
                  encodeURIComponent(value.ids.get(name) ?? ''),
                );
                return (
                  <Group key={id} component="li" gap="xs" wrap="nowrap">
                    <Action
                      run={() => send(method, path)}
                      aria-label={`Send it: ${id}`}
                      leftSection={<IconSend size={16} aria-hidden />}
                    >
                      Send it
                    </Action>
                    <Text size="sm" className="mono wrap">
                      {method} <Foreign text={path} />
                    </Text>
                  </Group>
                );
              })}
            </Stack>
          </>
        )}
      </Stack>
    </Paper>
  );
};
