import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RecordedRequest } from '../../journal/entry.ts';
import { Check, Search, Select } from '../fields.tsx';
import { baseUrl, control, useLive } from '../live.ts';
import { Action, Card, Empty } from '../parts.tsx';
import { go, type Route, setQuery, toHash } from '../route.ts';
import { RequestDetails } from './requests-details.tsx';
import { type OpenHow, RequestGrid } from './requests-grid.tsx';
import { type Filters, filterNames, isShown, statusClasses, toRows } from './requests-rows.ts';

export const RequestsPanel = ({ route }: { readonly route: Route }) => {
  const journal = useLive('journal');
  if (journal === undefined) return <Empty>…</Empty>;
  if (journal > 0) return <Journal route={route} />;
  return (
    <Card label="Requests">
      <Empty>
        The journal is off, so requests are not kept or shown here. Start the server without{' '}
        <code>--journal 0</code> (in code, <code>journal: 0</code>), and it keeps the last 1000.
      </Empty>
    </Card>
  );
};

const Journal = ({ route }: { readonly route: Route }) => {
  const live = useLive('requests');
  const connection = useLive('connection');
  const [held, setHeld] = useState<readonly RecordedRequest[]>();
  const grid = useRef<HTMLDivElement>(null);
  const requests = held ?? live;
  const filters = route.query;
  const rows = useMemo(() => toRows(requests), [requests]);
  const shown = useMemo(
    () => rows.filter(({ request }) => isShown(request, filters)),
    [rows, ...filterNames.map((name) => filters[name])],
  );
  const [selected] = route.rest;
  const row = useMemo(() => rows.find(({ key }) => key === selected), [rows, selected]);

  // A link to a request scrolls to it.
  const next = useRef<OpenHow['details']>('reveal');
  const arrive = (): void => {
    const element = document.getElementById('request-details');
    if (next.current === 'focus') element?.focus({ preventScroll: true });
    const isBelow = element && grid.current && element.offsetTop > grid.current.offsetTop;
    if (next.current !== undefined) element?.scrollIntoView({ block: isBelow ? 'start' : 'nearest' });
    next.current = undefined;
  };
  const open = (key: string, { replace = false, details }: OpenHow = {}): void => {
    next.current = details;
    if (key === selected) arrive();
    else go(toHash('requests', [key], filters), { replace });
  };
  const close = (): void => {
    go(toHash('requests', [], filters));
    grid.current?.focus();
  };
  const clear = async (): Promise<void> => {
    await control.requests.clear();
    setHeld(undefined);
    if (selected !== undefined) close();
  };

  return (
    <>
      <FilterBar route={{ ...route, panel: 'requests' }} rows={rows.map(({ request }) => request)} />
      <div class="row">
        <Count shown={shown.length} all={rows.length} waiting={held && countNew(held, live)} />
        <span class="aside">
          <button
            type="button"
            aria-pressed={held !== undefined}
            onClick={() => setHeld(held === undefined ? live : undefined)}
            title="Pauses the list"
          >
            Pause
          </button>
          <Action run={clear} done="The requests were cleared">
            Clear
          </Action>
        </span>
      </div>
      <div class={`requests ${selected === undefined ? '' : 'with-details'}`}>
        {shown.length > 0 ? (
          <RequestGrid elementRef={grid} rows={shown} selected={selected} open={open} />
        ) : (
          <div class="card" ref={grid} tabIndex={-1}>
            <Nothing isEmpty={rows.length === 0} isKnown={connection === 'open'} />
          </div>
        )}
        {selected !== undefined && (
          <RequestDetails key={selected} id={selected} row={row?.request} close={close} arrive={arrive} />
        )}
      </div>
    </>
  );
};

const countNew = (held: readonly RecordedRequest[], live: readonly RecordedRequest[]): number => {
  const known = new Set(toRows(held).map(({ key }) => key));
  return toRows(live).filter(({ key }) => !known.has(key)).length;
};

const Count = ({
  shown,
  all,
  waiting,
}: {
  readonly shown: number;
  readonly all: number;
  /** The number of requests since the list was paused. */
  readonly waiting: number | undefined;
}) => (
  <span class="muted">
    {shown === all ? count(all) : `${shown.toLocaleString('en')} of ${count(all)}`}
    {waiting !== undefined && ` · paused, ${waiting} more since`}
  </span>
);

const count = (number: number): string =>
  `${number.toLocaleString('en')} ${number === 1 ? 'request' : 'requests'}`;

const Nothing = ({ isEmpty, isKnown }: { readonly isEmpty: boolean; readonly isKnown: boolean }) => {
  if (!isKnown) return <Empty>…</Empty>;
  if (isEmpty)
    return (
      <Empty>
        No requests yet. Point your app at <code>{baseUrl}</code>
      </Empty>
    );
  return (
    <Empty>
      No matching requests. <a href={toHash('requests')}>Show all</a>
    </Empty>
  );
};

const FilterBar = ({ route, rows }: { readonly route: Route; readonly rows: readonly RecordedRequest[] }) => {
  const filters: Filters = route.query;
  const [text, setText] = useState(filters.text ?? '');
  useLayoutEffect(() => setText(filters.text ?? ''), [filters.text]);
  const operations = new Set(rows.flatMap(({ operation }) => operation ?? []));
  if (filters.operation) operations.add(filters.operation);
  const isAny = filterNames.some((name) => filters[name]);
  return (
    <search class="row filters">
      <Search
        label="Search"
        placeholder="Path, operation or id"
        value={text}
        set={(typed) => {
          setText(typed);
          setQuery(route, { text: typed });
        }}
      />
      <Select
        label="Operation"
        value={filters.operation ?? ''}
        options={[['', 'All'], ...[...operations].sort()]}
        set={(operation) => setQuery(route, { operation })}
      />
      <Select
        label="Status"
        value={filters.status ?? ''}
        options={[['', 'All'], ...statusClasses]}
        set={(status) => setQuery(route, { status })}
      />
      <Check
        label="Faulted"
        isOn={Boolean(filters.faulted)}
        set={(isOn) => setQuery(route, { faulted: isOn ? '1' : '' })}
      />
      <Check
        label="Unmatched"
        isOn={Boolean(filters.unmatched)}
        set={(isOn) => setQuery(route, { unmatched: isOn ? '1' : '' })}
      />
      {isAny && (
        <a class="button" href={toHash('requests', route.rest)}>
          Show all
        </a>
      )}
    </search>
  );
};
