import { useRef } from 'preact/hooks';
import type { StatusHistory } from '../../control/status-histories.ts';
import { Search, Select } from '../fields.tsx';
import { Name } from '../name.tsx';
import { Card, Empty, formatSpan, formatTime, Status, toneOf, useWidth } from '../parts.tsx';
import { type Route, setQuery, toHash } from '../route.ts';
import { texts } from '../texts.ts';
import { isolate } from '../visible.ts';
import { Axis, type Drawn, height, RequestMarks } from './clock-axis.tsx';
import {
  nextOf,
  pickTimelines,
  type Range,
  ranges,
  type Span,
  shift,
  spanOf,
  stateAt,
  titleOf,
  toRange,
  xOf,
  zoom,
} from './clock-changes.ts';
import { ToEnd } from './clock-to-end.tsx';

const t = texts.clock;

const counts = ['25', '100', '500'];

/** The states of runs and batches over time, with a line for the clock. */
export const Timeline = ({
  timelines,
  now,
  route,
}: {
  readonly timelines: readonly StatusHistory[];
  readonly now: number;
  readonly route: Route;
}) => {
  const { query } = route;
  const [exactWidth, setPicture] = useWidth(0);
  const width = Math.floor(exactWidth);
  const range = query.from ? undefined : toRange(query.range);
  const count = counts.find((one) => one === query.records) ?? '25';
  const ofKind = timelines.filter(({ kind }) => query.kind === undefined || kind === query.kind);
  const shown = pickTimelines(ofKind, now, Number(count));
  const span = spanOf(shown, now, query);
  const choose = ({ from, to }: Span): void => setQuery(route, { from: String(from), to: String(to) });
  return (
    <Card title={t.timeline}>
      <div class="row timeline-choices">
        <fieldset class="row" aria-label={t.range}>
          {(Object.keys(ranges) as Range[]).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === range}
              onClick={() => setQuery(route, { range: one, from: '', to: '' })}
            >
              {one === 'fit' ? t.fit : one}
            </button>
          ))}
          {(
            [
              ['−', t.zoomOut, () => zoom(span, now, 2)],
              ['+', t.zoomIn, () => zoom(span, now, 0.5)],
              ['‹', t.earlier, () => shift(span, -1)],
              ['›', t.later, () => shift(span, 1)],
            ] as const
          ).map(([sign, label, next]) => (
            <button key={sign} type="button" aria-label={label} title={label} onClick={() => choose(next())}>
              {sign}
            </button>
          ))}
        </fieldset>
        <Search
          label={t.search}
          placeholder={t.searchHint}
          value={query.q ?? ''}
          set={(q) => setQuery(route, { q })}
        />
        <Select
          label={t.show}
          value={query.kind ?? ''}
          options={[['', t.both], 'runs', 'batches']}
          set={(kind) => setQuery(route, { kind })}
        />
        <Select
          label={t.records}
          value={count}
          options={counts}
          set={(records) => setQuery(route, { records })}
        />
      </div>
      {shown.length === 0 ? (
        <Empty>
          {query.q ? t.noMatch(query.q) : timelines.length === 0 ? t.noRecords : t.noneOf(query.kind ?? '')}
        </Empty>
      ) : (
        <div class="timeline-box">
          <p class="muted">
            {shown.length < ofKind.length && t.shown(shown.length, ofKind.length)}
            {t.legend}
          </p>
          <Axis span={span} now={now} width={width} pictureRef={setPicture} />
          <RequestMarks span={span} now={now} width={width} />
          <ul class="timelines" aria-label={t.states}>
            {shown.map((timeline) => (
              <li key={`${timeline.kind} ${timeline.id}`}>
                <StateBar timeline={timeline} now={now} span={span} width={width} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
};

const StateBar = ({ timeline, ...drawn }: Drawn & { readonly timeline: StatusHistory }) => {
  const { now, span, width } = drawn;
  const status = stateAt(timeline, now);
  const next = nextOf(timeline, now);
  const x = xOf(now, span, width);
  const link = useRef<HTMLAnchorElement>(null);
  return (
    <>
      <a
        ref={link}
        class="timeline"
        href={toHash('data', [timeline.kind, timeline.id])}
        title={titleOf(timeline)}
      >
        <span class="mono id">
          <Name text={timeline.id} />
        </span>
        {status === undefined ? <span class="muted">{t.notCreated}</span> : <Status status={status} />}
        <span class="hidden">
          {next === undefined ? '' : t.nextState(next.status, formatSpan(Math.ceil(next.at - now)))}
          {timeline.states.map((state) => t.stateAt(state.status, formatTime(state.at))).join(', ')}
        </span>
        <svg class="life" height={height} aria-hidden="true">
          {timeline.states.map((state, index) => (
            <Segment key={state.at} state={state} to={timeline.states[index + 1]?.at} {...drawn} />
          ))}
          <line class="now" x1={x} x2={x} y1={0} y2={height} />
        </svg>
      </a>
      <ToEnd history={timeline} now={now} after={() => link.current?.focus()} />
    </>
  );
};

interface SegmentProps {
  readonly state: StatusHistory['states'][number];
  /** When the next state begins. */
  readonly to: number | undefined;
}

/** A bar for one state. Its name is inside if there is room, and always in its title. */
const Segment = ({ state, to, now, span, width }: Drawn & SegmentProps) => {
  const { status, at: from } = state;
  const left = Math.max(0, xOf(from, span, width));
  const right = Math.min(width, to === undefined ? width : xOf(to, span, width));
  if (right <= 0 || left >= width || right <= left) return null;
  const lasted = to === undefined ? '' : t.stateTo(formatTime(to), formatSpan(to - from));
  return (
    <g class={`segment ${toneOf(status)} ${from > now ? 'coming' : ''}`}>
      <title>{t.stateFrom(status, formatTime(from)) + lasted}</title>
      <rect x={left + 0.5} y={3.5} width={Math.max(1, right - left - 1)} height={height - 7} rx={3} />
      {right - left > status.length * 6.7 + 10 && (
        <text x={left + 6} y={height - 8}>
          {isolate(status)}
        </text>
      )}
    </g>
  );
};
