import { Anchor, CloseButton, Group, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode, useLayoutEffect, useRef } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { ControlError } from '../../../core/protocol/errors.ts';
import { Actions } from '../../act.tsx';
import { live } from '../../connection.ts';
import { journal } from '../../journal.ts';
import { Json } from '../../json.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { Foreign, formatTime } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { actionsOf, linkTo } from './actions.ts';
import { findAttempts } from './attempts.ts';
import { Callouts, Dependences } from './callouts.tsx';
import { isBroken } from './filter.ts';
import { Status } from './status.tsx';
import {
  arrivalOf,
  clientOf,
  describeOutcome,
  endOf,
  formatDuration,
  formatMillis,
  keyOf,
  targetOf,
} from './texts.ts';

interface DetailsProps {
  /** Its number, or its id in a link from elsewhere. */
  readonly id: string;
  /** The entry without bodies. */
  readonly row: RecordedRequest | undefined;
  readonly close: () => void;
  /** Called when it is shown. */
  readonly arrive: () => void;
}

/** Everything the journal has about one request. */
export const RequestDetails = ({ id, row, close, arrive }: DetailsProps) => {
  const { value } = useRequest(id);
  const request = value?.request ?? row;
  const hasBodies = value?.request !== undefined;
  const isThere = live.use((state) => state.connection) === 'open' && (request ?? value) !== undefined;
  useLayoutEffect(() => {
    if (isThere) arrive();
  }, [id, isThere]);
  return (
    <section
      id="request-details"
      aria-label="Request"
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Title order={2} className="request-title mono">
            {request ? (
              <>
                <Status request={request} />
                <span>
                  <Foreign text={`${request.method} ${targetOf(request)}`} />
                </span>
              </>
            ) : (
              <Foreign text={id} />
            )}
          </Title>
          <CloseButton ml="auto" aria-label="Close" onClick={close} />
        </Group>
        {request ? (
          <>
            <Callouts request={request} />
            {hasBodies && <RequestActions request={request} />}
            <Facts request={request} />
            <Texts request={request} hasBodies={hasBodies} />
          </>
        ) : value === undefined ? (
          <Skeleton />
        ) : (
          <Text c="dimmed">
            This request is no longer kept. The journal keeps the last requests, until the session is reset.
          </Text>
        )}
      </Stack>
    </section>
  );
};

/** Requests the entry with its bodies until the call has ended. After that, it does not change. */
const useRequest = (id: string) => {
  const era = journal.use((state) => state.era);
  const ended = useRef<{ readonly era: number; readonly request: RecordedRequest }>(undefined);
  return useQuery(['request', id, era], async (own) => {
    if (ended.current?.era === era) return ended.current;
    const request = await own.requests.get(id).catch((error: unknown) => {
      if (error instanceof ControlError) return undefined; // the journal may have dropped it
      throw error;
    });
    if (request && request.duration !== null) ended.current = { era, request };
    return { request: request ?? undefined };
  });
};

const RequestActions = ({ request }: { readonly request: RecordedRequest }) => {
  const { value: keys } = useQuery('keys', (own) => own.scenario.keys());
  return (
    <Group gap={6}>
      <Actions of={keys === undefined ? [] : actionsOf(request, keys)} />
    </Group>
  );
};

const Facts = ({ request }: { readonly request: RecordedRequest }) => {
  const { operation, receivedAt, id } = request;
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    ['Operation', operation ?? 'none'],
    [
      'Client',
      <>
        <Foreign text={clientOf(request)} />{' '}
        <span className="dimmed">at {new Date(receivedAt).toLocaleTimeString('en-GB')}</span>
      </>,
    ],
    ['Attempts', <Attempts key="attempts" request={request} />],
    ...(isBroken(request) ? [] : [['Outcome', describeOutcome(request)] as const]), // a callout says it
    ['Id', <Foreign key="id" text={id} />],
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd className="wrap">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
};

/** The same call as it was sent before and after, with the pauses. */
const Attempts = ({ request }: { readonly request: RecordedRequest }) => {
  const requests = journal.use((state) => state.requests);
  const attempts = findAttempts(requests);
  const chain = [request];
  for (let first = attempts.get(request.ordinal); first; first = attempts.get(first.before.ordinal))
    chain.unshift(first.before);
  const after = (ordinal: number) =>
    requests.find((next) => attempts.get(next.ordinal)?.before.ordinal === ordinal);
  for (let next = after(request.ordinal); next; next = after(next.ordinal)) chain.push(next);
  if (chain.length === 1) return 'sent once';
  return chain.map((attempt, at) => {
    const before = chain[at - 1];
    return (
      <span key={attempt.ordinal} style={{ marginRight: 6 }}>
        {before && (
          <span className="dimmed">+{formatMillis(Math.max(0, arrivalOf(attempt) - endOf(before)))} </span>
        )}
        {attempt.ordinal === request.ordinal ? (
          attempt.ordinal
        ) : (
          <Anchor inherit href={linkTo(keyOf(attempt))}>
            {attempt.ordinal}
          </Anchor>
        )}
      </span>
    );
  });
};

/** Names with their values, a line each. */
const toLines = (pairs: Readonly<Record<string, string | readonly string[]>> = {}): string =>
  Object.entries(pairs)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
    .join('\n');

interface TextsProps {
  readonly request: RecordedRequest;
  readonly hasBodies: boolean;
}

/** What was received and sent, a tab each. The link keeps the open one. */
const Texts = ({ request, hasBodies }: TextsProps) => {
  const { reply, params, query, body, headers, assumptions } = request;
  const { tab = 'reply' } = useRoute().query;
  const tabs: Readonly<Record<string, Readonly<Record<string, string | null | undefined>>>> = {
    reply: {
      'Body of the reply':
        reply === null ? 'No reply was sent.' : hasBodies && reply.body === '' ? 'Empty.' : reply.body,
    },
    request: {
      'Path parameters': toLines(params),
      Query: toLines(query),
      'Body of the request': body,
    },
    headers: { 'Headers of the reply': toLines(reply?.headers), 'Headers of the request': toLines(headers) },
    timing: {
      Timing: toLines({
        arrived: request.receivedAt,
        'by the clock': `${formatTime(request.time)} UTC`,
        took: formatDuration(request),
      }),
    },
  };
  return (
    <Tabs value={tab} onChange={(next) => setQuery({ tab: next === 'reply' ? '' : (next ?? '') })}>
      <Tabs.List mb="sm">
        {Object.keys(tabs).map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name.replace(/^./, (first) => first.toUpperCase())}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(tabs).map(([name, texts]) => (
        <Tabs.Panel key={name} value={name}>
          {tab === name && (
            <Stack gap="sm">
              {Object.entries(texts).map(
                ([title, text]) =>
                  text && (
                    <div key={title}>
                      <Title order={3} c="dimmed" fw={400} mb={4}>
                        {title}
                      </Title>
                      <Json value={text} label={title} />
                    </div>
                  ),
              )}
              {name === 'request' && !Object.values(texts).some(Boolean) && (
                <Text c="dimmed">It has no parameters and no body.</Text>
              )}
              {name === 'reply' && assumptions.length > 0 && (
                <div>
                  <Title order={3} c="dimmed" fw={400} mb={4}>
                    Assumptions that it depends on
                  </Title>
                  <Dependences ids={assumptions} />
                </div>
              )}
            </Stack>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
};
