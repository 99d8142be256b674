import { IconPlayerSkipForward, IconPlayerTrackNext } from '@tabler/icons-react';
import { Action } from '../../act.tsx';
import type { AnyRecord, Kind } from '../../kinds.ts';
import { Life, Scale } from '../../life.tsx';
import { Section } from '../../parts.tsx';
import { formatSpan } from '../../text.tsx';
import { useNow } from '../../use-clock.ts';
import { useQuery } from '../../use-query.ts';
import { goTo } from '../clock/commands.ts';
import { nextOf } from '../clock/spans.ts';

interface LifeCardProps {
  readonly kind: Kind;
  readonly record: AnyRecord;
}

/** The states of a run or batch, past and future. */
export const LifeCard = ({ kind, record: { id, status } }: LifeCardProps) => {
  const now = useNow()?.seconds;
  const { value: history } = useQuery(['life', id], async ({ clock }) =>
    (await clock.timeline({ search: id, limit: 100 })).find((history) => history.id === id),
  );
  const [first, last] = [history?.states[0], history?.states.at(-1)];
  if (!history || !first || !last || now === undefined) return null;
  const next = nextOf(history, now);
  // All its states, and the clock unless it is far behind them.
  const length = Math.max(60, last.at - first.at, Math.min(now - first.at, 2 * (last.at - first.at)));
  const span = { from: first.at, to: first.at + 1.15 * length };
  return (
    <Section
      title={`Life of this ${kind.singular}`}
      note={
        next
          ? `The clock changes it in ${formatSpan(Math.ceil(next.at - now))}: ${status} to ${next.status}`
          : 'The clock no longer changes it.'
      }
      side={
        next && (
          <>
            <Action Icon={IconPlayerSkipForward} {...goTo(next.at)}>
              Go to the next state
            </Action>
            <Action Icon={IconPlayerTrackNext} {...goTo(last.at)}>
              Go to its end
            </Action>
          </>
        )
      }
    >
      <Scale now={now} span={span} />
      <Life states={history.states} now={now} span={span} />
    </Section>
  );
};
