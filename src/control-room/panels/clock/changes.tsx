import { IconPlayerSkipForward } from '@tabler/icons-react';
import type { StatusHistory } from '../../../service/control/status-histories.ts';
import { Lines, Section } from '../../parts.tsx';
import { Foreign, formatSpan, formatTime, isolate, RecordLink } from '../../text.tsx';
import { goTo } from './commands.ts';
import { type Change, listChanges, titleOf } from './spans.ts';

/** How many changes are listed at most. */
const maxListed = 100;

interface ChangesProps {
  readonly histories: readonly StatusHistory[];
  readonly now: number;
  /** The time of the next change of the session, which may also be a record that appears. */
  readonly upcoming: string | undefined;
}

/** The next changes, each with a button that moves the clock there, and the last ones. */
export const Changes = ({ histories, now, upcoming = '' }: ChangesProps) => {
  const changes = listChanges(histories);
  const last = changes.filter(({ at }) => at <= now).reverse();
  const next: SomeChange[] = changes.filter(({ at }) => at > now);
  const at = Date.parse(upcoming) / 1000;
  if (at > now && at < (next[0]?.at ?? Infinity)) next.unshift({ at });
  return (
    <>
      <Section
        title="What changes next"
        note={next.length === 0 && 'No further changes. Go back in time, or load another scenario.'}
      >
        <Lines
          label="What changes next"
          first={6}
          of={next.slice(0, maxListed)}
          commandsOf={({ at, history, to }) => [
            {
              name: `Go here: ${history ? `${history.id} becomes ${to}` : 'a record appears'}`,
              Icon: IconPlayerSkipForward,
              ...goTo(at),
            },
          ]}
        >
          {(change) => <ChangeLine change={change} when={`in ${formatSpan(Math.ceil(change.at - now))}`} />}
        </Lines>
      </Section>
      <Section title="What changed" note={last.length === 0 && 'Nothing has changed so far.'}>
        <Lines label="What changed" first={6} of={last.slice(0, maxListed)}>
          {(change) => <ChangeLine change={change} when={`${formatSpan(now - change.at)} ago`} />}
        </Lines>
      </Section>
    </>
  );
};

/** Without a history if some record appears. */
type SomeChange = Partial<Change> & Pick<Change, 'at'>;

interface ChangeLineProps {
  readonly change: SomeChange;
  readonly when: string;
}

const ChangeLine = ({ change: { at, history, from, to }, when }: ChangeLineProps) => (
  <>
    <time title={formatTime(at)} dateTime={new Date(at * 1000).toISOString()}>
      {when}
    </time>{' '}
    {history ? (
      <RecordLink kind={history.kind} id={history.id} title={isolate(titleOf(history))} />
    ) : (
      'a record appears'
    )}
    <div className="dimmed">{to !== undefined && <Foreign text={`${from ?? 'not created'} → ${to}`} />}</div>
  </>
);
