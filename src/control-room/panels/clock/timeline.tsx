import {
  ActionIcon,
  Group,
  NativeSelect,
  Paper,
  SegmentedControl,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconSearch, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type CSSProperties, useRef } from 'react';
import type { StatusHistory } from '../../../control/status-histories.ts';
import { colorOf, formatSpan, formatTime } from '../../format.ts';
import { linkTo } from '../../kinds.ts';
import { type Route, setQuery } from '../../route.ts';
import { Foreign, isolate } from '../../text.tsx';
import { Axis, type Drawn, height, RequestMarks } from './axis.tsx';
import { nextOf, stateAt, titleOf } from './histories.ts';
import { ToEnd } from './move.tsx';
import { pickHistories, ranges, type Span, shift, spanOf, toRange, xOf, zoom } from './spans.ts';
import { Status } from './status.tsx';

const counts = ['25', '100', '500'];
const kindOptions = [
  { value: '', label: 'Runs and batches' },
  { value: 'runs', label: 'Runs' },
  { value: 'batches', label: 'Batches' },
];

interface TimelineProps {
  readonly histories: readonly StatusHistory[];
  readonly now: number;
  readonly route: Route;
}

/** The states of runs and batches over time, with a line for the clock. */
export const Timeline = ({ histories, now, route }: TimelineProps) => {
  const { query } = route;
  const { ref, width: exactWidth } = useElementSize();
  const width = Math.floor(exactWidth);
  const count = counts.find((one) => one === query.records) ?? '25';
  const ofKind = histories.filter(({ kind }) => query.kind === undefined || kind === query.kind);
  const shown = pickHistories(ofKind, now, Number(count));
  const span = spanOf(shown, now, query);
  const drawn = { span, now, width };
  return (
    <Paper component="section" aria-label="Timeline">
      <Title order={2} size="h4" mb="xs">
        Timeline
      </Title>
      <Choices route={route} span={span} now={now} count={count} />
      {shown.length === 0 ? (
        <Text c="dimmed" size="sm" mt="md">
          {query.q ? (
            <>
              No run or batch has “<Foreign text={query.q} />” in its id or in the id of its thread.
            </>
          ) : histories.length === 0 ? (
            'There are no runs or batches. Load another scenario, or create some under Data.'
          ) : (
            `There are no ${query.kind}.`
          )}
        </Text>
      ) : (
        <div className="clock-timeline">
          <Text size="sm" c="dimmed" my="xs">
            {shown.length < ofKind.length &&
              `Showing ${shown.length} of ${ofKind.length} with the nearest changes. `}
            The vertical line is the current time. States in the future are dashed. Times are in UTC.
          </Text>
          <Axis boxRef={ref} {...drawn} />
          <RequestMarks {...drawn} />
          <ul className="plain-list" aria-label="Runs and batches with their states">
            {shown.map((history) => (
              <StateBar key={`${history.kind} ${history.id}`} history={history} {...drawn} />
            ))}
          </ul>
        </div>
      )}
    </Paper>
  );
};

interface ChoicesProps {
  readonly route: Route;
  readonly span: Span;
  readonly now: number;
  readonly count: string;
}

const Choices = ({ route, span, now, count }: ChoicesProps) => {
  const { query } = route;
  const steps = [
    [IconZoomOut, 'Zoom out', zoom(span, now, 2)],
    [IconZoomIn, 'Zoom in', zoom(span, now, 0.5)],
    [IconChevronLeft, 'Earlier', shift(span, -1)],
    [IconChevronRight, 'Later', shift(span, 1)],
  ] as const;
  return (
    <Group gap="xs">
      <SegmentedControl
        aria-label="Range"
        data={Object.keys(ranges).map((value) => ({ value, label: value === 'fit' ? 'Fit' : value }))}
        value={query.from ? '' : toRange(query.range)}
        onChange={(range) => setQuery(route, { range, from: '', to: '' })}
      />
      <Group gap={4} wrap="nowrap">
        {steps.map(([Icon, label, { from, to }]) => (
          <ActionIcon
            key={label}
            aria-label={label}
            title={label}
            onClick={() => setQuery(route, { from: String(from), to: String(to) })}
          >
            <Icon size={18} aria-hidden />
          </ActionIcon>
        ))}
      </Group>
      <TextInput
        aria-label="Search"
        placeholder="Id, or a part of it"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={query.q ?? ''}
        onChange={(event) => setQuery(route, { q: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Kind"
        data={kindOptions}
        value={query.kind ?? ''}
        onChange={(event) => setQuery(route, { kind: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="How many"
        data={counts.map((value) => ({ value, label: `${value} records` }))}
        value={count}
        onChange={(event) => setQuery(route, { records: event.currentTarget.value })}
      />
    </Group>
  );
};

const StateBar = ({ history, ...drawn }: Drawn & { readonly history: StatusHistory }) => {
  const { now, span, width } = drawn;
  const { kind, id, states } = history;
  const status = stateAt(history, now);
  const next = nextOf(history, now);
  const x = xOf(now, span, width);
  const link = useRef<HTMLAnchorElement>(null);
  const said = [
    ...(next === undefined ? [] : [`${next.status} in ${formatSpan(Math.ceil(next.at - now))}`]),
    ...states.map((state) => `${state.status} at ${formatTime(state.at)}`),
  ];
  return (
    <li>
      <a ref={link} className="clock-row" href={linkTo(kind, id)} title={isolate(titleOf(history))}>
        <span className="mono clock-id">
          <Foreign text={id} />
        </span>
        {status === undefined ? <span className="dimmed">not created yet</span> : <Status status={status} />}
        <VisuallyHidden>{isolate(said.join(', '))}</VisuallyHidden>
        <svg className="clock-life" height={height} aria-hidden="true">
          {states.map((state, index) => (
            <Segment key={state.at} state={state} to={states[index + 1]?.at} {...drawn} />
          ))}
          <line className="now" x1={x} x2={x} y1={0} y2={height} />
        </svg>
      </a>
      <ToEnd history={history} now={now} after={() => link.current?.focus()} />
    </li>
  );
};

interface SegmentProps {
  readonly state: StatusHistory['states'][number];
  /** When the next state begins. */
  readonly to: number | undefined;
}

/** A bar for one state. Its name is inside if there is room, and always in its title. */
const Segment = ({ state: { status, at: from }, to, now, span, width }: Drawn & SegmentProps) => {
  const left = Math.max(0, xOf(from, span, width));
  const right = Math.min(width, to === undefined ? width : xOf(to, span, width));
  if (right <= 0 || left >= width || right <= left) return null;
  const lasted = to === undefined ? '' : ` to ${formatTime(to)} (${formatSpan(to - from)})`;
  const color = colorOf(status);
  const tone = {
    '--tone': `var(--mantine-color-${color}-filled)`,
    '--tone-light': `var(--mantine-color-${color}-light)`,
  } as CSSProperties; // its type does not know variables
  return (
    <g className="segment" data-coming={from > now || undefined} style={tone}>
      <title>{isolate(`${status} from ${formatTime(from)}${lasted}`)}</title>
      <rect x={left + 0.5} y={3.5} width={Math.max(1, right - left - 1)} height={height - 7} rx={3} />
      {right - left > status.length * 6.7 + 10 && (
        <text x={left + 6} y={height - 8}>
          {isolate(status)}
        </text>
      )}
    </g>
  );
};
