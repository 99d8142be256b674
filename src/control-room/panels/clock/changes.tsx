import { Badge, Group } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { SessionChange } from '../../../control/history.ts';
import type { StatusHistory } from '../../../control/status-histories.ts';
import { Action } from '../../act.tsx';
import { Line, Lines, Section } from '../../parts.tsx';
import { colorOf, countOf, Foreign, formatSpan, formatTime, isolate, RecordLink } from '../../text.tsx';
import { goTo } from './commands.ts';
import { type Change, listChanged, listComing, maxHistories, titleOf } from './spans.ts';

interface ChangesProps {
  readonly histories: readonly StatusHistory[];
  readonly now: number;
}

/** The next changes, each with a button that moves the clock there. `upcoming` is the time of the first one. */
export const Coming = ({
  histories,
  now,
  upcoming = now,
}: ChangesProps & { readonly upcoming: number | undefined }) => {
  const coming: { readonly at: number; readonly change?: Change }[] = listComing(histories, now).map(
    (change) => ({ at: change.at, change }),
  );
  // The next change may also be a record that appears.
  if (upcoming > now && upcoming < (coming[0]?.at ?? Infinity)) coming.unshift({ at: upcoming });
  return (
    <Section
      title="What changes next"
      note={coming.length === 0 && 'No further changes. Go back in time, or load another scenario.'}
    >
      <Lines label="What changes next" first={6}>
        {coming.map(({ at, change }, index) => (
          // By its place, so that the focus stays on the button when the first change is no longer listed.
          <ChangeLine
            key={index}
            when={`in ${formatSpan(Math.ceil(at - now))}`}
            at={at}
            change={change}
            action={
              <Action
                {...goTo(at)}
                aria-label={`Go here: ${change ? isolate(`${change.history.id} becomes ${change.states.at(-1)}`) : 'a record appears'}`}
              >
                Go here
              </Action>
            }
          />
        ))}
      </Lines>
    </Section>
  );
};

/** What the last move of the clock has changed, by the history of the session. */
export const Changed = ({
  histories,
  now,
  changes,
}: ChangesProps & { readonly changes: readonly SessionChange[] }) => {
  const before = lastMoveOf(changes);
  if (before === undefined)
    return <Section title="What changed" note="Move the clock to see here what that changes." />;
  const changed = listChanged(histories, before, now);
  const span = formatSpan(now - before);
  const limit = `Of the ${maxHistories} records that change next or changed last.`;
  return (
    <Section
      title="What changed"
      note={`${countOf(changed.length, 'record')}, ${now < before ? `${span} back` : `in ${span}`} from ${formatTime(Math.floor(before))}. ${histories.length < maxHistories ? '' : limit}`}
    >
      <Lines label="What changed" first={6}>
        {changed.map((change) => (
          <ChangeLine
            key={change.history.id}
            when={formatTime(change.at).slice(11)}
            at={change.at}
            change={change}
          />
        ))}
      </Lines>
    </Section>
  );
};

/** The time before the last move of the clock; undefined if there was none since the world was replaced. */
const lastMoveOf = (changes: readonly SessionChange[]): number | undefined => {
  const last = changes.findLast(({ what }) =>
    /^(?:clock\.(?:advance|set|next|run)|reset|scenario\..*|state\..*)$/.test(what),
  );
  return last?.what.startsWith('clock.') ? Date.parse(last.at) / 1000 : undefined;
};

interface ChangeLineProps {
  readonly when: string;
  readonly at: number;
  /** Undefined if a record appears. */
  readonly change: Change | undefined;
  readonly action?: ReactNode;
}

const ChangeLine = ({ when, at, change, action }: ChangeLineProps) => (
  <Line actions={action}>
    <Group gap="2px 12px">
      <time title={formatTime(at)} dateTime={new Date(at * 1000).toISOString()} className="dimmed numbers">
        {when}
      </time>
      {change === undefined ? (
        'a record appears'
      ) : (
        <RecordLink
          kind={change.history.kind}
          id={change.history.id}
          title={isolate(titleOf(change.history))}
        />
      )}
    </Group>
    <Group gap={4} mt={2}>
      {change?.states.map((status, index) => (
        <Group key={index} gap={4} wrap="nowrap">
          {index > 0 && <IconArrowRight size={14} aria-label="then" />}
          {status === undefined ? <Badge color="gray">not created</Badge> : <Status status={status} />}
        </Group>
      ))}
    </Group>
  </Line>
);

/** The status of a record. */
export const Status = ({ status }: { readonly status: string }) => (
  <Badge color={colorOf(status)}>
    <Foreign text={status} />
  </Badge>
);
