import type { StatusHistory } from '../../control/status-histories.ts';
import { Action, Card, Empty, formatSpan, formatTime, RecordLink, Status } from '../parts.tsx';
import { texts } from '../texts.ts';
import { type Coming, listComing, titleOf } from './clock-changes.ts';
import { goTo } from './clock-move.ts';

const t = texts.clock;

/** The next changes as text, each with a button that moves the clock there. */
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
    <Card title={t.coming}>
      {coming.length === 0 && upcoming === undefined && <Empty>{t.noneComing}</Empty>}
      <ol class="coming">
        {upcoming !== undefined && upcoming > now && upcoming < first && (
          <li>
            <When at={upcoming} now={now} />
            <span class="both">{t.appears}</span>
            <GoHere at={upcoming} what={t.appears} />
          </li>
        )}
        {coming.slice(0, 8).map((one, index) => (
          // By its place, so that the focus stays on the button when the first change is no longer listed.
          <ComingItem key={index} coming={one} now={now} />
        ))}
      </ol>
      {coming.length > 8 && <p class="muted">{t.more(coming.length - 8)}</p>}
    </Card>
  );
};

const ComingItem = ({
  coming: { at, from, to, timeline },
  now,
}: {
  readonly coming: Coming;
  readonly now: number;
}) => (
  <li>
    <When at={at} now={now} />
    <RecordLink kind={timeline.kind} id={timeline.id} title={titleOf(timeline)} />
    <span>
      <Status status={from} /> → <Status status={to} />
    </span>
    <GoHere at={at} what={t.becomes(timeline.id, to)} />
  </li>
);

const GoHere = ({ at, what }: { readonly at: number; readonly what: string }) => (
  <Action run={() => goTo(at)} done={t.moved} undo={1} aria-label={t.goHereTo(what)} title={formatTime(at)}>
    {t.goHere}
  </Action>
);

const When = ({ at, now }: { readonly at: number; readonly now: number }) => (
  <time dateTime={new Date(at * 1000).toISOString()} title={formatTime(at)}>
    {t.in(formatSpan(Math.ceil(at - now)))}
  </time>
);
