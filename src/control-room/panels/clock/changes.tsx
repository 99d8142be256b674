import { IconPlayerSkipForward } from '@tabler/icons-react';
import type { SessionChange } from '../../../service/control/history.ts';
import type { StatusHistory } from '../../../service/control/status-histories.ts';
import type { Command } from '../../commands.ts';
import { Lines, Section } from '../../parts.tsx';
import { countOf, Foreign, formatSpan, formatTime, isolate, RecordLink } from '../../text.tsx';
import type { Now } from '../../use-clock.ts';
import { goTo } from './commands.ts';
import { type Change, listChanged, listComing, maxHistories, titleOf } from './spans.ts';

/** A change that is to come; without a history if a record appears. */
type ComingChange = Partial<Change> & Pick<Change, 'at'>;

interface ComingProps {
  readonly histories: readonly StatusHistory[];
  readonly now: number;
  /** The time of the first one. */
  readonly upcoming: number | undefined;
}

/** The next changes, each with a button that moves the clock there. */
export const Coming = ({ histories, now, upcoming = now }: ComingProps) => {
  const coming: ComingChange[] = listComing(histories, now);
  // The next change may also be a record that appears.
  if (upcoming > now && upcoming < (coming[0]?.at ?? Infinity)) coming.unshift({ at: upcoming });
  const commandsOf = ({ at, history, states }: ComingChange): readonly Command[] => [
    {
      name: `Go here: ${history ? `${history.id} becomes ${states?.at(-1)}` : 'a record appears'}`,
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

interface ChangedProps {
  readonly histories: readonly StatusHistory[];
  readonly now: Now;
  /** The history of the session. */
  readonly changes: readonly SessionChange[];
}

/** What the last move of the clock has changed; while the clock runs, what changed in the last minute of real time. */
export const Changed = ({ histories, now: { seconds, speed }, changes }: ChangedProps) => {
  const before = speed > 0 ? seconds - 60 * speed : lastMoveOf(changes);
  if (before === undefined)
    return <Section title="What changed" note="Move the clock to see what that changes." />;
  const changed = listChanged(histories, before, seconds);
  const span = formatSpan(seconds - before);
  const from = speed > 0 ? '' : ` from ${formatTime(Math.floor(before))}`;
  const limit =
    histories.length < maxHistories
      ? ''
      : ` Of the ${maxHistories} records that change next or changed last.`;
  return (
    <Section
      title="What changed"
      note={`${countOf(changed.length, 'record')}, ${seconds < before ? `${span} back` : `in ${span}`}${from}.${limit}`}
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

const ChangeLine = ({ change, when }: { readonly change: ComingChange; readonly when: string }) => {
  const { at, history, states = [] } = change;
  const ends = states.length > 2 ? [states[0], '…', states.at(-1)] : states;
  return (
    <>
      <time title={formatTime(at)} dateTime={new Date(at * 1000).toISOString()}>
        {when}
      </time>{' '}
      {history ? (
        <RecordLink kind={history.kind} id={history.id} title={isolate(titleOf(history))} />
      ) : (
        'a record appears'
      )}
      <div className="dimmed">
        <Foreign text={ends.map((status) => status ?? 'not created').join(' → ')} />
      </div>
    </>
  );
};
