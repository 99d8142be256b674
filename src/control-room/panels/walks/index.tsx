import './walks.css';
import { Group, Paper, Skeleton, Stack, Text, Title, Tooltip } from '@mantine/core';
import { useLayoutEffect } from 'react';
import type { RecordedWalk, WalkPage } from '../../../core/journal/walks.ts';
import type { ListId } from '../../../core/operations/ids.ts';
import { toHash, useRoute } from '../../route.ts';
import { countOf, Foreign, formatCount, isolate, RecordLink } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

/** How many ids of a kind are written out. */
const maxIds = 20;

/** Where the records of each list are in the panel of data. */
const kinds: Readonly<Record<string, string>> = {
  listRuns: 'runs',
  listBatches: 'batches',
  listCheckpoints: 'checkpoints',
} satisfies Readonly<Record<ListId, string>>;

/** What happened to a record in a walk, and the look of its part of the strip. */
const states = {
  seen: { text: 'seen', look: 'plain' },
  repeated: { text: 'repeated', look: 'hatched' },
  missed: { text: 'missed', look: 'outlined' },
  added: { text: 'created meanwhile', look: 'dotted' },
} as const;

type State = keyof typeof states;

/** The walks of clients over lists, each as a strip. */
export const Panel = () => {
  const { value: walks } = useQuery('walks', (own) => own.requests.walks());
  const { page } = useRoute().query;
  const isKnown = walks !== undefined;
  useLayoutEffect(() => {
    const element = page === undefined ? null : document.getElementById(`walk-page-${page}`);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }, [page, isKnown]);
  if (walks === undefined) return <Skeleton />;
  if (walks.length === 0) return <Text c="dimmed">No client has fetched a list yet.</Text>;
  return (
    <Stack gap="sm">
      <Text c="dimmed">
        Each strip shows how one client fetched the pages of a list. A tick marks the start of a page.
        Records:{' '}
        {Object.values(states).map(({ text, look }) => (
          <span key={text} className="legend">
            <i className={look} /> {text}
          </span>
        ))}
      </Text>
      {walks.map((walk) => (
        <Walk key={walk.pages[0]?.ordinal} walk={walk} page={page} />
      ))}
    </Stack>
  );
};

const Walk = ({ walk, page }: { readonly walk: RecordedWalk; readonly page: string | undefined }) => {
  const { operation, params, client, pages, missed, added, stopped } = walk;
  const records = pages.flatMap((one) => one.records);
  const repeated = [...new Set(records.filter(({ state }) => state === 'repeated').map(({ id }) => id))];
  const fetched = new Set(records.map(({ id }) => id)).size;
  const failed = pages.filter(({ has_more }) => has_more === null).length;
  const name = [operation, ...Object.values(params)].join(' of ');
  const facts = [
    stopped
      ? `${formatCount(fetched)} of ${formatCount(fetched + missed.length)}`
      : `${formatCount(fetched)} so far`,
    countOf(pages.length - failed, 'page'),
    missed.length > 0 && `${formatCount(missed.length)} missed`,
    repeated.length > 0 && `${formatCount(repeated.length)} repeated`,
    fetched > 0 && missed.length + repeated.length === 0 && 'each once',
    failed > 0 && `${formatCount(failed)} failed`,
  ];
  return (
    <Paper component="section" p="sm" aria-label={isolate(`${name}, from request ${pages[0]?.ordinal ?? 0}`)}>
      <Group justify="space-between" gap="xs">
        <Title order={2} className="wrap">
          <Foreign text={name} />
        </Title>
        <Text>{facts.filter(Boolean).join(', ')}</Text>
      </Group>
      <div className="walk-strip" data-stopped={stopped}>
        {pages.map((one) => (
          <Tooltip key={one.ordinal} label={describe(one)} events={{ hover: true, focus: true, touch: true }}>
            <a
              id={`walk-page-${one.ordinal}`}
              href={toHash('requests', [String(one.ordinal)])}
              aria-label={describe(one)}
              aria-current={String(one.ordinal) === page}
              data-failed={one.has_more === null}
              style={{ flexGrow: one.records.length }}
            >
              <Parts of={one.records.map(({ state }) => state)} />
            </a>
          </Tooltip>
        ))}
        {missed.length + added.length > 0 && (
          <span
            role="img"
            aria-label={`${missed.length} missed, ${added.length} created meanwhile`}
            style={{ flexGrow: missed.length + added.length }}
          >
            <Parts of={[...missed.map(() => 'missed' as const), ...added.map(() => 'added' as const)]} />
          </span>
        )}
      </div>
      <Text c="dimmed">
        By <Foreign text={describeClient(client)} />.{' '}
        {stopped ? 'It stopped at the last page.' : 'It has not fetched the last page yet.'}
      </Text>
      {Object.entries({ missed, repeated, added }).map(
        ([state, ids]) =>
          ids.length > 0 && (
            <Text key={state}>
              {states[state as State].text}:{' '}
              {ids.slice(0, maxIds).map((id) => (
                <span key={id}>
                  <RecordLink kind={kinds[operation] ?? ''} id={id} />{' '}
                </span>
              ))}
              {ids.length > maxIds && `and ${ids.length - maxIds} more`}
            </Text>
          ),
      )}
    </Paper>
  );
};

/** Its name, and its key if more than the mask is known of it: `***1234 node`. */
const describeClient = (client: string): string => {
  const [, key = '', agent = client] = /^(\*{3}\S*) ?(.*)$/s.exec(client) ?? [];
  return `${agent || 'a client without a name'}${key.length > 3 ? `, with the key ${key}` : ''}`;
};

/** What is on a page: `Request 3: 1 repeated, 19 seen, after batch_2`. */
const describe = ({ ordinal, status, cursor, records, faults }: WalkPage): string => {
  const counts = Object.entries(states).flatMap(([state, { text }]) => {
    const count = records.filter((one) => one.state === state).length;
    return count === 0 ? [] : [`${count} ${text}`];
  });
  const failure = status === 200 ? [] : [String(status ?? 'reset')];
  const content = counts.length === 0 ? ['no records'] : counts;
  const place = cursor === null ? 'first page' : `after ${cursor}`;
  return isolate(`Request ${ordinal}: ${[...failure, ...content, ...faults, place].join(', ')}`);
};

/** The records of a page; those that follow each other and are alike are one part. */
const Parts = ({ of: all }: { readonly of: readonly State[] }) => {
  const parts: { readonly state: State; count: number }[] = [];
  for (const state of all) {
    const last = parts.at(-1);
    if (last?.state === state) last.count += 1;
    else parts.push({ state, count: 1 });
  }
  return parts.map(({ state, count }, at) => (
    <i key={at} className={states[state].look} style={{ flexGrow: count }} />
  ));
};
