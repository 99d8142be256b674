import './walks.css';
import { Anchor, Badge, Box, Flex, Group, Paper, Portal, Text, Title, Tooltip } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect } from 'react';
import type { RecordedWalk, WalkPage } from '../../../core/journal/walks.ts';
import type { ListId } from '../../../core/operations/ids.ts';
import { Loading } from '../../parts.tsx';
import { toHash, useRoute } from '../../route.ts';
import { countOf, Foreign, formatCount, isolate, RecordLink, Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { Callout } from '../requests/callouts.tsx';
import { describeAgent } from '../requests/texts.ts';

/** How many ids of a kind are written out. */
const maxIds = 20;

/** Where the records of each list are in the panel of data. */
const kinds: Readonly<Record<string, string>> = {
  listRuns: 'runs',
  listBatches: 'batches',
  listCheckpoints: 'checkpoints',
} satisfies Readonly<Record<ListId, string>>;

/** What happened to a record in a walk: the word of its part of the strip, whose look is in the CSS. */
const states = { seen: 'seen', repeated: 'repeated', missed: 'missed', added: 'created meanwhile' } as const;

type State = keyof typeof states;

/** The walks of clients over lists, each as a strip: complete ones first, then those that go on, then polls. */
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
          <span key={state} className="legend">
            <i data-record={state} /> {word}
          </span>
        ))}
      </Portal>
      <Paper p={0}>
        {walks
          .toSorted((a, b) => rank(a) - rank(b))
          .map((walk) =>
            isPoll(walk) ? (
              <Poll key={walk.pages[0]?.ordinal} walk={walk} />
            ) : (
              <Walk key={walk.pages[0]?.ordinal} walk={walk} page={page} />
            ),
          )}
      </Paper>
      <Text c="dimmed" size="xs" mt="sm">
        <Rich text="The newest 20 walks beyond a first page are kept. In a test: `requests.walks()`." />
      </Text>
    </>
  );
};

/** Whether only the first page was fetched. */
const isPoll = ({ pages }: RecordedWalk): boolean => pages.every(({ cursor }) => cursor === null);

const nameOf = ({ operation, params }: RecordedWalk): string =>
  [operation, ...Object.values(params)].join(' of ');

interface LineProps {
  readonly label: string;
  /** What is shown on the left. */
  readonly side: ReactNode;
  readonly children: ReactNode;
}

const Line = ({ label, side, children }: LineProps) => (
  <Flex
    component="section"
    aria-label={isolate(label)}
    className="row"
    gap="xs"
    p="12px 16px"
    direction={{ base: 'column', sm: 'row' }}
  >
    <Box w={148}>{side}</Box>
    <Box flex={1} className="wrap">
      {children}
    </Box>
  </Flex>
);

const Poll = ({ walk }: { readonly walk: RecordedWalk }) => (
  <Line label={`Single pages of ${nameOf(walk)}`} side={<Badge color="gray">single pages</Badge>}>
    <Anchor inherit underline="always" href={toHash('requests', [], { q: `op:${walk.operation}` })}>
      {formatCount(walk.times)} of <Foreign text={nameOf(walk)} />
    </Anchor>{' '}
    <span className="dimmed">
      by <Foreign text={describeClient(walk.client)} />
      {walk.times > 1 && ': a poll, not a walk'}
    </span>
  </Line>
);

const Walk = ({ walk, page }: { readonly walk: RecordedWalk; readonly page: string | undefined }) => {
  const { operation, client, pages, missed, added, stopped } = walk;
  const records = pages.flatMap((walkPage) => walkPage.records);
  const repeated = [...new Set(records.filter(({ state }) => state === 'repeated').map(({ id }) => id))];
  const fetched = new Set(records.map(({ id }) => id)).size;
  const failed = pages.filter(({ has_more }) => has_more === null).length;
  const verdicts = [
    missed.length > 0 && { text: `${formatCount(missed.length)} missed`, color: 'red' },
    repeated.length > 0 && { text: `${formatCount(repeated.length)} repeated`, color: 'orange' },
    !stopped && { text: 'in progress', color: 'blue' },
  ].filter((verdict) => verdict !== false);
  const ids = (list: readonly string[]) => (
    <>
      {list.slice(0, maxIds).map((id) => (
        <span key={id}>
          <RecordLink kind={kinds[operation] ?? ''} id={id} />{' '}
        </span>
      ))}
      {list.length > maxIds && `and ${list.length - maxIds} more`}
    </>
  );
  return (
    <Line
      label={`${nameOf(walk)}, from request ${pages[0]?.ordinal ?? 0}`}
      side={
        <>
          {(verdicts.length > 0 ? verdicts : [{ text: 'complete, each once', color: 'teal' }]).map(
            ({ text, color }) => (
              <Badge key={text} color={color} mr={4}>
                {text}
              </Badge>
            ),
          )}
          <Text size="xs" c="dimmed" mt={4}>
            {countOf(pages.length - failed, 'page')}
            {failed > 0 && `, ${formatCount(failed)} failed`}
          </Text>
        </>
      }
    >
      <Group justify="space-between" gap="xs">
        <Title order={2} className="wrap">
          <Foreign text={nameOf(walk)} />{' '}
          <Text span c="dimmed">
            <Foreign text={describeClient(client)} />
          </Text>
        </Title>
        <Text>
          <b>{formatCount(fetched)}</b>{' '}
          {stopped ? `of ${formatCount(fetched + missed.length)} records` : 'records so far'}
        </Text>
      </Group>
      <Flex className="strip" gap={1} h={12} my={6}>
        {pages.map((walkPage) => (
          <Tooltip
            key={walkPage.ordinal}
            label={describe(walkPage)}
            events={{ hover: true, focus: true, touch: true }}
          >
            <Box
              component="a"
              id={`walk-page-${walkPage.ordinal}`}
              href={toHash('requests', [String(walkPage.ordinal)])}
              aria-label={describe(walkPage)}
              aria-current={String(walkPage.ordinal) === page}
              flex={`${walkPage.records.length} 1 3px`}
              bg={walkPage.has_more === null ? 'var(--idle-fill)' : 'none'}
            >
              <Parts of={walkPage.records.map(({ state }) => state)} />
            </Box>
          </Tooltip>
        ))}
        <Parts of={[...missed.map(() => 'missed' as const), ...added.map(() => 'added' as const)]} />
      </Flex>
      <ul className="plain-list">
        {missed.length > 0 && (
          <Callout tone="bad" Icon={IconAlertTriangle}>
            On no page: {ids(missed)}
          </Callout>
        )}
        {repeated.length > 0 && (
          <Callout tone="warn" Icon={IconAlertTriangle}>
            On several pages: {ids(repeated)}
          </Callout>
        )}
        {added.length > 0 && (
          <Text component="li" size="xs" c="dimmed">
            Created meanwhile: {ids(added)}
          </Text>
        )}
      </ul>
    </Line>
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
