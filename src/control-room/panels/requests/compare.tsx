import { Anchor, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { parseJson, toJsonText } from '../../../core/util/json.ts';
import { tryParse } from '../../../core/util/try-parse.ts';
import { control, openSession, session } from '../../connection.ts';
import { Diff } from '../../diff.tsx';
import { go, toHash, useRoute } from '../../route.ts';
import { Foreign } from '../../text.tsx';
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
      <Part title="Differences of the replies" before={replyText(request)} after={replyText(found)} />
      <Part title="Differences of the requests" before={callText(request)} after={callText(found)} />
    </Stack>
  );
};

interface PartProps {
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

const Part = ({ title, before, after }: PartProps) => (
  <div>
    <Title order={3} size="h6" mb={4}>
      {title}
    </Title>
    <Diff label={title} before={before} after={after} />
  </div>
);

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

/** How many requests of each session are compared. */
const maxCompared = 1000;

const readSession = async ({ requests, state }: typeof control) => {
  const listed = await requests.list({}, { limit: maxCompared, bodies: false, kept: true });
  const changes = await state.changes();
  return {
    requests: listed
      .map((one) => `${one.method} ${targetOf(one)} → ${one.status ?? 'No reply was sent.'}`)
      .join('\n'),
    changes: changes.map(({ path, from, to }) => `${path}: ${toValue(from)} → ${toValue(to)}`).join('\n'),
  };
};

const toValue = (value: unknown): string => (value === undefined ? 'nothing' : toJsonText(value));

/** The requests of this session and of another one, in order, and what has changed in both. */
export const SessionComparison = () => {
  const other = useRoute().query.with ?? '';
  const { value: names = [] } = useQuery('sessions', (own) => own.sessions.list());
  const { value } = useQuery(['sessions', other], async () => {
    if (other === '') return undefined;
    const there = openSession(other);
    // A list begins no session, and finds the world that the further calls are bound to.
    if (!(await there.sessions.list()).includes(other)) return undefined;
    const [before, after] = await Promise.all([readSession(control), readSession(there)]);
    return { before, after };
  });
  return (
    <Stack gap="sm">
      <NativeSelect
        label="Compare this session with"
        description={names.length < 2 && 'There is no other session yet. Create one under Sessions.'}
        maw={320}
        value={other}
        data={[{ value: '', label: 'Choose a session' }, ...names.filter((name) => name !== session)]}
        onChange={(event) => go(toHash('requests', ['sessions'], { with: event.currentTarget.value }))}
      />
      {value && (
        <>
          <Title order={2} size="h5" className="wrap">
            <Foreign text={session} /> → <Foreign text={other} />
          </Title>
          <Part title="Requests" before={value.before.requests} after={value.after.requests} />
          <Part title="Changes since the start" before={value.before.changes} after={value.after.changes} />
        </>
      )}
    </Stack>
  );
};
