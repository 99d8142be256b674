import { Badge, Group } from '@mantine/core';
import { IconArrowRight, IconPlayerSkipForward } from '@tabler/icons-react';
import type { SessionChange } from '../../../service/control/history.ts';
import type { StatusHistory } from '../../../service/control/status-histories.ts';
import type { Command } from '../../commands.ts';
import { Lines, Section, Status } from '../../parts.tsx';
import { countOf, formatSpan, formatTime, isolate, RecordLink } from '../../text.tsx';
import { goTo } from './commands.ts';
import { type Change, listChanged, listComing, maxHistories, titleOf } from './spans.ts';

interface ChangesProps {
  readonly histories: readonly StatusHistory[];
  readonly now: number;
}

/** A change that is to come; without a history if a record appears. */
type ComingChange = Partial<Change> & Pick<Change, 'at'>;

/** The next changes, each with a button that moves the clock there. `upcoming` is the time of the first one. */
export const Coming = ({
  histories,
  now,
  upcoming = now,
}: ChangesProps & { readonly upcoming: number | undefined }) => {
  const coming: ComingChange[] = listComing(histories, now);
  // The next change may also be a record that appears.
  if (upcoming > now && upcoming < (coming[0]?.at ?? Infinity)) coming.unshift({ at: upcoming });
  const commandsOf = ({ at, history, states }: ComingChange): readonly Command[] => [
    {
      name: `Go here: ${history ? `${history.id} becomes ${states?.at(-1)}` : 'a record appears'}`,
      text: 'Go here',
      Icon: IconPlayerSkipForward,
      ...goTo(at),
    },
  ];
  return (
    <Section
      title="What changes next"
      note={coming.length === 0 && 'No further changes. Go back in time, or load another scenario.'}
    >
      <Lines label="What changes next" first={6} of={coming} commandsOf={commandsOf}>
        {(change) => <ChangeLine change={change} when={`in ${formatSpan(Math.ceil(change.at - now))}`} />}
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
    return <Section title="What changed" note="Move the clock to see what that changes." />;
  const changed = listChanged(histories, before, now);
  const span = formatSpan(now - before);
  const limit = `Of the ${maxHistories} records that change next or changed last.`;
  return (
    <Section
      title="What changed"
      note={`${countOf(changed.length, 'record')}, ${now < before ? `${span} back` : `in ${span}`} from ${formatTime(Math.floor(before))}. ${histories.length < maxHistories ? '' : limit}`}
    >
      <Lines label="What changed" first={6} of={changed}>
        {(change) => <ChangeLine change={change} when={formatTime(change.at).slice(11)} />}
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

const ChangeLine = ({ change, when }: { readonly change: ComingChange; readonly when: string }) => (
  <>
    <Group gap="2px 12px">
      <time
        title={formatTime(change.at)}
        dateTime={new Date(change.at * 1000).toISOString()}
        className="dimmed"
      >
        {when}
      </time>
      {change.history ? (
        <RecordLink
          kind={change.history.kind}
          id={change.history.id}
          title={isolate(titleOf(change.history))}
        />
      ) : (
        'a record appears'
      )}
    </Group>
    <Group gap={4} mt={2}>
      {change.states?.map((status, index) => (
        <Group key={index} gap={4} wrap="nowrap">
          {index > 0 && <IconArrowRight size={14} aria-label="then" />}
          {status === undefined ? <Badge color="gray">not created</Badge> : <Status status={status} />}
        </Group>
      ))}
    </Group>
  </>
);
