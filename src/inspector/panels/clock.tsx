import { useState } from 'preact/hooks';
import type { ClockInfo } from '../../control/types.ts';
import { Field, Select, useText } from '../fields.tsx';
import { now as clock, type Now } from '../now.ts';
import { Action, Card, Failure, formatTime } from '../parts.tsx';
import { useQuery } from '../query.ts';
import type { Route } from '../route.ts';
import { control } from '../session.ts';
import { texts } from '../texts.ts';
import { ComingList } from './clock-coming.tsx';
import { Timeline } from './clock-timeline.tsx';

const t = texts.clock;

/** The maximum number of records that are requested: those that change next or changed last. */
const maxTimelines = 500;

export const ClockPanel = ({ route }: { readonly route: Route }) => {
  const now = clock.value;
  const { q: search } = route.query;
  const { value: known } = useQuery(
    'timelines',
    async ({ clock }) => {
      const timelines = await clock.timeline({ limit: maxTimelines });
      return {
        timelines,
        found: search ? await clock.timeline({ limit: maxTimelines, search }) : timelines,
        upcoming: await clock.upcoming(),
      };
    },
    search,
  );
  const upcoming = known?.upcoming === undefined ? undefined : Date.parse(known.upcoming) / 1000;
  return (
    <>
      {now && known && (
        <>
          <div class="columns">
            <Time now={now} hasNext={upcoming !== undefined} />
            <ComingList timelines={known.timelines} now={now.seconds} upcoming={upcoming} />
          </div>
          <Timeline timelines={known.found} now={now.seconds} route={route} />
        </>
      )}
    </>
  );
};

const Time = ({ now, hasNext }: { readonly now: Now; readonly hasNext: boolean }) => {
  const [said, setSaid] = useState('');
  const move = async (moved: Promise<ClockInfo>): Promise<void> => {
    const { now: time } = await moved;
    setSaid(t.itIs(formatTime(time)));
  };
  return (
    <Card label={t.time}>
      <p class="clock-time">
        <time dateTime={new Date(now.seconds * 1000).toISOString()}>
          {formatTime(Math.floor(now.seconds))}
        </time>{' '}
        <small>{t.utc}</small>
      </p>
      <p class="muted">{now.speed === 0 ? t.frozen : t.running(now.speed)}</p>
      <p class="hidden" role="status">
        {said}
      </p>
      <div class="stack">
        <div class="row">
          {t.steps.map((step) => (
            <Action
              key={step}
              run={() => move(control.clock.advance(durationOf(step)))}
              done={t.moved}
              undo={1}
            >
              + {step}
            </Action>
          ))}
          <Action
            run={() => move(control.clock.next())}
            done={t.moved}
            undo={1}
            disabled={!hasNext}
            aria-describedby={hasNext ? undefined : 'no-next'}
          >
            {t.next}
          </Action>
          {!hasNext && <small id="no-next">{t.noNext}</small>}
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
        <Field label={t.moveBy} hint={t.moveHint}>
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
          done={t.moved}
          undo={1}
          fail={setError}
        >
          {t.move}
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
  const [size, unit] =
    speed < 60 ? [1, texts.units.second] : speed < 3600 ? [60, texts.units.minute] : [3600, texts.units.hour];
  return [String(speed), t.aSecond(speed / size, unit)];
};

const Running = ({ speed, move }: { readonly speed: number; readonly move: Move }) => {
  const [chosen, setChosen] = useState<number>();
  const shown = chosen ?? (speed === 0 ? 1 : speed);
  return (
    <form class="row" onSubmit={(event) => event.preventDefault()}>
      <Select
        label={t.speed}
        value={String(shown)}
        options={[...new Set([...speeds, shown])].sort((a, b) => a - b).map(toOption)}
        set={(value) => setChosen(Number(value))}
      />
      <Action
        type="submit"
        class={speed === 0 ? 'main' : ''}
        run={() => move(control.clock.run(shown))}
        done={t.moved}
        undo={1}
      >
        {speed === 0 ? t.run : t.runFaster}
      </Action>
      <Action
        run={() => move(control.clock.freeze())}
        done={t.moved}
        undo={1}
        disabled={speed === 0}
        class={speed === 0 ? '' : 'main'}
      >
        {t.freeze}
      </Action>
    </form>
  );
};
