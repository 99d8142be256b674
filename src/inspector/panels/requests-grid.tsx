import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { control } from '../live.ts';
import { Badge, formatTime } from '../parts.tsx';
import { Outcome } from './requests-outcome.tsx';
import { formatDuration, type Row, targetOf } from './requests-rows.ts';

/** The height of a row, in pixels. In a narrow list, it has two lines. requests.css has the same values. */
const heights = { wide: 34, narrow: 58 };
const narrowBelow = 900;

/** How many rows are rendered above and below the visible ones. */
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
  readonly selected: string | undefined;
  readonly open: (key: string, how?: OpenHow) => void;
}

/**
 * The list of requests, of any length: only the visible rows are in the document. The arrow keys move, Enter opens; once
 * one is open, moving opens the next.
 */
export const RequestGrid = ({ elementRef, rows, selected, open }: GridProps) => {
  const view = useView(elementRef);
  const [moved, setMoved] = useState<string>();
  const active = selected ?? moved;
  const at = rows.findIndex(({ key }) => key === active);
  const height = view.width < narrowBelow ? heights.narrow : heights.wide;
  useSteadyScroll(elementRef, rows, height);

  const first = Math.max(0, Math.floor(view.top / height) - spare);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / height) + spare);
  const visible = rows.slice(first, last);
  const durations = useLateDurations(visible);

  const reveal = (index: number): void => {
    const element = elementRef.current;
    if (element === null) return;
    if (index * height < element.scrollTop) element.scrollTop = index * height;
    else if ((index + 1) * height > element.scrollTop + view.height)
      element.scrollTop = (index + 1) * height - view.height;
  };
  // A shared link may open one far down.
  useLayoutEffect(() => {
    if (selected !== undefined && at !== -1) reveal(at);
  }, [selected, at !== -1, height, view.height]);

  const moveTo = (index: number): void => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[to];
    if (row === undefined) return;
    setMoved(row.key);
    reveal(to);
    if (selected !== undefined) open(row.key, { replace: true });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(view.height / height) - 1);
    const to: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const index = to[event.key];
    if (index !== undefined) moveTo(index);
    else if (event.key === 'Enter' && active !== undefined && at !== -1) {
      open(active, { details: 'focus' });
    } else return;
    event.preventDefault();
  };

  return (
    <div
      ref={elementRef}
      class={`request-grid ${height === heights.narrow ? 'narrow' : ''}`}
      role="grid"
      tabIndex={0}
      aria-label="Requests, newest first"
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={at >= first && at < last ? toElementId(at) : undefined}
      onKeyDown={onKeyDown}
      onFocus={() => active === undefined && setMoved(rows[0]?.key)}
    >
      <div role="rowgroup" class="request-head">
        {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, and says which row is meant */}
        <div role="row" aria-rowindex={1} class="request-row">
          {columns.map(([name, title]) => (
            <Cell key={name} role="columnheader" name={name}>
              {title}
            </Cell>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="request-rows" style={{ height: `${rows.length * height}px` }}>
        {visible.map(({ key, request }, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keyboard
          <div
            key={key}
            id={toElementId(first + index)}
            role="row"
            aria-rowindex={first + index + 2}
            aria-selected={key === selected}
            class={`request-row ${key === active ? 'active' : ''}`}
            style={{ transform: `translateY(${(first + index) * height}px)` }}
            onClick={() => {
              setMoved(key);
              open(key, { details: 'reveal' });
            }}
          >
            <Cell name="status">
              <Outcome request={request} />
            </Cell>
            <Cell name="target" title={`${request.method} ${targetOf(request)}`}>
              <b>{request.method}</b> {targetOf(request)}
            </Cell>
            <Cell name="operation">{request.operation ?? ''}</Cell>
            <Cell name="marks">
              {request.operation === null && <Badge tone="warn">unmatched</Badge>}
              {request.faults.length > 0 && (
                <Badge tone="bad" title={request.faults.join('\n')}>
                  {request.faults.length === 1 ? 'fault' : `${request.faults.length} faults`}
                </Badge>
              )}
              {request.assumptions.length > 0 && (
                <Badge tone="info" title={request.assumptions.join('\n')}>
                  {request.assumptions.length} assumed
                </Badge>
              )}
            </Cell>
            <Cell name="duration">
              {request.id === '' ? '' : formatDuration(request.duration ?? durations.get(request.id))}
            </Cell>
            <Cell name="when" title={formatTime(request.time)}>
              <When time={formatTime(request.time)} />
            </Cell>
          </div>
        ))}
      </div>
    </div>
  );
};

const columns = [
  ['status', 'Status'],
  ['target', 'Request'],
  ['operation', 'Operation'],
  ['marks', 'Marks'],
  ['duration', 'Duration'],
  ['when', 'World time'],
] as const;

const Cell = ({
  name,
  role = 'gridcell',
  title,
  children,
}: {
  readonly name: (typeof columns)[number][0];
  readonly role?: 'gridcell' | 'columnheader';
  readonly title?: string;
  readonly children: ComponentChildren;
}) => (
  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have it
  <span role={role} class={name} title={title} aria-colindex={columns.findIndex(([one]) => one === name) + 1}>
    {children}
  </span>
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

const toElementId = (index: number): string => `request-row-${index}`;

/** The visible part of the rows. */
const useView = (ref: RefObject<HTMLDivElement | null>) => {
  const [view, setView] = useState({ top: 0, height: 600, width: 1200 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const read = (): void => {
      const head = element.firstElementChild?.clientHeight ?? 0;
      setView({
        top: element.scrollTop,
        height: element.clientHeight - head,
        width: element.clientWidth,
      });
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);
  return view;
};

/** Keeps the scroll position while rows are added above. */
const useSteadyScroll = (
  ref: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  height: number,
): void => {
  const before = useRef({ rows, height });
  useLayoutEffect(() => {
    const element = ref.current;
    const { rows: old, height: oldHeight } = before.current;
    before.current = { rows, height };
    if (element === null || element.scrollTop < oldHeight || (old === rows && oldHeight === height)) return;
    const top = Math.floor(element.scrollTop / oldHeight);
    const now = rows.findIndex(({ key }) => key === old[top]?.key);
    if (now !== -1) element.scrollTop = now * height + (element.scrollTop % oldHeight);
  }, [rows, height]);
};

/** The event of a request comes before a delayed reply is sent, so its duration is known later. */
const useLateDurations = (rows: readonly Row[]): ReadonlyMap<string, number> => {
  const [known, setKnown] = useState<ReadonlyMap<string, number>>(new Map());
  const isWaiting = rows.some(
    ({ request: { id, duration } }) => !known.has(id) && id !== '' && duration === null,
  );
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(async () => {
      const requests = await control.requests
        .list({ faulted: true }, { limit: 1000, bodies: false })
        .catch(() => []);
      const ended = requests.flatMap(({ id, duration }) =>
        duration === null ? [] : [[id, duration] as const],
      );
      setKnown((before) => new Map([...before, ...ended]));
    }, 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return known;
};
