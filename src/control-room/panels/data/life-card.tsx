import { IconPlayerSkipForward, IconPlayerTrackNext } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from '../../act.tsx';
import { type AnyRecord, type Kind, statusMethodsOf } from '../../kinds.ts';
import { Life, Scale } from '../../life.tsx';
import { Section } from '../../parts.tsx';
import { formatSpan } from '../../text.tsx';
import { useNow } from '../../use-clock.ts';
import { useQuery } from '../../use-query.ts';
import { goTo } from '../clock/commands.ts';
import { nextOf } from '../clock/spans.ts';
import { EndingSlots, noEnding, toEnding } from './ending.tsx';

interface LifeCardProps {
  readonly kind: Kind;
  readonly record: AnyRecord;
}

/** The states of a run or batch, past and future, and how it ends. */
export const LifeCard = ({ kind, record: { id, status } }: LifeCardProps) => {
  const now = useNow()?.seconds;
  const [ending, setEnding] = useState(noEnding);
  const { value: history } = useQuery(['life', id], async ({ clock }) =>
    (await clock.timeline({ search: id, limit: 100 })).find((found) => found.id === id),
  );
  if (history === undefined || now === undefined) return null;
  const next = nextOf(history, now);
  const [from, end] = [history.states[0]?.at ?? now, history.states.at(-1)];
  const length = Math.max(60, Math.max(end?.at ?? now, Math.min(now, 2 * (end?.at ?? now) - from)) - from);
  const span = { from, to: from + 1.15 * length }; // all its states, and the clock unless it is far behind them
  return (
    <Section
      title={`Life of this ${kind.singular}`}
      note={
        next
          ? `The clock changes it in ${formatSpan(Math.ceil(next.at - now))}: ${status} to ${next.status}`
          : 'The clock no longer changes it.'
      }
      side={
        next &&
        end && (
          <>
            <Action Icon={IconPlayerSkipForward} {...goTo(next.at)}>
              Go to the next state
            </Action>
            <Action Icon={IconPlayerTrackNext} {...goTo(end.at)}>
              Go to its end
            </Action>
          </>
        )
      }
    >
      <Scale now={now} span={span} />
      <Life states={history.states} now={now} span={span} />
      <div className="sentence">
        From now on it ends <EndingSlots states={kind.states ?? []} ending={ending} set={setEnding} />
        <Action
          run={() => statusMethodsOf(kind.name).setStatus(id, String(status), toEnding(ending) ?? {})}
          done={`${id}: ends ${ending.ends}`}
        >
          Let it end so
        </Action>
      </div>
    </Section>
  );
};
