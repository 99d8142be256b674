import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { parseJson, toJsonText } from '../../../core/util/json.ts';
import { tryParse } from '../../../core/util/try-parse.ts';
import { DiffSection } from '../../diff.tsx';
import { useQuery } from '../../use-query.ts';
import { linkTo } from './actions.ts';
import { isOwnHeader, targetOf } from './texts.ts';

interface ComparisonProps {
  readonly request: RecordedRequest;
  /** The key of the other one. */
  readonly other: string;
}

/** A request and another one, with their replies. */
export const Comparison = ({ request, other }: ComparisonProps) => {
  const { value } = useQuery(['request', other], async (own) => ({
    found: await own.requests.get(other),
  }));
  if (value === undefined) return <Skeleton />;
  const { found } = value;
  if (!found) return <Text c="dimmed">The other request is no longer kept.</Text>;
  const toLink = ({ ordinal }: RecordedRequest) => (
    <Anchor inherit underline="always" href={linkTo(String(ordinal))}>
      request {ordinal}
    </Anchor>
  );
  return (
    <Stack gap="sm">
      <Text>
        {toLink(request)} → {toLink(found)}
      </Text>
      <DiffSection title="Differences of the replies" before={replyText(request)} after={replyText(found)} />
      <DiffSection title="Differences of the requests" before={callText(request)} after={callText(found)} />
    </Stack>
  );
};

/** Headers that differ in every reply. */
const changingHeaders = ['x-request-id', 'x-gateway-trace-id', 'date'];

const replyText = ({ status, reply }: RecordedRequest): string =>
  toText(
    status === null ? 'No reply was sent.' : String(status),
    Object.entries(reply?.headers ?? {}).filter(([name]) => !changingHeaders.includes(name)),
    reply?.body ?? '',
  );

const callText = (request: RecordedRequest): string =>
  toText(
    `${request.method} ${targetOf(request)}`,
    Object.entries(request.headers).filter(([name]) => !isOwnHeader(name)),
    request.body ?? '',
  );

const toText = (first: string, headers: readonly (readonly [string, string])[], body: string): string => {
  const value = tryParse(body, parseJson);
  const lines = headers.map((pair) => pair.join(': ')).sort();
  return [first, ...lines, value === undefined ? body : toJsonText(value, 2)].join('\n');
};
