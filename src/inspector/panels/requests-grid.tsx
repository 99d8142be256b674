import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Name } from '../name.tsx';
import { Badge, formatTime } from '../parts.tsx';
import { control } from '../session.ts';
import { toSortable } from '../sort-head.tsx';
import { texts } from '../texts.ts';
import { type GridColumn, type Rows, VirtualGrid } from '../virtual-grid.tsx';
import { Outcome } from './requests-outcome.tsx';
import { formatDuration, isSortable, type Row, targetOf } from './requests-rows.ts';

const t = texts.requests;

/** In a narrow list, a row has two lines. requests.css has the same values. */
const heights = { wide: 34, narrow: 58, below: 900 };

/** How many more rows are loaded than are rendered. */
const spare = 6;

export interface OpenHow {
  /** Adds no entry to the browser's history. */
  readonly replace?: boolean;
  /** Whether to scroll to the details or focus them when they are shown: in a narrow window, they are below the list. */
  readonly details?: 'focus' | 'reveal';
}

interface GridProps {
  readonly elementRef: RefObject<HTMLDivElement | null>;
  /** Newest first. */
  readonly rows: readonly Row[];
  /** How many older rows are not loaded yet. They have their place in the list. */
  readonly unread: number;
  /** Loads at least as many of them. */
  readonly readMore: (count: number) => unknown;
  /** The column that they are sorted by, after a minus for the greatest first. */
  readonly sort: string;
  readonly setSort: (sort: string) => void;
  readonly selected: string | undefined;
  readonly open: (key: string, how?: OpenHow) => void;
}

const waysToOpen = {
  click: { details: 'reveal' },
  enter: { details: 'focus' },
  move: { replace: true },
} as const;

/** The list of requests. */
export const RequestGrid = ({
  elementRef,
  rows: loaded,
  unread,
  readMore,
  sort,
  setSort,
  selected,
  open,
}: GridProps) => {
  const [[first, last], setRange] = useState<readonly [number, number]>([0, 0]);
  const rows = useMemo<Rows<Row>>(
    () => ({
      count: loaded.length + unread,
      at: (index) => loaded[index],
      indexOf: (wanted) => loaded.findIndex(({ key }) => key === wanted),
    }),
    [loaded, unread],
  );
  const durations = useLateDurations(loaded.slice(first, last));
  const onRange = (from: number, to: number): void => {
    setRange([from, to]);
    if (to > loaded.length) readMore(to - loaded.length + spare);
  };
  return (
    <VirtualGrid
      elementRef={elementRef}
      label={t.list}
      name="request-grid"
      columns={columnsOf(durations).map((column) =>
        isSortable(column.name) ? toSortable(column, column.name, sort, setSort) : column,
      )}
      rows={rows}
      keyOf={({ key }) => key}
      heights={heights}
      selected={selected}
      open={(key, by) => open(key, waysToOpen[by])}
      onRange={onRange}
    />
  );
};

const columnsOf = (durations: ReadonlyMap<string, number>): readonly GridColumn<Row>[] => [
  { name: 'number', title: t.columns.number, show: ({ request }) => request.ordinal },
  { name: 'status', title: t.columns.status, show: ({ request }) => <Outcome request={request} /> },
  {
    name: 'target',
    title: t.columns.target,
    hint: ({ request }) => `${request.method} ${targetOf(request)}`,
    show: ({ request }) => (
      <>
        <b>
          <Name text={request.method} />
        </b>{' '}
        <Name text={targetOf(request)} />
      </>
    ),
  },
  { name: 'operation', title: t.columns.operation, show: ({ request }) => request.operation ?? '' },
  { name: 'marks', title: t.columns.marks, show: (row) => <Marks {...row} /> },
  {
    name: 'duration',
    title: t.columns.duration,
    show: ({ request: { id, duration } }) => (id === '' ? '' : formatDuration(duration ?? durations.get(id))),
  },
  {
    name: 'when',
    title: t.columns.when,
    hint: ({ request }) => new Date(request.receivedAt).toLocaleString(),
    show: ({ request }) => new Date(request.receivedAt).toLocaleTimeString('en-GB'),
  },
  {
    name: 'world',
    title: t.columns.world,
    hint: ({ request }) => formatTime(request.time),
    show: ({ request, isLater }) => isLater && <When time={formatTime(request.time)} />,
  },
];

const Marks = ({ request: { operation, upstream, faults, assumptions } }: Row) => (
  <>
    {upstream !== null && <Badge title={upstream}>{t.passedOn}</Badge>}
    {operation === null && upstream === null && <Badge tone="warn">{t.unmatched}</Badge>}
    {faults.length > 0 && (
      <Badge tone="bad" title={faults.join('\n')}>
        {t.faults(faults.length)}
      </Badge>
    )}
    {assumptions.length > 0 && (
      <Badge tone="info" title={assumptions.join('\n')}>
        {t.assumed(assumptions.length)}
      </Badge>
    )}
  </>
);

/** The date is left out if there is no room for it. */
const When = ({ time }: { readonly time: string }) => {
  const [date = '', ofDay] = time.split(/(?<= )/);
  return (
    <>
      <span class={ofDay && 'date'}>{date}</span>
      {ofDay}
    </>
  );
};

/** The event of a request comes before a delayed reply is sent, or all of another server's, so its duration is known later. */
const useLateDurations = (rows: readonly Row[]): ReadonlyMap<string, number> => {
  const [known, setKnown] = useState<ReadonlyMap<string, number>>(new Map());
  const waiting = rows.filter(
    ({ request: { id, duration } }) => !known.has(id) && id !== '' && duration === null,
  );
  const isWaiting = waiting.length > 0;
  const isPassed = waiting.some(({ request: { upstream } }) => upstream !== null);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(async () => {
      const requests = await control.requests
        .list(isPassed ? {} : { faulted: true }, { limit: 1000, bodies: false, kept: true })
        .catch(() => []);
      const ended = requests.flatMap(({ id, duration }) =>
        duration === null ? [] : [[id, duration] as const],
      );
      setKnown((before) => new Map([...before, ...ended]));
    }, 1000);
    return () => clearInterval(timer);
  }, [isWaiting, isPassed]);
  return known;
};
