import { Group, NativeSelect, Slider, Text } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import type { StatusHistory } from '../../../service/control/status-histories.ts';
import { act } from '../../act.tsx';
import { SearchField, Section, Status } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { colorOf, Foreign, formatSpan, formatTime, isolate, RecordLink } from '../../text.tsx';
import { goTo } from './commands.ts';
import {
  nextOf,
  pickHistories,
  placeOf,
  rangeOf,
  ranges,
  type Span,
  spanOf,
  stateAt,
  stepFor,
  ticksOf,
  titleOf,
} from './spans.ts';

/** How many records have a row: those with the nearest changes. */
const maxRows = 25;

interface TimelineProps {
  readonly histories: readonly StatusHistory[];
  readonly now: number;
}

/** The states of runs and batches over time, with a line for the clock. */
export const Timeline = ({ histories, now }: TimelineProps) => {
  const { query } = useRoute();
  const shown = pickHistories(histories, now, maxRows);
  const span = spanOf(shown, now, query);
  return (
    <Section title="Timeline">
      <Group gap="xs" mt="xs">
        <NativeSelect
          aria-label="Range"
          data={[...ranges.keys()].map((value) => ({ value, label: value === 'fit' ? 'Fit' : value }))}
          value={rangeOf(query)}
          onChange={({ currentTarget: { value } }) => setQuery({ range: value })}
        />
        <SearchField aria-label="Search" placeholder="Id, or a part of it" />
      </Group>
      {shown.length === 0 ? (
        <Text c="dimmed" mt="md">
          {query.q ? (
            <>
              No run or batch has “<Foreign text={query.q} />” in its id or in the id of its thread.
            </>
          ) : (
            'There are no runs or batches. Load another scenario, or create some under Data.'
          )}
        </Text>
      ) : (
        <>
          <Text c="dimmed" my="xs">
            {shown.length < histories.length &&
              `The ${shown.length} of ${histories.length} with the nearest changes; search for the others. `}
            The vertical line is the current time. States in the future are dashed. Times are in UTC.
          </Text>
          <Axis now={now} span={span} />
          <ul className="plain-list" aria-label="Runs and batches with their states">
            {shown.map((history) => (
              <StateBar key={`${history.kind} ${history.id}`} history={history} now={now} span={span} />
            ))}
          </ul>
        </>
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
    await act(goTo(at));
    setDraft(undefined);
  };
  const format = (at: number): string => formatTime(Math.floor(at));
  return (
    <div className="clock-row">
      <Text c="dimmed">Click or drag to move the clock</Text>
      <Slider
        size={4}
        mb={28}
        mx={-4} // its own padding, so that the thumb is at the time
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

const StateBar = ({ history, now, span }: Drawn & { readonly history: StatusHistory }) => {
  const { kind, id, states } = history;
  const status = stateAt(history, now);
  const next = nextOf(history, now);
  const said = [
    ...(next === undefined ? [] : [`${next.status} in ${formatSpan(Math.ceil(next.at - now))}`]),
    ...states.map((state) => `${state.status} at ${formatTime(state.at)}`),
  ];
  return (
    <li className="clock-row">
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
