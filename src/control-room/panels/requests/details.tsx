import { Anchor, Box, CloseButton, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Fragment, useRef } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { ControlError } from '../../../core/protocol/errors.ts';
import { mapValues } from '../../../core/util/mapping.ts';
import { Actions } from '../../act.tsx';
import { Json } from '../../code.tsx';
import { journal } from '../../journal.ts';
import { readKeys } from '../../openapi.ts';
import { Definitions, Tabbed } from '../../parts.tsx';
import { Foreign, formatTime } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { chainOf } from './attempts.ts';
import { Callouts } from './callouts.tsx';
import { actionsOf, linkToRequest } from './commands.ts';
import { RequestStatus } from './status.tsx';
import { clientOf, describeOutcome, formatDuration, formatPause, keyOf, targetOf } from './texts.ts';

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
          {request && <RequestStatus request={request} />}
          <Title order={2} className="mono wrap" fz={13} flex={1}>
            <Foreign text={request ? `${request.method} ${targetOf(request)}` : id} />
          </Title>
          <CloseButton size={28} aria-label="Close" onClick={close} />
        </Group>
        {request ? (
          <>
            <Callouts request={request} />
            <Group gap={6}>{value?.request && <Actions of={actionsOf(value.request, keys)} />}</Group>
            <Definitions
              of={[
                ['Operation', request.operation ?? 'none'],
                ['Client', <Foreign key="" text={clientOf(request)} />],
                ['Attempts', <AttemptChain key="" request={request} />],
                ['Outcome', describeOutcome(request)],
                ['Id', <Foreign key="" text={request.id} />],
              ]}
            />
            <Tabbed tabs={mapValues(textsOf(request, Boolean(value?.request)), showTexts)} />
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

/** The same call as it was sent before and after, with the pauses. */
const AttemptChain = ({ request }: { readonly request: RecordedRequest }) => {
  const requests = journal.use((state) => state.requests);
  const chain = chainOf(request, requests);
  if (chain.length === 1) return 'sent once';
  return chain.map((attempt, at) => {
    const before = chain[at - 1];
    return (
      <Fragment key={attempt.ordinal}>
        {before && <span className="dimmed"> +{formatPause(before, attempt)} </span>}
        {attempt.ordinal === request.ordinal ? (
          attempt.ordinal
        ) : (
          <Anchor inherit href={linkToRequest(keyOf(attempt))}>
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

/** What was received and sent, by tabs and titles. */
const textsOf = (request: RecordedRequest, hasBodies: boolean) => {
  const { reply, params, query, body, headers, receivedAt, time } = request;
  return {
    Reply: {
      'Body of the reply': reply === null ? 'No reply was sent.' : reply.body || (hasBodies ? 'Empty.' : ''),
    },
    Request: {
      'Path parameters': toLines(params),
      Query: toLines(query),
      'Body of the request': body ?? 'It has no body.',
    },
    Headers: { 'Headers of the reply': toLines(reply?.headers), 'Headers of the request': toLines(headers) },
    Timing: {
      Timing: toLines({
        arrived: receivedAt,
        'by the clock': `${formatTime(time)} UTC`,
        took: formatDuration(request),
      }),
    },
  };
};

const showTexts = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(
    ([title, text]) =>
      text && (
        <Box key={title} my="sm">
          <Title order={3} c="dimmed" fw={400} mb={4}>
            {title}
          </Title>
          <Json value={text} label={title} />
        </Box>
      ),
  );
