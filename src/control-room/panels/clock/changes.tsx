import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { SessionChange } from '../../../control/history.ts';
import type { StatusHistory } from '../../../control/status-histories.ts';
import { countOf, formatSpan, formatTime } from '../../format.ts';
import { isolate, RecordLink } from '../../text.tsx';
import { type Change, listChanged, listComing, maxHistories, titleOf } from './histories.ts';
import { GoTo } from './move.tsx';
import { Status } from './status.tsx';

interface ChangesProps {
  readonly histories: readonly StatusHistory[];
  readonly now: number;
}

/** The next changes, each with a button that moves the clock there. */
export const Coming = ({
  histories,
  now,
  upcoming,
}: ChangesProps & {
  /** The time of the next change. */
  readonly upcoming: number | undefined;
}) => {
  const coming = listComing(histories, now);
  const isAppearing = upcoming !== undefined && upcoming > now && upcoming < (coming[0]?.at ?? Infinity);
  return (
    <ChangeList
      title="What changes next"
      empty={upcoming === undefined && 'No further changes. Go back in time, or load another scenario.'}
    >
      {isAppearing && (
        <Row
          key="appears"
          when={`in ${formatSpan(Math.ceil(upcoming - now))}`}
          at={upcoming}
          action={<GoTo at={upcoming} what="a record appears" />}
        >
          <Text size="sm">a record appears</Text>
        </Row>
      )}
      {coming.map((change, index) => (
        // By its place, so that the focus stays on the button when the first change is no longer listed.
        <Row
          key={index}
          when={`in ${formatSpan(Math.ceil(change.at - now))}`}
          at={change.at}
          action={<GoTo at={change.at} what={`${change.history.id} becomes ${change.states.at(-1)}`} />}
        >
          <States change={change} />
        </Row>
      ))}
    </ChangeList>
  );
};

/** What the last move of the clock has changed. */
export const Changed = ({
  histories,
  now,
  changes,
}: ChangesProps & {
  /** The history of the session. */
  readonly changes: readonly SessionChange[];
}) => {
  const before = lastMoveOf(changes);
  const changed = before === undefined ? [] : listChanged(histories, before, now);
  const span = formatSpan(now - (before ?? now));
  return (
    <ChangeList
      title="What changed"
      note={
        before !== undefined &&
        `${countOf(changed.length, 'record')}, ${now < before ? `${span} back` : `in ${span}`} from ${formatTime(Math.floor(before))}. ${
          histories.length < maxHistories
            ? ''
            : `Of the ${maxHistories} records that change next or changed last.`
        }`
      }
      empty={
        before === undefined
          ? 'Move the clock to see here what that changes.'
          : 'No run or batch changed in this time.'
      }
    >
      {changed.map((change) => (
        <Row key={change.history.id} when={formatTime(change.at).slice(11)} at={change.at}>
          <States change={change} />
        </Row>
      ))}
    </ChangeList>
  );
};

/** The time before the last move of the clock; undefined if there was none since the world was replaced. */
const lastMoveOf = (changes: readonly SessionChange[]): number | undefined => {
  const last = changes.findLast(({ what }) =>
    /^(?:clock\.(?:advance|set|next|run)|reset|scenario\..*|state\..*)$/.test(what),
  );
  return last?.what.startsWith('clock.') ? Date.parse(last.at) / 1000 : undefined;
};

/** How many are shown at first. */
const shownFirst = 6;

interface ChangeListProps {
  readonly title: string;
  readonly note?: ReactNode;
  /** What is shown if there are none. */
  readonly empty: ReactNode;
  readonly children: readonly ReactNode[];
}

const ChangeList = ({ title, note, empty, children }: ChangeListProps) => {
  const [isWhole, setWhole] = useState(false);
  const rows = children.flat().filter(Boolean);
  return (
    <Paper component="section" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {note && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
      {rows.length === 0 && empty && (
        <Text size="sm" c="dimmed" mt="xs">
          {empty}
        </Text>
      )}
      <ol className="plain-list clock-changes" data-whole={isWhole || undefined}>
        {isWhole ? rows : rows.slice(0, shownFirst)}
      </ol>
      {rows.length > shownFirst && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          aria-expanded={isWhole}
          aria-label={`${isWhole ? 'Show less' : `Show all ${rows.length}`}: ${title}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all ${rows.length}`}
        </Button>
      )}
    </Paper>
  );
};

interface RowProps {
  readonly when: string;
  readonly at: number;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

const Row = ({ when, at, action, children }: RowProps) => (
  <li>
    <time dateTime={new Date(at * 1000).toISOString()} title={formatTime(at)}>
      {when}
    </time>
    {children}
    {action}
  </li>
);

const States = ({ change: { history, states } }: { readonly change: Change }) => (
  <Stack gap={2} className="wrap">
    <RecordLink kind={history.kind} id={history.id} title={isolate(titleOf(history))} />
    <Group gap={4}>
      {states.map((status, at) => (
        <Group key={at} gap={4} wrap="nowrap">
          {at > 0 && <IconArrowRight size={14} aria-label="then" />}
          {status === undefined ? <Badge color="gray">not created</Badge> : <Status status={status} />}
        </Group>
      ))}
    </Group>
  </Stack>
);
