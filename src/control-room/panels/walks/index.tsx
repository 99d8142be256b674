import './walks.css';
import { Anchor, Badge, Box, Flex, Group, Paper, Portal, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useLayoutEffect } from 'react';
import type { RecordedWalk, WalkPage } from '../../../core/journal/walks.ts';
import type { ListId } from '../../../core/operations/ids.ts';
import { Loading, Note, Row } from '../../parts.tsx';
import { toHash, useRoute } from '../../route.ts';
import { countOf, Foreign, formatCount, isolate, RecordLink, Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { Callout } from '../requests/callouts.tsx';
import type { Tone } from '../requests/status.tsx';
import { describeAgent } from '../requests/texts.ts';

/** How many ids of a kind are written out. */
const maxIds = 20;

/** Where the records of each list are in the panel of data. */
const kindOfList: Readonly<Record<string, string>> = {
  listRuns: 'runs',
  listBatches: 'batches',
  listCheckpoints: 'checkpoints',
} satisfies Readonly<Record<ListId, string>>;

/** What happened to a record in a walk: the word for its part of the strip, which the CSS draws. */
const states = { seen: 'seen', repeated: 'repeated', missed: 'missed', added: 'created meanwhile' } as const;

type State = keyof typeof states;

/** The walks of clients over lists, each as a strip: complete ones first, then those in progress, then polls. */
export const Panel = () => {
  const { value: walks } = useQuery('walks', (own) => own.requests.walks());
  const { page } = useRoute().query;
  const isLoaded = walks !== undefined;
  useLayoutEffect(() => {
    const element = page === undefined ? null : document.getElementById(`walk-page-${page}`);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }, [page, isLoaded]);
  if (walks === undefined) return <Loading />;
  if (walks.length === 0) return <Text c="dimmed">No client has fetched a list yet.</Text>;
  const rank = (walk: RecordedWalk): number => (isPoll(walk) ? 2 : walk.stopped ? 0 : 1);
  return (
    <>
      <Portal target="#panel-tools">
        {Object.entries(states).map(([state, word]) => (
          <span key={state}>
            <Box component="i" display="inline-block" w={10} h={10} data-record={state} /> {word}
          </span>
        ))}
      </Portal>
      <Paper p={0}>
        {walks
          .toSorted((a, b) => rank(a) - rank(b))
          .map((walk) => {
            const Line = isPoll(walk) ? Poll : Walk;
            return <Line key={walk.pages[0]?.ordinal} walk={walk} />;
          })}
      </Paper>
      <Note mt="sm">
        <Rich text="The newest 20 walks beyond a first page are kept. In a test: `requests.walks()`." />
      </Note>
    </>
  );
};

/** Whether only the first page was fetched. */
const isPoll = ({ pages }: RecordedWalk): boolean => pages.every(({ cursor }) => cursor === null);

const nameOf = ({ operation, params }: RecordedWalk): string =>
  [operation, ...Object.values(params)].join(' of ');

const Poll = ({ walk }: { readonly walk: RecordedWalk }) => (
  <Row
    component="section"
    aria-label={isolate(`Single pages of ${nameOf(walk)}`)}
    name={<Badge color="gray">single pages</Badge>}
  >
    <Anchor inherit underline="always" href={toHash('requests', [], { q: `op:${walk.operation}` })}>
      {formatCount(walk.times)} of <Foreign text={nameOf(walk)} />
    </Anchor>{' '}
    <span className="dimmed">
      by <Foreign text={describeClient(walk.client)} />
      {walk.times > 1 && ': a poll, not a walk'}
    </span>
  </Row>
);

const Walk = ({ walk }: { readonly walk: RecordedWalk }) => {
  const { operation, client, pages, missed, added, stopped } = walk;
  const failed = pages.filter(({ has_more }) => has_more === null).length;
  const records = pages.flatMap((page) => page.records);
  const fetched = new Set(records.map(({ id }) => id)).size;
  const repeated = [...new Set(records.filter(({ state }) => state === 'repeated').map(({ id }) => id))];
  return (
    <Row
      component="section"
      aria-label={isolate(`${nameOf(walk)}, from request ${pages[0]?.ordinal ?? 0}`)}
      align="flex-start"
      py="sm"
      wrap="wrap"
      name={
        <Box w={148}>
          {stopped && missed.length + repeated.length === 0 && (
            <Badge color="teal">complete, each once</Badge>
          )}
          {missed.length > 0 && <Badge color="red">{formatCount(missed.length)} missed</Badge>}{' '}
          {repeated.length > 0 && <Badge color="orange">{formatCount(repeated.length)} repeated</Badge>}{' '}
          {!stopped && <Badge color="blue">in progress</Badge>}
          <Note mt={4}>
            {countOf(pages.length - failed, 'page')}
            {failed > 0 && `, ${formatCount(failed)} failed`}
          </Note>
        </Box>
      }
    >
      <Group justify="space-between" gap="xs">
        <Title order={2} className="wrap">
          <Foreign text={nameOf(walk)} />{' '}
          <span className="dimmed">
            <Foreign text={describeClient(client)} />
          </span>
        </Title>
        <Text>
          <b>{formatCount(fetched)}</b>{' '}
          {stopped ? `of ${formatCount(fetched + missed.length)} records` : 'records so far'}
        </Text>
      </Group>
      <Strip walk={walk} />
      <ul className="plain-list">
        <Records tone="bad" what="On no page" operation={operation} ids={missed} />
        <Records tone="warn" what="On several pages" operation={operation} ids={repeated} />
        <Records tone="info" what="Created meanwhile" operation={operation} ids={added} />
      </ul>
    </Row>
  );
};

interface RecordsProps {
  readonly tone: Tone;
  readonly what: string;
  readonly operation: string;
  readonly ids: readonly string[];
}

/** The records that something happened to, if there are any. */
const Records = ({ tone, what, operation, ids }: RecordsProps) =>
  ids.length > 0 && (
    <Callout tone={tone} Icon={IconAlertTriangle}>
      {what}:{' '}
      {ids.slice(0, maxIds).map((id) => (
        <span key={id}>
          <RecordLink kind={kindOfList[operation] ?? ''} id={id} />{' '}
        </span>
      ))}
      {ids.length > maxIds && `and ${ids.length - maxIds} more`}
    </Callout>
  );

/** The pages as links, and the records that were on none. */
const Strip = ({ walk: { pages, missed, added } }: { readonly walk: RecordedWalk }) => {
  const { page } = useRoute().query;
  return (
    <Flex className="strip" gap={1} h={12} my={6}>
      {pages.map((walkPage) => (
        <Box
          key={walkPage.ordinal}
          component="a"
          title={describe(walkPage)}
          id={`walk-page-${walkPage.ordinal}`}
          href={toHash('requests', [String(walkPage.ordinal)])}
          aria-label={describe(walkPage)}
          aria-current={String(walkPage.ordinal) === page}
          display="flex"
          flex={`${walkPage.records.length} 1 3px`}
          bg={walkPage.has_more === null ? 'var(--idle-fill)' : 'none'}
        >
          <Parts of={walkPage.records.map(({ state }) => state)} />
        </Box>
      ))}
      <Parts of={[...missed.map(() => 'missed' as const), ...added.map(() => 'added' as const)]} />
    </Flex>
  );
};

/** Its name, and its key if more than the mask is known of it: `***1234 node`. */
const describeClient = (client: string): string => {
  const [, key = '', agent = client] = /^(\*{3}\S*) ?(.*)$/s.exec(client) ?? [];
  return `${describeAgent(agent)}${key.length > 3 ? `, with the key ${key}` : ''}`;
};

/** What is on a page: `Request 3: 1 repeated, 19 seen, after batch_2`. */
const describe = ({ ordinal, status, cursor, records, faults }: WalkPage): string => {
  const counts = Object.entries(states).flatMap(([state, word]) => {
    const count = records.filter((record) => record.state === state).length;
    return count === 0 ? [] : [`${count} ${word}`];
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
  return parts.map(({ state, count }, at) => <i key={at} data-record={state} style={{ flex: count }} />);
};
