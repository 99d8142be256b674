import type { StatusHistory } from '../../control/status-histories.ts';
import { Select } from '../fields.tsx';
import { Card, Empty, formatSpan, formatTime, RecordLink, Status, toneOf, useWidth } from '../parts.tsx';
import { type Route, setQuery, toHash } from '../route.ts';
import {
  type Coming,
  listComing,
  nextOf,
  pickTimelines,
  type Range,
  ranges,
  type Span,
  spanOf,
  stateAt,
  ticksOf,
  toRange,
} from './clock-changes.ts';

const height = 24;
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
  const range = toRange(query.range);
  const count = counts.find((one) => one === query.records) ?? '25';
  const ofKind = timelines.filter(({ kind }) => query.kind === undefined || kind === query.kind);
  const shown = pickTimelines(ofKind, now, Number(count));
  const span = spanOf(shown, now, range);
  return (
    <Card title="Timeline">
      <div class="row timeline-choices">
        <fieldset class="row" aria-label="Range">
          {(Object.keys(ranges) as Range[]).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === range}
              onClick={() => setQuery(route, { range: one })}
            >
              {one === 'fit' ? 'Fit' : one}
            </button>
          ))}
        </fieldset>
        <Select
          label="Show"
          value={query.kind ?? ''}
          options={[['', 'runs and batches'], 'runs', 'batches']}
          set={(kind) => setQuery(route, { kind })}
        />
        <Select
          label="Records"
          value={count}
          options={counts}
          set={(records) => setQuery(route, { records })}
        />
      </div>
      {shown.length === 0 ? (
        <Empty>
          {timelines.length === 0
            ? 'There are no runs or batches. Load another scenario, or create some under Data.'
            : `There are no ${query.kind}.`}
        </Empty>
      ) : (
        <>
          <p class="muted">
            {shown.length < ofKind.length &&
              `Showing the ${shown.length} of ${ofKind.length} that change next or changed last. `}
            The vertical line is the current time. States in the future are dashed. Times are in UTC.
          </p>
          <div class="timeline">
            <Axis span={span} now={now} width={width} pictureRef={setPicture} />
          </div>
          <ul class="timelines" aria-label="Runs and batches with their states">
            {shown.map((timeline) => (
              <li key={`${timeline.kind} ${timeline.id}`}>
                <StateBar timeline={timeline} now={now} span={span} width={width} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
};

/** The next changes as text. */
export const ComingList = ({
  timelines,
  now,
  upcoming,
}: {
  readonly timelines: readonly StatusHistory[];
  readonly now: number;
  /** The time of the next change. */
  readonly upcoming: number | undefined;
}) => {
  const coming = listComing(timelines, now);
  const first = coming[0]?.at ?? Number.POSITIVE_INFINITY;
  return (
    <Card title="What changes next">
      {coming.length === 0 && upcoming === undefined && (
        <Empty>No further changes. Go back in time, or load another scenario.</Empty>
      )}
      <ol class="coming">
        {upcoming !== undefined && upcoming > now && upcoming < first && (
          <li>
            <When at={upcoming} now={now} />
            <span>a record appears</span>
          </li>
        )}
        {coming.slice(0, 8).map((one) => (
          <ComingItem key={`${one.timeline.kind} ${one.timeline.id} ${one.at}`} coming={one} now={now} />
        ))}
      </ol>
      {coming.length > 8 && <p class="muted">And {coming.length - 8} more.</p>}
    </Card>
  );
};

const ComingItem = ({ coming, now }: { readonly coming: Coming; readonly now: number }) => (
  <li>
    <When at={coming.at} now={now} />
    <RecordLink kind={coming.timeline.kind} id={coming.timeline.id} title={titleOf(coming.timeline)} />
    <span>
      <Status status={coming.from} /> → <Status status={coming.to} />
    </span>
  </li>
);

const When = ({ at, now }: { readonly at: number; readonly now: number }) => (
  <time dateTime={new Date(at * 1000).toISOString()} title={formatTime(at)}>
    in {formatSpan(Math.ceil(at - now))}
  </time>
);

interface Drawn {
  readonly now: number;
  readonly span: Span;
  readonly width: number;
}

const xOf = (at: number, { from, to }: Span, width: number): number =>
  Math.round(((at - from) / (to - from)) * width * 10) / 10;

const Axis = ({
  now,
  span,
  width,
  pictureRef,
}: Drawn & { readonly pictureRef: (picture: Element | null) => void }) => {
  const x = xOf(now, span, width);
  return (
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
      <path class="now-mark" d={`M${x - 5} ${height - 8}h10l-5 8z`} />
    </svg>
  );
};

const StateBar = ({ timeline, ...drawn }: Drawn & { readonly timeline: StatusHistory }) => {
  const { now, span, width } = drawn;
  const status = stateAt(timeline, now);
  const next = nextOf(timeline, now);
  const x = xOf(now, span, width);
  return (
    <a class="timeline" href={toHash('data', [timeline.kind, timeline.id])} title={titleOf(timeline)}>
      <span class="mono id">{timeline.id}</span>
      {status === undefined ? <span class="muted">not created yet</span> : <Status status={status} />}
      <span class="hidden">
        {next === undefined ? '' : `${next.status} in ${formatSpan(Math.ceil(next.at - now))}. `}
        {timeline.states.map((state) => `${state.status} at ${formatTime(state.at)}`).join(', ')}
      </span>
      <svg class="life" height={height} aria-hidden="true">
        {timeline.states.map((state, index) => (
          <Segment key={state.at} state={state} to={timeline.states[index + 1]?.at} {...drawn} />
        ))}
        <line class="now" x1={x} x2={x} y1={0} y2={height} />
      </svg>
    </a>
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
  const lasted = to === undefined ? '' : ` to ${formatTime(to)} (${formatSpan(to - from)})`;
  return (
    <g class={`segment ${toneOf(status)} ${from > now ? 'coming' : ''}`}>
      <title>{`${status} from ${formatTime(from)}${lasted}`}</title>
      <rect x={left + 0.5} y={3.5} width={Math.max(1, right - left - 1)} height={height - 7} rx={3} />
      {right - left > status.length * 6.7 + 10 && (
        <text x={left + 6} y={height - 8}>
          {status}
        </text>
      )}
    </g>
  );
};

const titleOf = ({ id, owner }: StatusHistory): string =>
  owner === null ? `Batch ${id}` : `Run ${id} of ${owner}`;
