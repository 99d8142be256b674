import './connect.css';
import { Anchor, Button, Code, Kbd, Paper, Portal, Tabs, Title } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconExternalLink, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { readWallClock } from '../../../core/util/stopwatch.ts';
import { Copy } from '../../act.tsx';
import { baseUrl, root, session } from '../../connection.ts';
import { journal } from '../../journal.ts';
import { contractIds, fillPath, type Operation, readIds, useOperations } from '../../openapi.ts';
import { Loading } from '../../parts.tsx';
import { toHash } from '../../route.ts';
import { isForeign } from '../../sender.ts';
import { countOf, Foreign, formatSpan } from '../../text.tsx';
import { openTryIt } from '../../try-it-state.ts';
import { useQuery } from '../../use-query.ts';
import { Status } from '../requests/status.tsx';
import { arrivalOf, clientOf, keyOf, targetOf } from '../requests/texts.ts';
import { toSnippets } from './snippets.ts';

/** How an app is connected to this session, and whether one is. */
export const Panel = () => {
  const { value } = useQuery('connect', async (own) => ({
    ids: await readIds(own),
    keys: await own.scenario.keys(),
    scenario: (await own.scenario.current()).name,
  }));
  if (value === undefined) return <Loading />;
  const { ids, keys, scenario } = value;
  const headers = [
    { name: 'x-gateway-api-key', key: keys.apiKey, note: 'every call' },
    { name: 'x-gateway-virtual-key', key: keys.virtualKey, note: 'the three lists' },
  ];
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
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          onClick={() => openTryIt()}
        >
          Try it{' '}
          <Kbd ml={6} aria-hidden>
            T
          </Kbd>
        </Button>
      </Portal>
      <div className="connect">
        <div>
          <Paper p={0} component="section" aria-label="Base URL and headers">
            <div className="connect-row">
              <span className="dimmed">Base URL</span>
              <b className="mono connect-url">{baseUrl}</b>
              <Copy text={baseUrl} aria-label="Copy the base URL" />
            </div>
            {headers.map(({ name, key, note }, at) => (
              <div key={name} className="connect-row">
                <span className="dimmed">{at === 0 && 'Headers'}</span>
                <span>
                  <span className="mono">
                    {name}: <Foreign text={key} />
                  </span>{' '}
                  <span className="dimmed">{note}</span>
                </span>
                <Copy text={`${name}: ${key}`} aria-label={`Copy the header ${name}`} />
              </div>
            ))}
          </Paper>
          <Snippets snippets={toSnippets({ baseUrl, ...keys, session, scenario })} />
        </div>
        <Operations ids={ids} scenario={scenario} />
      </div>
      <Calls />
    </>
  );
};

/** Ids of elements have no spaces. */
const toId = (title: string): string => title.replace(/\W/g, '-');

const Snippets = ({ snippets }: { readonly snippets: ReturnType<typeof toSnippets> }) => {
  const [title, setTitle] = useState<string | null>('curl');
  return (
    <Paper p={0} component="section" aria-label="Code">
      <Tabs value={title} onChange={setTitle}>
        <Tabs.List px="xs">
          {snippets.map((snippet) => (
            <Tabs.Tab key={snippet.title} value={toId(snippet.title)}>
              {snippet.title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map((snippet) => (
          <Tabs.Panel key={snippet.title} value={toId(snippet.title)} className="connect-code">
            <Code block tabIndex={0} role="region" aria-label={snippet.title}>
              {snippet.text}
            </Code>
            <Copy text={snippet.text} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Paper>
  );
};

interface OperationsProps {
  readonly ids: Readonly<Record<string, string>>;
  readonly scenario: string;
}

const Operations = ({ ids, scenario }: OperationsProps) => {
  const operations = useOperations();
  if (operations === undefined) return <Loading />;
  const isOwn = ({ id }: Operation): boolean => !contractIds.includes(id);
  const groups = [
    { title: 'Operations', note: `with ids of ${scenario}`, list: operations.filter((one) => !isOwn(one)) },
    { title: 'Calls of your own', note: '', list: operations.filter(isOwn) },
  ];
  return (
    <Paper p={0} component="section" aria-label="Operations" style={{ alignSelf: 'start' }}>
      {groups.map(
        ({ title, note, list }) =>
          list.length > 0 && (
            <div key={title}>
              <div className="connect-row">
                <Title order={2}>{title}</Title>
                <span className="dimmed">{note}</span>
              </div>
              {list.map((operation) => (
                <div key={operation.id} className="connect-row">
                  <span className="mono dimmed">{operation.method}</span>
                  <span className="wrap">
                    <span className="mono connect-path">
                      <Foreign text={fillPath(operation.path, ids)} />
                    </span>
                    <small className="dimmed">{operation.summary || operation.id}</small>
                  </span>
                  <Button
                    variant="default"
                    aria-label={`Try ${operation.id}`}
                    onClick={() => openTryIt({ operation: operation.id, values: {} })}
                  >
                    Try
                  </Button>
                </div>
              ))}
            </div>
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
  const worst = refused.at(-1);
  return (
    <Paper p={0} component="section" role="status" aria-label="Calls">
      <div className="connect-row">
        {last === undefined ? (
          <>
            <i className="dot" data-look="pending" />
            <span>Waiting for the first call …</span>
          </>
        ) : (
          <>
            <Status request={last} />
            <span className="wrap">
              <span className="mono">
                {last.method} <Foreign text={targetOf(last)} />
              </span>{' '}
              from <Foreign text={clientOf(last)} />, <Ago request={last} />
            </span>
            <Anchor href={toHash('requests', [keyOf(last)])}>Open</Anchor>
          </>
        )}
      </div>
      {worst && (
        <div className="connect-row">
          <i className="dot" data-look="refused" />
          <span className="wrap">
            <b>{countOf(refused.length, 'call was', 'calls were')} not let in</b>{' '}
            <Foreign text={describeRefused(worst)} />
          </span>
          <Anchor href={toHash('requests', [keyOf(worst)])}>Show</Anchor>
        </div>
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
  const missing = ['x-gateway-api-key', 'x-gateway-virtual-key'].filter((name) => !request.headers[name]);
  const why =
    missing.length === 0
      ? 'the key is not one of this session'
      : `without the header ${missing.join(' and without ')}`;
  return `from ${clientOf(request)}: ${why}`;
};
