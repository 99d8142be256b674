import type { RecordedRequest } from '../../journal/recorded-request.ts';
import { parseJson, toJsonText } from '../../util/json.ts';
import { tryParse } from '../../util/try-parse.ts';
import { Select } from '../fields.tsx';
import { Card, Empty } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { go, parseRoute, type Route, toHash } from '../route.ts';
import { control, openSession, session } from '../session.ts';
import { texts } from '../texts.ts';
import { Diff } from './requests-diff.tsx';
import { targetOf } from './requests-rows.ts';
import { isOwnHeader } from './requests-texts.ts';

const t = texts.compare;

/** Shows a request beside another one, with the filters of the list as they are. */
export const linkTo = (id: string, other?: string): string => {
  const { with: _, ...filters } = parseRoute(location.hash).query;
  return toHash('requests', [id], { ...filters, with: other });
};

/** A request and another one, with their replies. */
export const Comparison = ({
  request,
  other,
}: {
  readonly request: RecordedRequest;
  readonly other: string;
}) => {
  const { value } = useQuery(['request', other], async ({ requests }) => ({
    found: await requests.get(other),
  }));
  if (value === undefined) return <Empty>{texts.common.loading}</Empty>;
  const { found } = value;
  if (found === undefined) return <Empty>{texts.request.missing}</Empty>;
  return (
    <div class="stack">
      <p>
        <a href={linkTo(request.id)}>{t.numbered(request.ordinal)}</a> →{' '}
        <a href={linkTo(found.id)}>{t.numbered(found.ordinal)}</a>
      </p>
      <h3>{t.replies}</h3>
      <Diff label={t.replies} before={replyText(request)} after={replyText(found)} />
      <h3>{t.calls}</h3>
      <Diff label={t.calls} before={callText(request)} after={callText(found)} />
    </div>
  );
};

/** They differ from one reply to the next. */
const everNew = ['x-request-id', 'x-gateway-trace-id', 'date'];

const replyText = ({ status, reply }: RecordedRequest): string =>
  toText(
    status === null ? texts.request.noReply : String(status),
    Object.entries(reply?.headers ?? {}).filter(([name]) => !everNew.includes(name)),
    reply?.body ?? null,
  );

const callText = (request: RecordedRequest): string =>
  toText(
    `${request.method} ${targetOf(request)}`,
    Object.entries(request.headers).filter(([name]) => !isOwnHeader(name)),
    request.body,
  );

const toText = (
  first: string,
  headers: readonly (readonly [string, string])[],
  body: string | null,
): string => {
  const value = tryParse(body ?? '', parseJson);
  const lines = headers.map((pair) => pair.join(': ')).sort();
  return [first, ...lines, value === undefined ? (body ?? '') : toJsonText(value, 2)].join('\n');
};

/** How many requests of each session are compared. */
const maxCompared = 1000;

/** The requests of this session and of another one, in order, and what has changed in both. */
export const SessionComparison = ({ route }: { readonly route: Route }) => {
  const other = route.query.with ?? '';
  const { value: names = [] } = useQuery('sessions', (control) => control.sessions.list());
  const { value } = useQuery(['sessions', other], async () => {
    if (other === '') return undefined;
    const there = openSession(other);
    // A list begins no session, and finds the world that the further calls are bound to.
    if (!(await there.sessions.list()).includes(other)) return undefined;
    const both = await Promise.all([control, there].map(readSession));
    return { before: both[0], after: both[1] };
  });
  return (
    <Card label={t.sessions}>
      <div class="stack">
        <Select
          label={t.with}
          value={other}
          options={[['', '–'], ...names.filter((name) => name !== session)]}
          set={(name) => go(toHash('requests', ['sessions'], { with: name }))}
        />
        {names.length < 2 && <Empty>{t.onlyOne}</Empty>}
        {value?.before && value.after && (
          <>
            <h2>{t.requestsOf(session, other)}</h2>
            <Diff label={texts.requests.title} before={value.before.requests} after={value.after.requests} />
            <h2>{t.changesOf(session, other)}</h2>
            <Diff label={texts.scenario.changes} before={value.before.changes} after={value.after.changes} />
          </>
        )}
      </div>
    </Card>
  );
};

const toValue = (value: unknown): string =>
  value === undefined ? texts.scenario.nothing : toJsonText(value);

const readSession = async ({ requests, state }: typeof control) => {
  const listed = await requests.list({}, { limit: maxCompared, bodies: false, kept: true });
  const changes = await state.changes();
  return {
    requests: listed
      .map((one) => `${one.method} ${targetOf(one)} → ${one.status ?? texts.request.noReply}`)
      .join('\n'),
    changes: changes.map(({ path, from, to }) => `${path}: ${toValue(from)} → ${toValue(to)}`).join('\n'),
  };
};
