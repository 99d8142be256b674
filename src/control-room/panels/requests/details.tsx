import {
  CloseButton,
  Group,
  NativeSelect,
  Paper,
  Skeleton,
  Spoiler,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { ControlError } from '../../../core/protocol/errors.ts';
import { Actions } from '../../act.tsx';
import { live } from '../../connection.ts';
import { journal } from '../../journal.ts';
import { Json } from '../../json.tsx';
import { go, useRoute } from '../../route.ts';
import { Foreign, formatTime } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { actionsOf, linkTo } from './actions.ts';
import { Status } from './columns.tsx';
import { Comparison } from './compare.tsx';
import { Reasons } from './reasons.tsx';
import { formatDuration, targetOf } from './texts.ts';

interface DetailsProps {
  /** Its number, or its id in a link from elsewhere. */
  readonly id: string;
  /** The requests that it can be compared with. */
  readonly others: readonly RecordedRequest[];
  /** The entry without bodies. */
  readonly row: RecordedRequest | undefined;
  readonly close: () => void;
  /** Called when it is shown. */
  readonly arrive: () => void;
}

/** Everything the journal has about one request. In the link, `with` is the number of a request to compare it with. */
export const RequestDetails = ({ id, others, row, close, arrive }: DetailsProps) => {
  const { value } = useWhole(id);
  const other = useRoute().query.with;
  const whole = value?.request;
  const request = whole ?? row;
  const isThere = live.use((state) => state.connection) === 'open' && (request ?? value) !== undefined;
  useLayoutEffect(() => {
    if (isThere) arrive();
  }, [id, isThere]);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) document.getElementById('request-details')?.focus();
  }, [other]); // the pressed control was removed
  return (
    <Paper
      component="section"
      id="request-details"
      p="sm"
      aria-label="Request"
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h5" className="mono">
          <Foreign text={request?.id ?? id} />
        </Title>
        <CloseButton aria-label="Close" onClick={close} />
      </Group>
      {other && whole ? (
        <Comparison key={other} request={whole} other={other} />
      ) : request ? (
        <Stack gap="sm">
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <Status request={request} />
            <Spoiler maxHeight={90} showLabel="Show all" hideLabel="Show less" className="mono" fz="sm">
              <Foreign text={`${request.method} ${targetOf(request)}`} />
            </Spoiler>
          </Group>
          <Text size="xs" c="dimmed">
            {[request.operation ?? 'no operation', formatDuration(row ?? request)]
              .filter(Boolean)
              .join(' · ')}{' '}
            · at {formatTime(request.time)} by the session's clock
          </Text>
          {whole && <RequestActions request={whole} />}
          <Texts request={request} hasBodies={whole !== undefined} />
          {whole && others.length > 1 && (
            <NativeSelect
              label="Compare with"
              value=""
              data={[
                { value: '', label: 'Choose a request' },
                ...others.filter((one) => one.ordinal !== request.ordinal).map(toOption),
              ]}
              onChange={(event) => go(linkTo(id, event.currentTarget.value))}
            />
          )}
        </Stack>
      ) : value === undefined ? (
        <Skeleton />
      ) : (
        <Text c="dimmed">
          This request is no longer kept. The journal keeps the last requests, until the session is reset.
        </Text>
      )}
    </Paper>
  );
};

/** Requests the entry with its bodies until the call has ended. After that, it does not change. */
const useWhole = (id: string) => {
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

const toOption = (request: RecordedRequest) => ({
  value: String(request.ordinal),
  label: `${request.ordinal}: ${request.method} ${targetOf(request).slice(0, 60)} ${request.status ?? 'reset'}`,
});

const RequestActions = ({ request }: { readonly request: RecordedRequest }) => {
  const { value: keys } = useQuery('keys', (own) => own.scenario.keys());
  return (
    <Group gap="xs">
      <Actions of={keys === undefined ? [] : actionsOf(request, keys)} />
    </Group>
  );
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

/** The reply's body, why it came, and the rest. What is empty is left out. */
const Texts = ({ request, hasBodies }: TextsProps) => {
  const { reply, params, query, body, headers } = request;
  const texts = {
    'Body of the reply':
      reply === null ? 'No reply was sent.' : hasBodies && reply.body === '' ? 'Empty.' : reply.body,
    'Headers of the reply': toLines(reply?.headers),
    'Path parameters': toLines(params),
    Query: toLines(query),
    'Body of the request': body,
    'Headers of the request': toLines(headers),
  };
  const [first, ...others] = Object.entries(texts).map(
    ([title, text]) =>
      text && (
        <div key={title}>
          <Title order={3} size="xs" c="dimmed" fw={500} mb={4}>
            {title}
          </Title>
          <Json value={text} label={title} />
        </div>
      ),
  );
  return (
    <>
      {first}
      <Reasons request={request} />
      {others}
    </>
  );
};
