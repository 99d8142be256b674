import { Group, Paper, Skeleton, Stack, Text, Title, Tooltip } from '@mantine/core';
import { useLayoutEffect } from 'react';
import type { RecordedWalk, WalkPage } from '../../../journal/walks.ts';
import type { ListId } from '../../../operations/ids.ts';
import { countOf, formatCount } from '../../format.ts';
import { type Route, toHash } from '../../route.ts';
import { Foreign, isolate, RecordLink } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

/** How many ids of a kind are written out. */
const maxIds = 20;

/** Where the records of each list are in the panel of data. */
const kinds: Readonly<Record<string, string>> = {
  listRuns: 'runs',
  listBatches: 'batches',
  listCheckpoints: 'checkpoints',
} satisfies Readonly<Record<ListId, string>>;

/** What a record is to a walk; the keys are the classes of the parts of a strip. */
const states = {
  seen: 'seen',
  repeated: 'repeated',
  missed: 'missed',
  come: 'created meanwhile',
} as const;

type State = keyof typeof states;

/** The walks of clients over lists, each as a strip. */
export const Walks = ({ route }: { readonly route: Route }) => {
  const { value: walks } = useQuery('walks', (own) => own.requests.walks());
  const { page } = route.query;
  const isKnown = walks !== undefined;
  useLayoutEffect(() => {
    const element = page === undefined ? null : document.getElementById(toElementId(page));
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }, [page, isKnown]);
  if (walks === undefined) return <Skeleton height={160} animate={false} />;
  if (walks.length === 0) return <Text c="dimmed">No client has fetched a list yet.</Text>;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          Each strip is one client that fetched the pages of a list. A tick begins a page. Records:
        </Text>
        {Object.entries(states).map(([state, text]) => (
          <Group key={state} gap={6} wrap="nowrap">
            <span className="walk-legend">
              <i className={state} />
            </span>
            <Text span size="sm" c="dimmed">
              {text}
            </Text>
          </Group>
        ))}
      </Group>
      {walks.map((walk) => (
        <Walk key={walk.pages[0]?.ordinal} walk={walk} page={page} />
      ))}
    </Stack>
  );
};

const toElementId = (page: string): string => `walk-page-${page}`;

const Walk = ({ walk, page }: { readonly walk: RecordedWalk; readonly page: string | undefined }) => {
  const { operation, params, client, pages, missed, come, stopped } = walk;
  const kind = kinds[operation] ?? '';
  const records = pages.flatMap((one) => one.records);
  const repeated = [...new Set(records.filter(({ state }) => state === 'repeated').map(({ id }) => id))];
  const fetched = new Set(records.map(({ id }) => id)).size;
  const owner = Object.values(params).join(' ');
  const name = owner === '' ? operation : `${operation} of ${owner}`;
  return (
    <Paper component="section" p="sm" aria-label={isolate(`${name}, from request ${pages[0]?.ordinal ?? 0}`)}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h5">
          <Foreign text={name} />
        </Title>
        <Text size="sm" className="numbers">
          {[
            `${formatCount(fetched)} of ${formatCount(fetched + missed.length)}`,
            countOf(pages.filter(({ has_more }) => has_more !== null).length, 'page'),
            missed.length > 0 && `${formatCount(missed.length)} missed`,
            repeated.length > 0 && `${formatCount(repeated.length)} repeated`,
            fetched > 0 && missed.length + repeated.length === 0 && 'each once',
          ]
            .filter(Boolean)
            .join(', ')}
        </Text>
      </Group>
      <div className="walk-strip" data-stopped={stopped}>
        {pages.map((one) => (
          <Tooltip key={one.ordinal} label={describe(one)} events={{ hover: true, focus: true, touch: true }}>
            <a
              id={toElementId(one.request)}
              href={toHash('requests', [one.request])}
              aria-label={describe(one)}
              aria-current={one.request === page}
              data-failed={one.has_more === null}
              style={{ flexGrow: one.records.length }}
            >
              <Runs of={one.records.map(({ state }) => state)} />
            </a>
          </Tooltip>
        ))}
        {missed.length + come.length > 0 && (
          <span
            role="img"
            aria-label={`${missed.length} missed, ${come.length} created meanwhile`}
            style={{ flexGrow: missed.length + come.length }}
          >
            <Runs of={[...missed.map(() => 'missed' as const), ...come.map(() => 'come' as const)]} />
          </span>
        )}
      </div>
      <Text size="sm" c="dimmed">
        By the client <Foreign text={client} />.{' '}
        {stopped ? 'It stopped at the last page.' : 'It has not fetched the last page yet.'}
      </Text>
      <Ids title={states.missed} ids={missed} kind={kind} />
      <Ids title={states.repeated} ids={repeated} kind={kind} />
      <Ids title={states.come} ids={come} kind={kind} />
    </Paper>
  );
};

/** What is on a page: `Request 3: 1 repeated, 19 seen, after batch_2`. */
const describe = ({ ordinal, status, cursor, records, faults }: WalkPage): string => {
  const counts = Object.entries(states).flatMap(([state, text]) => {
    const count = records.filter((one) => one.state === state).length;
    return count === 0 ? [] : [`${count} ${text}`];
  });
  const failure = status === 200 ? [] : [String(status ?? 'reset')];
  const content = counts.length === 0 ? ['no records'] : counts;
  const place = cursor === null ? 'first page' : `after ${cursor}`;
  return isolate(`Request ${ordinal}: ${[...failure, ...content, ...faults, place].join(', ')}`);
};

/** The records of a page; those that follow each other and are alike are one part. */
const Runs = ({ of: all }: { readonly of: readonly State[] }) => {
  const runs: { readonly state: State; count: number }[] = [];
  for (const state of all) {
    const last = runs.at(-1);
    if (last?.state === state) last.count += 1;
    else runs.push({ state, count: 1 });
  }
  return runs.map(({ state, count }, at) => <i key={at} className={state} style={{ flexGrow: count }} />);
};

interface IdsProps {
  readonly title: string;
  readonly ids: readonly string[];
  readonly kind: string;
}

const Ids = ({ title, ids, kind }: IdsProps) =>
  ids.length === 0 ? null : (
    <Text size="sm">
      {title}:{' '}
      {ids.slice(0, maxIds).map((id) => (
        <span key={id}>
          <RecordLink kind={kind} id={id} />{' '}
        </span>
      ))}
      {ids.length > maxIds && `and ${ids.length - maxIds} more`}
    </Text>
  );
