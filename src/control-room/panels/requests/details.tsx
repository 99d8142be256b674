import { ActionIcon, Group, Menu, NativeSelect, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconBolt, IconDots, IconPencil, IconRoute, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { RecordedRequest } from '../../../journal/recorded-request.ts';
import type { OperationId } from '../../../operations/ids.ts';
import { ControlError } from '../../../protocol/errors.ts';
import { baseUrl, control } from '../../connection.ts';
import { Copy } from '../../copy.tsx';
import { formatTime } from '../../format.ts';
import { journal } from '../../journal.ts';
import { Json } from '../../json.tsx';
import { live } from '../../live.ts';
import { act } from '../../notify.tsx';
import { go, toHash } from '../../route.ts';
import { Foreign, Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { Status } from './columns.tsx';
import { Comparison, linkTo } from './compare.tsx';
import { Reasons } from './reasons.tsx';
import { ChangeAndResend, ResendButton } from './resend.tsx';
import { formatDuration, targetOf } from './rows.ts';
import { hasParams, type Keys, toCurl, toFaultLine, variablesIn } from './texts.ts';

interface DetailsProps {
  readonly id: string;
  /** The id of a request to compare it with. */
  readonly other: string | undefined;
  /** The requests that it can be compared with. */
  readonly others: readonly RecordedRequest[];
  /** The entry without bodies, which is all that exists of a request that was left to others. */
  readonly row: RecordedRequest | undefined;
  readonly close: () => void;
  /** Called when it is on the page. */
  readonly arrive: () => void;
}

/** Everything the journal has about one request. */
export const RequestDetails = ({ id, other, others, row, close, arrive }: DetailsProps) => {
  const { value } = useWhole(id, row);
  const request = value?.request ?? row;
  const isThere = live.use((state) => state.connection) === 'open' && (request ?? value) !== undefined;
  useLayoutEffect(() => {
    if (isThere) arrive();
  }, [id, isThere]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
  };
  return (
    <Paper
      component="section"
      id="request-details"
      p="sm"
      aria-label="Request"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h5" className="mono">
          {row?.id === '' ? 'Passed on' : <Foreign text={id} />}
        </Title>
        <ActionIcon variant="subtle" aria-label="Close" onClick={close}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </Group>
      {other !== undefined && value?.request !== undefined ? (
        <Comparison key={other} request={value.request} other={other} />
      ) : request !== undefined ? (
        <Whole request={request} others={others} hasBodies={value?.request !== undefined} />
      ) : value === undefined ? (
        <Skeleton height={160} animate={false} />
      ) : (
        <Text c="dimmed">
          This request is no longer kept. The journal keeps the last requests, until the session is reset.
        </Text>
      )}
    </Paper>
  );
};

/** Requests the entry with its bodies until the call has ended. After that, it does not change. */
const useWhole = (id: string, row: RecordedRequest | undefined) => {
  const era = journal.use((state) => state.era);
  const ended = useRef<{ readonly era: number; readonly request: RecordedRequest }>(undefined);
  return useQuery(['request', id, era], async (own) => {
    if (row?.id === '') return { request: undefined };
    if (ended.current?.era === era) return ended.current;
    const request = await own.requests.get(id).catch((error: unknown) => {
      if (error instanceof ControlError) return undefined; // the journal may have dropped it
      throw error;
    });
    if (request && request.duration !== null) ended.current = { era, request };
    return { request: request ?? undefined };
  });
};

interface WholeProps {
  readonly request: RecordedRequest;
  readonly others: readonly RecordedRequest[];
  readonly hasBodies: boolean;
}

const Whole = ({ request, others, hasBodies }: WholeProps) => {
  const { value: keys } = useQuery('keys', (own) => own.scenario.keys());
  const { id, reply } = request;
  return (
    <Stack gap="sm">
      <div>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Status request={request} />
          <Text size="sm" className="mono">
            <Foreign text={request.method} /> <Foreign text={targetOf(request)} />
          </Text>
        </Group>
        <Text size="xs" c="dimmed" mt={4} className="numbers">
          {request.operation ?? 'no operation'}
          {id !== '' && ` · ${formatDuration(request.duration)}`} · {formatTime(request.time)}
        </Text>
      </div>
      {hasBodies && keys && <Actions key={id} request={request} keys={keys} />}
      {reply === null ? (
        <Text size="sm" c="dimmed">
          {id === '' ? 'The mock did not answer it.' : 'No reply was sent.'}
        </Text>
      ) : (
        <Block title="Body of the reply" text={hasBodies && reply.body === '' ? 'Empty.' : reply.body} />
      )}
      <Reasons request={request} />
      <Block title="Headers of the reply" text={toLines(reply?.headers ?? {})} />
      <Block title="Path parameters" text={toLines(request.params)} />
      <Block title="Query" text={toLines(request.query)} />
      <Block title="Body of the request" text={request.body} />
      <Block title="Headers of the request" text={toLines(request.headers)} />
      {hasBodies && others.length > 1 && (
        <NativeSelect
          label="Compare with"
          value=""
          data={[
            { value: '', label: 'Choose a request' },
            ...others.filter((one) => one.id !== '' && one.id !== id).map(toOption),
          ]}
          onChange={(event) => go(linkTo(id, event.currentTarget.value))}
        />
      )}
    </Stack>
  );
};

const toOption = (request: RecordedRequest) => ({
  value: request.id,
  label: `${request.ordinal}: ${request.method} ${targetOf(request).slice(0, 60)} ${request.status ?? 'reset'}`,
});

/** Opens the form of a fault that does the same to the same call. */
const makeFault = async (request: RecordedRequest): Promise<void> => {
  const { operation, path, ordinal } = request;
  const filter = { operation: operation as OperationId, ...(hasParams(request) && { path }) }; // it has one
  const same = await control.requests.list(filter, { bodies: false, kept: true });
  const number = same.filter((one) => one.ordinal <= ordinal).length;
  go(toHash('faults', [], { line: toFaultLine(request, number) }));
};

const Actions = ({ request, keys }: { readonly request: RecordedRequest; readonly keys: Keys }) => {
  const [isChanging, setChanging] = useState(false);
  const variables = variablesIn(request, keys).map((name) => `\`$${name}\``);
  return (
    <>
      <Group gap="xs">
        <ResendButton request={request} keys={keys} />
        <Copy text={toCurl(request, baseUrl, keys)} label="Copy as curl" />
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size={30} aria-label="More actions">
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconPencil size={16} aria-hidden />}
              onClick={() => setChanging(!isChanging)}
            >
              Change and resend
            </Menu.Item>
            {request.operation !== null && (
              <Menu.Item
                leftSection={<IconBolt size={16} aria-hidden />}
                onClick={() => void act(() => makeFault(request))}
              >
                Make this a fault
              </Menu.Item>
            )}
            {request.operation?.startsWith('list') && (
              <Menu.Item
                leftSection={<IconRoute size={16} aria-hidden />}
                onClick={() => go(toHash('requests', ['walks'], { page: request.id }))}
              >
                Show its walk
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </Group>
      {variables.length > 0 && (
        <Text size="xs" c="dimmed">
          <Rich
            text={`Keys are hidden here. Before you run the curl command, set ${variables.join(', ')}.`}
          />
        </Text>
      )}
      {isChanging && <ChangeAndResend request={request} keys={keys} />}
    </>
  );
};

/** Names with their values, a line each. */
const toLines = (pairs: Readonly<Record<string, string | readonly string[]>>): string =>
  Object.entries(pairs)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
    .join('\n');

/** A body, or headers. @param text is left out if it is empty, or null, or not loaded */
const Block = ({ title, text }: { readonly title: string; readonly text: string | null | undefined }) =>
  text ? (
    <div>
      <Title order={3} size="xs" c="dimmed" fw={500} mb={4}>
        {title}
      </Title>
      <Json value={text} label={title} />
    </div>
  ) : null;
