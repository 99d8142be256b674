// The life of a run or batch as a line, and the scale above it.
import { UnstyledButton } from '@mantine/core';
import type { StatusHistory } from '../service/control/status-histories.ts';
import { act } from './act.tsx';
import { goTo } from './panels/clock/commands.ts';
import { placeOf, type Span, ticksOf } from './panels/clock/spans.ts';
import { colorOf, formatSpan, formatTime, isolate } from './text.tsx';
import './life.css';

interface Drawn {
  readonly now: number;
  readonly span: Span;
}

/** The times of a span, with the clock's. */
export const Scale = ({ now, span }: Drawn) => (
  <div className="scale number" aria-hidden>
    {ticksOf(span).map(({ value, label }) => (
      <span key={value} style={{ left: `${placeOf(value, span)}%` }}>
        {Math.abs(placeOf(value, span) - placeOf(now, span)) > 14 && label}
      </span>
    ))}
    {now < span.to && (
      <b style={{ left: `clamp(28px, ${placeOf(now, span)}%, 100% - 28px)` }}>
        {formatTime(Math.floor(now)).slice(11)}
      </b>
    )}
  </div>
);

interface LifeProps extends Drawn {
  readonly states: StatusHistory['states'];
  /** Whether its states are left out of the tab order. */
  readonly isSkipped?: boolean;
}

/** A bar for each state, with a line for the clock, which a press moves to the beginning of the state. */
export const Life = ({ states, now, span, isSkipped = false }: LifeProps) => (
  <div className="life">
    {states.map(({ status, at }, index) => {
      const end = states[index + 1]?.at;
      const left = Math.max(0, placeOf(at, span));
      const right = end === undefined ? 100 : Math.min(100, placeOf(end, span));
      const line = placeOf(now, span);
      if (right <= left) return null;
      const lasted = end === undefined ? '' : ` to ${formatTime(end)} (${formatSpan(end - at)})`;
      const color = colorOf(status);
      const style = {
        left: `${left}%`,
        width: `${right - left}%`,
        paddingLeft: left < line && line < right ? `${line - left}%` : undefined, // its name is behind the line
        '--tone': `var(--mantine-color-${color}-light-color)`,
        '--tone-soft': `var(--mantine-color-${color}-light)`,
      };
      return (
        <UnstyledButton
          key={at}
          className="segment"
          data-coming={at > now || undefined}
          tabIndex={isSkipped ? -1 : undefined}
          style={style}
          title={isolate(`${status} from ${formatTime(at)}${lasted}`)}
          aria-label={isolate(`Go to ${status} at ${formatTime(at)}`)}
          onClick={() => act(goTo(at))}
        >
          <span style={{ padding: '0 5px' }}>{isolate(status)}</span>
        </UnstyledButton>
      );
    })}
    <i style={{ left: `${placeOf(now, span)}%` }} />
  </div>
);
