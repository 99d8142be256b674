import { Anchor, Box, Code, Group, Kbd, Paper, Portal, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconBook, IconExternalLink, IconSend } from '@tabler/icons-react';
import { Fragment, type PropsWithChildren, useState } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { mapValues } from '../../../core/util/mapping.ts';
import { readWallClock } from '../../../core/util/stopwatch.ts';
import { Action, Copy } from '../../act.tsx';
import { scrollable } from '../../code.tsx';
import { baseUrl, root } from '../../connection.ts';
import { journal } from '../../journal.ts';
import { fillPath, useCallValues, useOperations, type Values } from '../../openapi.ts';
import { showKeys } from '../../palette.tsx';
import { Loading, Note, Row, Tabbed } from '../../parts.tsx';
import { toHash } from '../../route.ts';
import { isFromClient } from '../../sender.ts';
import { countOf, Foreign, formatSpan } from '../../text.tsx';
import { openTryIt } from '../../try-it-state.ts';
import { useQuery } from '../../use-query.ts';
import { Dot, RequestStatus } from '../requests/status.tsx';
import { arrivalOf, clientOf, keyOf, targetOf } from '../requests/texts.ts';
import { toSnippets } from './snippets.ts';

/** The headers that calls need, and which calls. */
const headers = { 'x-gateway-api-key': 'every call', 'x-gateway-virtual-key': 'the lists' };

/** How an app is connected to this session, and whether one is. */
export const Panel = () => {
  const values = useCallValues();
  const scenario = useQuery('scenario', (own) => own.scenario.current()).value?.name;
  if (values === undefined || scenario === undefined) return <Loading />;
  return (
    <>
      <Portal target="#panel-tools">
        <Action
          text="OpenAPI"
          variant="subtle"
          color="gray"
          Icon={IconExternalLink}
          run={() => open(`${root}/openapi.json`)}
        />
        <Action text="Docs" variant="subtle" color="gray" Icon={IconBook} run={showKeys} />
        <Action text="Try it" Icon={IconSend} rightSection={<Kbd aria-hidden>T</Kbd>} run={openTryIt} />
      </Portal>
      <Group align="flex-start" mb="md">
        <Stack flex="1 1 460px" miw={0}>
          <Paper p={0} component="section" aria-label="Base URL and headers">
            <Row name={<Label>Base URL</Label>} side={<Copy text={baseUrl} aria-label="Copy the base URL" />}>
              <b className="mono">{baseUrl}</b>
            </Row>
            {Object.entries(headers).map(([name, note]) => {
              const text = `${name}: ${values[name]}`;
              return (
                <Row
                  key={name}
                  name={<Label>Header</Label>}
                  side={<Copy text={text} aria-label={`Copy the header ${name}`} />}
                >
                  <span className="mono">
                    <Foreign text={text} />
                  </span>{' '}
                  <span className="dimmed">{note}</span>
                </Row>
              );
            })}
          </Paper>
          <Paper p={0} component="section" aria-label="Code">
            <Tabbed tabs={mapValues(toSnippets(values, scenario), showSnippet)} />
          </Paper>
        </Stack>
        <Operations values={values} scenario={scenario} />
      </Group>
      <Calls />
    </>
  );
};

const Label = (props: PropsWithChildren) => <Text c="dimmed" w={60} {...props} />;

const showSnippet = (text: string, title: string) => (
  <>
    <Code block mih={240} p={{ base: '44px 12px 12px', sm: 12 }} {...scrollable(title)}>
      {text}
    </Code>
    <Box pos="absolute" top={8} right={8}>
      <Copy text={text} />
    </Box>
  </>
);

const Operations = ({ values, scenario }: { readonly values: Values; readonly scenario: string }) => {
  const operations = useOperations();
  if (operations === undefined) return <Loading />;
  const groups = {
    [`Operations, with ids of ${scenario}`]: operations.filter(({ isOwn }) => !isOwn),
    'Calls of your own': operations.filter(({ isOwn }) => isOwn),
  };
  return (
    <Paper p={0} flex="1 1 400px" component="section" aria-label="Operations">
      {Object.entries(groups).map(
        ([title, group]) =>
          group.length > 0 && (
            <Fragment key={title}>
              <Row>
                <b>{title}</b>
              </Row>
              {group.map(({ id, method, path, summary }) => (
                <Row
                  key={id}
                  side={
                    <Action
                      text="Try"
                      aria-label={`Try ${id}`}
                      run={() => openTryIt({ operation: id, values: {} })}
                    />
                  }
                >
                  <span className="mono">
                    <span className="dimmed">{method}</span> <Foreign text={fillPath(path, values)} />
                  </span>
                  <Note>{summary || id}</Note>
                </Row>
              ))}
            </Fragment>
          ),
      )}
    </Paper>
  );
};

/** Whether somebody has called, and what is wrong with calls that were not let in. */
const Calls = () => {
  const requests = journal.use((state) => state.requests).filter(isFromClient);
  const last = requests.at(-1);
  const refused = requests.filter(
    ({ status, refusal }) => status === 401 || /key/.test(refusal?.assumption ?? ''),
  );
  const lastRefused = refused.at(-1);
  return (
    <Paper p={0} component="section" role="status" aria-label="Calls">
      {last === undefined ? (
        <Row>
          <Dot tone="info" /> Waiting for the first call …
        </Row>
      ) : (
        <Row
          name={<RequestStatus request={last} />}
          side={<Anchor href={toHash('requests', [keyOf(last)])}>Open</Anchor>}
        >
          <span className="mono">
            {last.method} <Foreign text={targetOf(last)} />
          </span>{' '}
          from <Foreign text={clientOf(last)} />, <Ago request={last} />
        </Row>
      )}
      {lastRefused && (
        <Row
          name={<RequestStatus request={lastRefused} />}
          side={<Anchor href={toHash('requests', [keyOf(lastRefused)])}>Show</Anchor>}
        >
          <b>{countOf(refused.length, 'call was', 'calls were')} not let in</b>{' '}
          <Foreign text={describeRefused(lastRefused)} />
        </Row>
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

const describeRefused = (request: RecordedRequest): string => {
  const missing = Object.keys(headers).filter((name) => request.headers[name] === undefined);
  const why =
    missing.length === 0
      ? 'the key is not one of this session'
      : `without the header${missing.length > 1 ? 's' : ''} ${missing.join(' and ')}`;
  return `from ${clientOf(request)}: ${why}`;
};
