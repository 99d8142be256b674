import { useState } from 'preact/hooks';
import { requests as live } from '../live.ts';
import { formatTime } from '../parts.tsx';
import { toHash } from '../route.ts';
import { texts } from '../texts.ts';
import { binRequests, type Span, stepFor, ticksOf, xOf } from './clock-changes.ts';
import { goTo } from './clock-move.ts';

const t = texts.clock;

/** The height of a row of the timeline, in pixels. */
export const height = 24;

/** Where something is drawn: the time, the range, and the width in pixels. */
export interface Drawn {
  readonly now: number;
  readonly span: Span;
  readonly width: number;
}

/** The scale, with a slider that moves the clock: by click, by dragging, or by the arrow keys. */
export const Axis = ({
  now,
  span,
  width,
  pictureRef,
}: Drawn & { readonly pictureRef: (picture: Element | null) => void }) => {
  const [draft, setDraft] = useState<number>();
  const shown = draft ?? now;
  const move = async (at: number): Promise<void> => {
    await goTo(at).finally(() => setDraft(undefined));
  };
  return (
    <div class="timeline">
      <label class="muted both" for="axis">
        {draft === undefined ? t.axis : t.goTo(formatTime(draft))}
      </label>
      <div class="life">
        <svg class="life" height={height} aria-hidden="true" ref={pictureRef}>
          {ticksOf(span, Math.floor(width / 76)).map(({ at, text }) => {
            const tick = xOf(at, span, width);
            const isLast = tick > width - 60;
            return (
              <g key={at} class="tick">
                <line x1={tick} x2={tick} y1={height - 6} y2={height} />
                <text
                  x={isLast ? Math.min(tick, width) : Math.max(tick, 0)}
                  y={12}
                  text-anchor={isLast ? 'end' : 'start'}
                >
                  {text}
                </text>
              </g>
            );
          })}
        </svg>
        <input
          id="axis"
          type="range"
          min={span.from}
          max={span.to}
          step={stepFor((span.to - span.from) / 200)}
          value={shown}
          aria-valuetext={formatTime(Math.floor(shown))}
          onInput={({ currentTarget }) => setDraft(Number(currentTarget.value))}
          onChange={({ currentTarget }) => void move(Number(currentTarget.value))}
        />
      </div>
    </div>
  );
};

/** The requests of the journal on the same scale, several in one mark where they are close. */
export const RequestMarks = ({ span, width }: Drawn) => {
  const { marks, outside } = binRequests(live.value, span, width);
  if (live.value.length === 0) return null;
  return (
    <div class="timeline">
      <span class="both muted">
        {texts.requests.title}
        {outside > 0 && t.outside(outside)}
      </span>
      <ul class="life marks" aria-label={texts.requests.title}>
        {marks.map(({ x, last, count, faulted, failed, from, to }) => {
          const text = t.requestsAt(count, faulted, formatTime(from), from === to ? '' : formatTime(to));
          return (
            <li key={x} style={{ left: `${x}px` }}>
              <a
                href={toHash('requests', last === '' ? [] : [last])}
                class={`badge ${faulted > 0 ? 'warn' : failed > 0 ? 'bad' : 'info'}`}
                aria-label={text}
                title={text}
              >
                {count > 99 ? '99+' : count}
                {faulted > 0 && <span aria-hidden="true">!</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
};
