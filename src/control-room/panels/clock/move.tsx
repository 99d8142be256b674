import type { StatusHistory } from '../../../control/status-histories.ts';
import { Action } from '../../action.tsx';
import { control } from '../../connection.ts';
import { formatTime } from '../../format.ts';
import { isolate } from '../../text.tsx';
import { nextOf } from './histories.ts';

/** A button that moves the clock to a change. @param what the change: `run_1 becomes failed` */
export const GoTo = ({ at, what }: { readonly at: number; readonly what: string }) => (
  <Action
    size="compact-xs"
    run={() => control.clock.set(at)}
    done={`It is ${formatTime(at)}.`}
    undo={1}
    aria-label={`Go here: ${isolate(what)}`}
    title={formatTime(at)}
  >
    Go here
  </Action>
);

interface ToEndProps {
  readonly history: StatusHistory;
  readonly now: number;
  /** Called when the clock has moved: the button goes. */
  readonly after: () => void;
}

/** A button that moves the clock to the last change of a run or batch; nothing if no change is to come. */
export const ToEnd = ({ history, now, after }: ToEndProps) => {
  const last = history.states.at(-1);
  if (last === undefined || nextOf(history, now) === undefined) return null;
  const run = async (): Promise<void> => {
    await control.clock.set(last.at);
    after();
  };
  return (
    <Action
      size="compact-xs"
      run={run}
      done={`It is ${formatTime(last.at)}.`}
      undo={1}
      aria-label={`Go to its end: ${isolate(history.id)}`}
      title={isolate(`${last.status}, ${formatTime(last.at)}`)}
    >
      Go to its end
    </Action>
  );
};
