import { Text } from '@mantine/core';
import type { StatusHistory } from '../../../service/control/status-histories.ts';
import { Life, Scale } from '../../life.tsx';
import { Choice, SearchField, Section, Status } from '../../parts.tsx';
import { setQuery, useRoute } from '../../route.ts';
import { Foreign, isolate, RecordLink } from '../../text.tsx';
import { pickHistories, rangeOf, ranges, spanOf, stateAt, titleOf } from './spans.ts';

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
  const note =
    shown.length < histories.length
      ? `${shown.length} of ${histories.length}, those with the nearest changes`
      : 'Press a state to go there.';
  return (
    <Section
      title="Lifelines"
      note={shown.length > 0 && note}
      side={
        <>
          <SearchField aria-label="Search" placeholder="Part of an id" w={150} />
          <Choice
            aria-label="Range"
            value={rangeOf(query)}
            choices={[...ranges.keys()]}
            choose={(range) => setQuery({ range })}
          />
        </>
      }
    >
      {shown.length === 0 ? (
        <Text c="dimmed">
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
          <div className="clock-row">
            <span />
            <span />
            <Scale now={now} span={span} />
          </div>
          <ul className="plain-list" aria-label="Runs and batches with their states">
            {shown.map((history) => {
              const status = stateAt(history, now);
              return (
                <li key={`${history.kind} ${history.id}`} className="clock-row">
                  <span className="cut">
                    <RecordLink kind={history.kind} id={history.id} title={isolate(titleOf(history))} />
                  </span>
                  {status === undefined ? (
                    <span className="dimmed">not created</span>
                  ) : (
                    <Status status={status} />
                  )}
                  <Life states={history.states} now={now} span={span} isSkipped />
                </li>
              );
            })}
          </ul>
        </>
      )}
    </Section>
  );
};
