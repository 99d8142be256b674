import { Anchor, Box, Button, Code, Group, Kbd, Paper, Portal, Stack, Tabs, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconBook, IconExternalLink, IconSend } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { readWallClock } from '../../../core/util/stopwatch.ts';
import { Copy } from '../../act.tsx';
import { baseUrl, root, session } from '../../connection.ts';
import { journal } from '../../journal.ts';
import { contractIds, fillPath, useCallValues, useOperations, type Values } from '../../openapi.ts';
import { showKeys } from '../../palette.tsx';
import { Loading } from '../../parts.tsx';
import { toHash } from '../../route.ts';
import { isForeign } from '../../sender.ts';
import { countOf, Foreign, formatSpan } from '../../text.tsx';
import { openTryIt } from '../../try-it-state.ts';
import { useQuery } from '../../use-query.ts';
import { Dot, Status } from '../requests/status.tsx';
import { arrivalOf, clientOf, keyOf, targetOf } from '../requests/texts.ts';
import { toSnippets } from './snippets.ts';

/** The headers that calls need, and which calls. */
const headers = { 'x-gateway-api-key': 'every call', 'x-gateway-virtual-key': 'the three lists' };

/** How an app is connected to this session, and whether one is. */
export const Panel = () => {
  const values = useCallValues();
  const scenario = useQuery('scenario', (own) => own.scenario.current()).value?.name;
  if (values === undefined || scenario === undefined) return <Loading />;
  return (
    <>
      <Portal target="#panel-tools">
        <Button
          component="a"
          variant="subtle"
          color="gray"
          href={`${root}/openapi.json`}
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          OpenAPI
        </Button>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconBook size={16} aria-hidden />}
          onClick={showKeys}
        >
          Docs
        </Button>
        <Button
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          rightSection={<Kbd aria-hidden>T</Kbd>}
          onClick={() => openTryIt()}
        >
          Try it
        </Button>
      </Portal>
      <Group align="flex-start" mb="md">
        <Stack flex="1 1 460px" miw={0}>
          <Paper p={0} component="section" aria-label="Base URL and headers">
            <Line name="Base URL" side={<Copy text={baseUrl} aria-label="Copy the base URL" />}>
              <b className="mono">{baseUrl}</b>
            </Line>
            {Object.entries(headers).map(([name, note]) => (
              <Line
                key={name}
                name="Header"
                side={<Copy text={`${name}: ${values[name]}`} aria-label={`Copy the header ${name}`} />}
              >
                <span className="mono">
                  {name}: <Foreign text={values[name] ?? ''} />
                </span>{' '}
                <span className="dimmed">{note}</span>
              </Line>
            ))}
          </Paper>
          <Snippets snippets={toSnippets({ baseUrl, values, session, scenario })} />
        </Stack>
        <Operations values={values} scenario={scenario} />
      </Group>
      <Calls />
    </>
  );
};

interface LineProps {
  /** What it is, before the text. */
  readonly name?: ReactNode;
  /** What can be done with it. */
  readonly side?: ReactNode;
  readonly children: ReactNode;
}

/** A line of a card. */
const Line = ({ name, side, children }: LineProps) => (
  <Group className="row" gap="sm" wrap="nowrap" mih={40} px="md" py={4}>
    {name && (
      <Text c="dimmed" w={60} flex="none">
        {name}
      </Text>
    )}
    <Box className="wrap" flex={1}>
      {children}
    </Box>
    {side}
  </Group>
);

const Snippets = ({ snippets }: { readonly snippets: ReturnType<typeof toSnippets> }) => (
  <Paper p={0} component="section" aria-label="Code">
    <Tabs defaultValue="0">
      <Tabs.List px="xs">
        {snippets.map(({ title }, at) => (
          <Tabs.Tab key={title} value={String(at)}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ title, text }, at) => (
        <Tabs.Panel key={title} value={String(at)} pos="relative">
          <Code
            block
            mih={240}
            p={{ base: '44px 12px 12px', sm: 12 }}
            tabIndex={0}
            role="region"
            aria-label={title}
          >
            {text}
          </Code>
          <Box pos="absolute" top={8} right={8}>
            <Copy text={text} />
          </Box>
        </Tabs.Panel>
      ))}
    </Tabs>
  </Paper>
);

