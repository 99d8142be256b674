import { Anchor, Box, CloseButton, Group, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode, useRef } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { ControlError } from '../../../core/protocol/errors.ts';
import { Actions } from '../../act.tsx';
import { journal } from '../../journal.ts';
import { Json } from '../../json.tsx';
import { readKeys } from '../../openapi.ts';
import { setQuery, useRoute } from '../../route.ts';
import { Foreign, formatTime } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { actionsOf, linkTo } from './actions.ts';
import { chainOf } from './attempts.ts';
import { Callouts } from './callouts.tsx';
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
}

/** Everything the journal has about one request. */
export const RequestDetails = ({ id, row, close }: DetailsProps) => {
  const ended = useRef<RecordedRequest>(undefined);
  const { value } = useQuery(['request', id], async ({ requests }) => {
    // Once it has ended, it does not change, and stays in view when the journal drops it.
    const request =
      ended.current ??
      (await requests.get(id).catch((error: unknown) => {
        if (error instanceof ControlError) return null; // the journal has dropped it
        throw error;
      }));
    if (request && request.duration !== null) ended.current = request;
    return { request };
  });
  const { value: keys = {} } = useQuery('keys', readKeys);
  const request = value?.request ?? row;
  return (
    <section
      id="request-details"
      aria-label="Request"
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap" align="flex-start">
          {request && <Status request={request} />}
          <Title order={2} className="mono wrap" fz={13} flex={1}>
            <Foreign text={request ? `${request.method} ${targetOf(request)}` : id} />
          </Title>
          <CloseButton size={28} aria-label="Close" onClick={close} />
        </Group>
        {request ? (
          <>
            <Callouts request={request} />
            <Group gap={6}>{value?.request && <Actions of={actionsOf(value.request, keys)} />}</Group>
            <Facts request={request} />
            <Texts request={request} hasBodies={Boolean(value?.request)} />
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

const Facts = ({ request }: { readonly request: RecordedRequest }) => {
  const facts: Readonly<Record<string, ReactNode>> = {
    Operation: request.operation ?? 'none',
    Client: <Foreign text={clientOf(request)} />,
    Attempts: <Attempts request={request} />,
    Outcome: !isBroken(request) && describeOutcome(request), // otherwise, a callout says it
    Id: <Foreign text={request.id} />,
  };
  return (
    <dl className="facts">
      {Object.entries(facts).map(
        ([name, value]) =>
          value && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd className="wrap">{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
};

/** The same call as it was sent before and after, with the pauses. */
const Attempts = ({ request }: { readonly request: RecordedRequest }) => {
  const chain = chainOf(
    request,
    journal.use((state) => state.requests),
  );
  if (chain.length === 1) return 'sent once';
  return chain.map((attempt, at) => {
    const before = chain[at - 1];
    return (
      <Fragment key={attempt.ordinal}>
        {before && (
          <span className="dimmed"> +{formatMillis(Math.max(0, arrivalOf(attempt) - endOf(before)))} </span>
        )}
        {attempt.ordinal === request.ordinal ? (
          attempt.ordinal
        ) : (
          <Anchor inherit href={linkTo(keyOf(attempt))}>
            {attempt.ordinal}
          </Anchor>
        )}
      </Fragment>
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
  const { reply, params, query, body, headers, receivedAt, time } = request;
  const { tab = 'Reply' } = useRoute().query;
  const texts: readonly (readonly [tab: string, title: string, text: string | null | undefined])[] = [
    [
      'Reply',
      'Body of the reply',
      reply === null ? 'No reply was sent.' : reply.body || (hasBodies ? 'Empty.' : ''),
    ],
    ['Request', 'Path parameters', toLines(params)],
    ['Request', 'Query', toLines(query)],
    ['Request', 'Body of the request', body ?? 'It has no body.'],
    ['Headers', 'Headers of the reply', toLines(reply?.headers)],
    ['Headers', 'Headers of the request', toLines(headers)],
    [
      'Timing',
      'Timing',
      toLines({
        arrived: receivedAt,
        'by the clock': `${formatTime(time)} UTC`,
        took: formatDuration(request),
      }),
    ],
  ];
  const tabs = [...new Set(texts.map(([name]) => name))];
  return (
    <Tabs value={tab} onChange={(name) => setQuery({ tab: name === 'Reply' ? '' : (name ?? '') })}>
      <Tabs.List mb="sm">
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {texts.map(
            ([of, title, text]) =>
              of === name &&
              of === tab &&
              text && (
                <Box key={title} mb="sm">
                  <Title order={3} c="dimmed" fw={400} mb={4}>
                    {title}
                  </Title>
                  <Json value={text} label={title} />
                </Box>
              ),
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
};
