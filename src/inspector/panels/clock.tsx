import { useState } from 'preact/hooks';
import type { ClockInfo } from '../../control/commands/clock.ts';
import { useAsk } from '../ask.ts';
import { Field, Select, useText } from '../fields.tsx';
import { control } from '../live.ts';
import { type Now, useNow } from '../now.ts';
import { Action, Card, Failure, formatTime } from '../parts.tsx';
import type { Route } from '../route.ts';
import { ComingList, Timeline } from './clock-timeline.tsx';

/** The maximum number of records that are requested: those that change next or changed last. */
const maxTimelines = 500;

export const ClockPanel = ({ route }: { readonly route: Route }) => {
  const now = useNow();
  const { value: known, error } = useAsk(async () => ({
    timelines: await control.clock.timeline({ limit: maxTimelines }),
    upcoming: await control.clock.upcoming(),
  }));
  const upcoming = known?.upcoming === undefined ? undefined : Date.parse(known.upcoming) / 1000;
  return (
    <>
      <Failure message={error} />
      {now && known && (
        <>
          <div class="columns">
            <Time now={now} hasNext={upcoming !== undefined} />
            <ComingList timelines={known.timelines} now={now.seconds} upcoming={upcoming} />
          </div>
          <Timeline timelines={known.timelines} now={now.seconds} route={route} />
        </>
      )}
    </>
  );
};

const Time = ({ now, hasNext }: { readonly now: Now; readonly hasNext: boolean }) => {
  const [said, setSaid] = useState('');
  const move = async (moved: Promise<ClockInfo>): Promise<void> => {
    const { now: time } = await moved;
    setSaid(`It is ${formatTime(time)}.`);
  };
  return (
    <Card label="The world's time">
      <p class="clock-time">
        <time dateTime={new Date(now.seconds * 1000).toISOString()}>
          {formatTime(Math.floor(now.seconds))}
        </time>{' '}
        <small>UTC</small>
      </p>
      <p class="muted">
        {now.speed === 0
          ? 'Time is frozen until you advance it.'
          : `It runs ${now.speed === 1 ? 'as fast as' : `${now.speed} times as fast as`} the wall clock.`}
      </p>
      <p class="hidden" role="status">
        {said}
      </p>
      <div class="stack">
        <div class="row">
          {['1 min', '10 min', '1 h', '1 day'].map((step) => (
            <Action key={step} run={() => move(control.clock.advance(durationOf(step)))}>
              + {step}
            </Action>
          ))}
          <Action
            run={() => move(control.clock.next())}
            disabled={!hasNext}
            aria-describedby={hasNext ? undefined : 'no-next'}
          >
            To the next change
          </Action>
          {!hasNext && <small id="no-next">No further changes.</small>}
        </div>
        <MoveForm move={move} />
        <Running speed={now.speed} move={move} />
      </div>
    </Card>
  );
};

type Move = (moved: Promise<ClockInfo>) => Promise<void>;

/** Converts `1 min` to the control's format. */
const durationOf = (step: string): string => step.replace(/ (.).*/, '$1');

const MoveForm = ({ move }: { readonly move: Move }) => {
  const { text, error, setError, input } = useText();
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <div class="row move">
        <Field label="Move by, or to" hint="10m, -1h30m, 2d, or 2026-01-15 13:00:00">
          <input
            {...input}
            class="mono"
            size={24}
            autocomplete="off"
            spellcheck={false}
            aria-describedby="move-error"
          />
        </Field>
        <Action
          type="submit"
          disabled={text.trim() === ''}
          run={() => move(moveBy(text.trim()))}
          fail={setError}
        >
          Move
        </Action>
      </div>
      <div id="move-error">
        <Failure message={error} />
      </div>
    </form>
  );
};

/** Advances by a duration, or to a date-time. Without a time zone it is in UTC, like all times on the page. */
const moveBy = (text: string): Promise<ClockInfo> => {
  if (!/^\d{4}-/.test(text))
    return control.clock.advance(/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
  const [, date, time = '00:00', seconds = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?$/.exec(text) ?? [];
  return control.clock.set(date === undefined ? text : `${date}T${time}${seconds}Z`);
};

const speeds = [1, 10, 60, 600, 3600];

const toOption = (speed: number): readonly [string, string] => {
  const [size, unit] = speed < 60 ? [1, 's'] : speed < 3600 ? [60, 'min'] : [3600, 'h'];
  return [String(speed), `${speed / size} ${unit} a second`];
};

const Running = ({ speed, move }: { readonly speed: number; readonly move: Move }) => {
  const [chosen, setChosen] = useState<number>();
  const shown = chosen ?? (speed === 0 ? 1 : speed);
  return (
    <form class="row" onSubmit={(event) => event.preventDefault()}>
      <Select
        label="Speed"
        value={String(shown)}
        options={[...new Set([...speeds, shown])].sort((a, b) => a - b).map(toOption)}
        set={(value) => setChosen(Number(value))}
      />
      <Action type="submit" class={speed === 0 ? 'main' : ''} run={() => move(control.clock.run(shown))}>
        {speed === 0 ? 'Run' : 'Run at this speed'}
      </Action>
      <Action
        run={() => move(control.clock.freeze())}
        disabled={speed === 0}
        class={speed === 0 ? '' : 'main'}
      >
        Freeze
      </Action>
    </form>
  );
};