interface OperationsProps {
  readonly values: Values;
  readonly scenario: string;
}

const Operations = ({ values, scenario }: OperationsProps) => {
  const operations = useOperations();
  if (operations === undefined) return <Loading />;
  const groups = [
    [`Operations, with ids of ${scenario}`, operations.filter(({ id }) => contractIds.includes(id))],
    ['Calls of your own', operations.filter(({ id }) => !contractIds.includes(id))],
  ] as const;
  return (
    <Paper p={0} flex="1 1 400px" component="section" aria-label="Operations">
      {groups.map(
        ([title, group]) =>
          group.length > 0 && (
            <Fragment key={title}>
              <Line>
                <b>{title}</b>
              </Line>
              {group.map(({ id, method, path, summary }) => (
                <Line
                  key={id}
                  side={
                    <Button
                      variant="default"
                      aria-label={`Try ${id}`}
                      onClick={() => openTryIt({ operation: id, values: {} })}
                    >
                      Try
                    </Button>
                  }
                >
                  <span className="mono">
                    <span className="dimmed">{method}</span> <Foreign text={fillPath(path, values)} />
                  </span>
                  <Text size="xs" c="dimmed">
                    {summary || id}
                  </Text>
                </Line>
              ))}
            </Fragment>
          ),
      )}
    </Paper>
  );
};

/** Whether somebody has called, and what is wrong with calls that were not let in. */
const Calls = () => {
  const requests = journal.use((state) => state.requests).filter(isForeign);
  const last = requests.at(-1);
  const refused = requests.filter(({ status, refusal }) => status === 401 || isAboutKeys(refusal));
  const lastRefused = refused.at(-1);
  return (
    <Paper p={0} component="section" role="status" aria-label="Calls">
      {last === undefined ? (
        <Line>
          <Dot tone="info" /> Waiting for the first call …
        </Line>
      ) : (
        <Line
          name={<Status request={last} />}
          side={<Anchor href={toHash('requests', [keyOf(last)])}>Open</Anchor>}
        >
          <span className="mono">
            {last.method} <Foreign text={targetOf(last)} />
          </span>{' '}
          from <Foreign text={clientOf(last)} />, <Ago request={last} />
        </Line>
      )}
      {lastRefused && (
        <Line
          name={<Status request={lastRefused} />}
          side={<Anchor href={toHash('requests', [keyOf(lastRefused)])}>Show</Anchor>}
        >
          <b>{countOf(refused.length, 'call was', 'calls were')} not let in</b>{' '}
          <Foreign text={describeRefused(lastRefused)} />
        </Line>
      )}
    </Paper>
  );
};

/** How long ago it came, which needs no announcement. */
const Ago = ({ request }: { readonly request: RecordedRequest }) => {
  const [now, setNow] = useState(readWallClock);
  useInterval(() => setNow(readWallClock()), 1000, { autoInvoke: true });
  return <span aria-live="off">{formatSpan(Math.max(0, now - arrivalOf(request)) / 1000)} ago</span>;
};

const isAboutKeys = (refusal: RecordedRequest['refusal']): boolean => /key/.test(refusal?.assumption ?? '');

const describeRefused = (request: RecordedRequest): string => {
  const missing = Object.keys(headers).filter((name) => request.headers[name] === undefined);
  const why =
    missing.length === 0
      ? 'the key is not one of this session'
      : `without the header${missing.length > 1 ? 's' : ''} ${missing.join(' and ')}`;
  return `from ${clientOf(request)}: ${why}`;
};
