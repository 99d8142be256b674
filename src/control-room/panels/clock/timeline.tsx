import { ActionIcon, Anchor, Group, NativeSelect, SegmentedControl, Slider, Text } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconPlayerSkipForward,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { type CSSProperties, useRef, useState } from 'react';
import type { StatusHistory } from '../../../control/status-histories.ts';
import { Action } from '../../action.tsx';
import { control } from '../../connection.ts';
import { colorOf, countOf, formatSpan, formatTime } from '../../format.ts';
import { journal } from '../../journal.ts';
import { act } from '../../notify.tsx';
import { type Route, setQuery, toHash } from '../../route.ts';
import { SearchField } from '../../search-field.tsx';
import { Section } from '../../section.tsx';
import { Foreign, isolate, RecordLink } from '../../text.tsx';
import { Status } from './changes.tsx';
import { nextOf, stateAt, titleOf } from './histories.ts';
import {
  binRequests,
  move,
  pickHistories,
  placeOf,
  rangeOf,
  ranges,
  type Span,
  spanOf,
  stepFor,
  ticksOf,
} from './spans.ts';

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
  const count = counts.find((one) => one === query.records) ?? '25';
  const ofKind = histories.filter(({ kind }) => query.kind === undefined || kind === query.kind);
  const shown = pickHistories(ofKind, now, Number(count));
  const span = spanOf(shown, now, query);
  const steps = [
    [IconZoomOut, 'Zoom out', move(span, now, 2, 0)],
    [IconZoomIn, 'Zoom in', move(span, now, 0.5, 0)],
    [IconChevronLeft, 'Earlier', move(span, now, 1, -0.5)],
    [IconChevronRight, 'Later', move(span, now, 1, 0.5)],
  ] as const;
  return (
    <Section title="Timeline">
      <Group gap="xs" mt="xs">
        <SegmentedControl
          aria-label="Range"
          data={[...ranges.keys()].map((value) => ({ value, label: value === 'fit' ? 'Fit' : value }))}
          value={query.from ? '' : rangeOf(query)}
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
        <SearchField route={route} aria-label="Search" placeholder="Id, or a part of it" />
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
      {shown.length === 0 ? (
        <Text c="dimmed" size="sm" mt="md">
          {query.q ? (
            <>
              No run or batch has “<Foreign text={query.q} />” in its id or in the id of its thread.
            </>
          ) : (
            'There are no runs or batches. Load another scenario, or create some under Data.'
          )}
        </Text>
      ) : (
        <div className="clock-timeline">
          <Text size="sm" c="dimmed" my="xs">
            {shown.length < ofKind.length &&
              `Showing ${shown.length} of ${ofKind.length} with the nearest changes. `}
            The vertical line is the current time. States in the future are dashed. Times are in UTC.
          </Text>
          <Axis now={now} span={span} />
          <RequestMarks span={span} />
          <ul className="plain-list" aria-label="Runs and batches with their states">
            {shown.map((history) => (
              <StateBar key={`${history.kind} ${history.id}`} history={history} now={now} span={span} />
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
};

interface Drawn {
  readonly now: number;
  readonly span: Span;
}

/** The scale, with a slider that moves the clock: by click, by dragging, or by the arrow keys. */
const Axis = ({ now, span: { from, to } }: Drawn) => {
  const [draft, setDraft] = useState<number>();
  const moveTo = async (at: number): Promise<void> => {
    await act(() => control.clock.set(at), { done: `It is ${formatTime(at)}.`, undo: 1 });
    setDraft(undefined);
  };
  const format = (at: number): string => formatTime(Math.floor(at));
  return (
    <div className="clock-row">
      <Text size="sm" c="dimmed">
        Click or drag to move the clock
      </Text>
      <Slider
        size={4}
        mb={28}
        className="clock-axis"
        min={from}
        max={to}
        step={stepFor((to - from) / 200)}
        marks={ticksOf({ from, to })}
        value={Math.min(to, Math.max(from, draft ?? now))}
        label={format}
        thumbLabel="Move the clock"
        thumbValueText={format}
        onChange={setDraft}
        onChangeEnd={(at) => void moveTo(at)}
      />
    </div>
  );
};

/** The requests of the journal on the same scale, several in one mark where they are close. */
const RequestMarks = ({ span }: Pick<Drawn, 'span'>) => {
  const requests = journal.use((state) => state.requests);
  if (requests.length === 0) return null;
  const { marks, outside } = binRequests(requests, span);
  return (
    <div className="clock-row">
      <Text size="sm" c="dimmed">
        Requests{outside > 0 && ` (${countOf(outside, 'more', 'more')} outside of this range)`}
      </Text>
      <ul className="plain-list clock-marks" aria-label="Requests">
        {marks.map(([bin, own]) => {
          const faulted = own.filter(({ faults }) => faults.length > 0).length;
          const times = [...new Set([own[0], own.at(-1)].map((one) => formatTime(one?.time ?? '')))];
          const text = `${countOf(own.length, 'request')}${faulted === 0 ? '' : `, ${faulted} with a fault`}, ${times.join(' to ')}`;
          return (
            <li key={bin} style={{ gridColumn: bin + 1 }}>
              <Anchor
                size="xs"
                href={toHash('requests', [own.at(-1)?.id ?? ''])}
                aria-label={text}
                title={text}
              >
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

const StateBar = ({ history, now, span }: Drawn & { readonly history: StatusHistory }) => {
  const { kind, id, states } = history;
  const status = stateAt(history, now);
  const next = nextOf(history, now);
  const last = states.at(-1);
  const row = useRef<HTMLLIElement>(null);
  const said = [
    ...(next === undefined ? [] : [`${next.status} in ${formatSpan(Math.ceil(next.at - now))}`]),
    ...states.map((state) => `${state.status} at ${formatTime(state.at)}`),
  ];
  const goToEnd = async (): Promise<void> => {
    await control.clock.set(last?.at ?? now);
    row.current?.querySelector('a')?.focus(); // the button goes
  };
  return (
    <li ref={row} className="clock-row">
      <Group gap="0 8px">
        <RecordLink kind={kind} id={id} title={isolate(titleOf(history))} />
        {status === undefined ? <span className="dimmed">not created yet</span> : <Status status={status} />}
      </Group>
      <div className="clock-life" role="img" aria-label={isolate(said.join(', '))}>
        {states.map((state, index) => (
          <Segment key={state.at} state={state} to={states[index + 1]?.at} now={now} span={span} />
        ))}
        <i style={{ left: `${placeOf(now, span)}%` }} />
      </div>
      {last !== undefined && next !== undefined && (
        <Action
          run={goToEnd}
          done={`It is ${formatTime(last.at)}.`}
          undo={1}
          aria-label={isolate(`Go to its end: ${id}`)}
          title={isolate(`Go to its end: ${last.status}, ${formatTime(last.at)}`)}
          Icon={IconPlayerSkipForward}
        />
      )}
    </li>
  );
};

interface SegmentProps extends Drawn {
  readonly state: StatusHistory['states'][number];
  /** When the next state begins. */
  readonly to: number | undefined;
}

/** A bar for one state. Its name is inside if there is room, and always in its title. */
const Segment = ({ state: { status, at: from }, to, now, span }: SegmentProps) => {
  const left = Math.max(0, placeOf(from, span));
  const right = to === undefined ? 100 : Math.min(100, placeOf(to, span));
  if (right <= left) return null;
  const lasted = to === undefined ? '' : ` to ${formatTime(to)} (${formatSpan(to - from)})`;
  const color = colorOf(status);
  const style = {
    left: `${left}%`,
    width: `${right - left}%`,
    '--tone': `var(--mantine-color-${color}-light-color)`,
    '--tone-light': `var(--mantine-color-${color}-light)`,
  } as CSSProperties; // its type does not know variables
  return (
    <div
      className="segment"
      data-coming={from > now || undefined}
      style={style}
      title={isolate(`${status} from ${formatTime(from)}${lasted}`)}
    >
      <span>{isolate(status)}</span>
    </div>
  );
};
