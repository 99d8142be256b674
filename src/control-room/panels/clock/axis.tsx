import { Anchor, Slider, Text } from '@mantine/core';
import { useState } from 'react';
import { control } from '../../connection.ts';
import { countOf, formatTime } from '../../format.ts';
import { journal } from '../../journal.ts';
import { act } from '../../notify.tsx';
import { toHash } from '../../route.ts';
import { binRequests, type Span, stepFor, ticksOf, xOf } from './spans.ts';

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
  boxRef,
}: Drawn & { readonly boxRef: (box: HTMLDivElement | null) => void }) => {
  const [draft, setDraft] = useState<number>();
  const move = async (at: number): Promise<void> => {
    await act(() => control.clock.set(at), { done: `It is ${formatTime(at)}.`, undo: 1 });
    setDraft(undefined);
  };
  return (
    <div className="clock-row">
      <Text size="sm" c="dimmed" className="both">
        {draft === undefined ? 'Click or drag to move the clock' : `Go to ${formatTime(draft)}`}
      </Text>
      <div className="clock-life" ref={boxRef}>
        <svg width="100%" height={height} aria-hidden="true">
          {ticksOf(span, Math.floor(width / 76)).map(({ at, text }) => {
            const x = xOf(at, span, width);
            const isLast = x > width - 60;
            return (
              <g key={at} className="tick">
                <line x1={x} x2={x} y1={height - 6} y2={height} />
                <text
                  x={isLast ? Math.min(x, width) : Math.max(x, 0)}
                  y={12}
                  textAnchor={isLast ? 'end' : 'start'}
                >
                  {text}
                </text>
              </g>
            );
          })}
        </svg>
        <Slider
          size={4}
          className="clock-axis"
          min={span.from}
          max={span.to}
          step={stepFor((span.to - span.from) / 200)}
          value={Math.min(span.to, Math.max(span.from, draft ?? now))}
          label={(at) => formatTime(Math.floor(at))}
          thumbProps={{
            'aria-label': 'Move the clock',
            'aria-valuetext': formatTime(Math.floor(draft ?? now)),
          }}
          onChange={setDraft}
          onChangeEnd={(at) => void move(at)}
        />
      </div>
    </div>
  );
};

/** The requests of the journal on the same scale, several in one mark where they are close. */
export const RequestMarks = ({ span, width }: Drawn) => {
  const requests = journal.use((state) => state.requests);
  if (requests.length === 0) return null;
  const { marks, outside } = binRequests(requests, span, width);
  return (
    <div className="clock-row">
      <Text size="sm" c="dimmed" className="both">
        Requests{outside > 0 && ` (${countOf(outside, 'more', 'more')} outside of this range)`}
      </Text>
      <ul className="plain-list clock-life clock-marks" aria-label="Requests">
        {marks.map(({ x, requests: own }) => {
          const faulted = own.filter(({ faults }) => faults.length > 0).length;
          const isFailed = own.some(({ status }) => status === null || status >= 400);
          const times = [...new Set([own[0], own.at(-1)].map((one) => formatTime(one?.time ?? '')))];
          const text = `${countOf(own.length, 'request')}${faulted === 0 ? '' : `, ${faulted} with a fault`}, ${times.join(' to ')}`;
          const last = own.at(-1)?.id ?? '';
          return (
            <li key={x} style={{ left: x }} data-tone={faulted > 0 ? 'orange' : isFailed ? 'red' : 'blue'}>
              <Anchor href={toHash('requests', last === '' ? [] : [last])} aria-label={text} title={text}>
                {own.length > 99 ? '99+' : own.length}
                {faulted > 0 && '!'}
              </Anchor>
            </li>
          );
        })}
      </ul>
    </div>
  );
};
