import type { StatusHistory } from '../../control/status-histories.ts';
import { now as clock } from '../now.ts';
import { Action, formatTime } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { texts } from '../texts.ts';
import { isolate } from '../visible.ts';
import { nextOf } from './clock-changes.ts';
import { goTo } from './clock-move.ts';

const t = texts.clock;

/** A button that moves the clock to the last change of a run or batch; nothing if no change is to come. */
export const ToEnd = ({
  history,
  now,
  after,
}: {
  readonly history: StatusHistory;
  readonly now: number;
  /** Called when the clock has moved: the button goes. */
  readonly after?: (() => void) | undefined;
}) => {
  const last = history.states.at(-1);
  if (last === undefined || nextOf(history, now) === undefined) return null;
  const run = async (): Promise<void> => {
    await goTo(last.at);
    after?.();
  };
  return (
    <Action
      run={run}
      done={t.moved}
      undo={1}
      aria-label={t.untilEndOf(history.id)}
      title={isolate(`${last.status}, ${formatTime(last.at)}`)}
    >
      {t.untilEnd}
    </Action>
  );
};

/** {@link ToEnd} where only the id of the record is known. */
export const ToEndOf = ({ id }: { readonly id: string }) => {
  const now = clock.value;
  const { value: histories } = useQuery(['history', id], (control) => control.clock.timeline({ search: id }));
  const history = histories?.find((one) => one.id === id);
  return history && now ? (
    <ToEnd history={history} now={now.seconds} after={() => document.getElementById('main')?.focus()} />
  ) : null;
};
