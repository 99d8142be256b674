import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RecordedRequest } from '../../journal/recorded-request.ts';
import { Check, Field, Options, Search, Select } from '../fields.tsx';
import { connection, journal, requests as live, older, readOlder } from '../live.ts';
import { operations } from '../operations.ts';
import { Action, Card, Empty, Rich } from '../parts.tsx';
import { go, type Route, setQuery, toHash } from '../route.ts';
import { control } from '../session.ts';
import { texts } from '../texts.ts';
import { SessionComparison } from './requests-compare.tsx';
import { RequestDetails } from './requests-details.tsx';
import { FirstUse } from './requests-first.tsx';
import { maxFound, useFound } from './requests-found.ts';
import { type OpenHow, RequestGrid } from './requests-grid.tsx';
import { type Filters, filterNames, isStatus, keyOf, sortRows, toFilter, toRows } from './requests-rows.ts';
import { Walks } from './requests-walks.tsx';

const t = texts.requests;

export const RequestsPanel = ({ route }: { readonly route: Route }) => {
  if (journal.value === undefined) return <Empty>{texts.common.loading}</Empty>;
  if (journal.value > 0)
    return (
      <>
        <Views current={route.rest[0]} />
        {route.rest[0] === 'walks' ? (
          <Walks route={route} />
        ) : route.rest[0] === 'sessions' ? (
          <SessionComparison route={route} />
        ) : (
          <Journal route={route} />
        )}
      </>
    );
  return (
    <Card label={t.title}>
      <Empty>
        <Rich text={t.off} />
      </Empty>
    </Card>
  );
};

/** How many of the newest requests a request can be compared with. */
const maxOthers = 100;

/** The views of the journal. */
const Views = ({ current }: { readonly current: string | undefined }) => (
  <nav class="row views" aria-label={t.views}>
    {Object.entries(t.viewNames).map(([view, name]) => (
      <a
        key={view}
        href={toHash('requests', view === 'list' ? [] : [view])}
        aria-current={view === (current && current in t.viewNames ? current : 'list') ? 'page' : undefined}
      >
        {name}
      </a>
    ))}
  </nav>
);

const Journal = ({ route }: { readonly route: Route }) => {
  const [held, setHeld] = useState<readonly RecordedRequest[]>();
  const [wanted, setWanted] = useState(200);
  const grid = useRef<HTMLDivElement>(null);
  const { with: other, ...filters } = route.query;
  const filter = useMemo(
    () => toFilter(filters),
    filterNames.map((name) => filters[name]),
  );
  const found = useFound(filter, held === undefined && !filters.sort ? wanted : maxFound);
  const kept = held ?? live.value;
  const requests = useMemo(() => {
    if (filter === undefined) return kept;
    const numbers = held && new Set(held.map(({ ordinal }) => ordinal));
    return (found?.requests ?? []).filter(({ ordinal }) => numbers?.has(ordinal) ?? true);
  }, [filter === undefined, kept, found]);
  const { sort = '' } = filters;
  const rows = useMemo(() => sortRows(toRows(requests), sort), [requests, sort]);
  const [selected] = route.rest;
  const row = useMemo(
    () => [...requests, ...kept].find((one) => keyOf(one) === selected),
    [requests, kept, selected],
  );

  // A link may be to a request that is not loaded yet.
  const isSought = (selected !== undefined && row === undefined) || (sort !== '' && filter === undefined);
  const unread = held === undefined ? older.value : 0;
  useEffect(() => {
    if (isSought) void readOlder();
  }, [isSought, unread]);
  const unfound = held === undefined && found ? found.total - rows.length : 0;

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
  const pause = async (): Promise<void> => {
    await readOlder();
    setHeld(held === undefined ? live.value : undefined);
  };
  const clear = async (): Promise<void> => {
    await control.requests.clear();
    setHeld(undefined);
    if (selected !== undefined) close();
  };

  return (
    <>
      <FilterBar route={{ ...route, panel: 'requests' }} />
      <div class="row">
        <Count
          shown={rows.length + (filter === undefined ? unread : unfound)}
          all={kept.length + unread}
          waiting={held && countNew(held, live.value)}
        />
        <span class="aside">
          <button
            type="button"
            aria-pressed={held !== undefined}
            onClick={() => void pause()}
            title={t.pauseHint}
          >
            {t.pause}
          </button>
          <Action run={clear} done={t.cleared}>
            {t.clear}
          </Action>
        </span>
      </div>
      <div class={`requests ${selected === undefined ? '' : 'with-details'}`}>
        {rows.length > 0 ? (
          <RequestGrid
            elementRef={grid}
            rows={rows}
            unread={filter === undefined ? unread : unfound}
            readMore={filter === undefined ? readOlder : (more) => setWanted(rows.length + more)}
            sort={sort}
            setSort={(next) => setQuery({ ...route, panel: 'requests' }, { sort: next })}
            selected={selected}
            open={open}
          />
        ) : (
          <div class="card" ref={grid} tabIndex={-1}>
            <Nothing
              isEmpty={filter === undefined}
              isKnown={connection.value === 'open' && (filter === undefined || found !== undefined)}
            />
          </div>
        )}
        {selected !== undefined && (
          <RequestDetails
            key={selected}
            id={selected}
            other={other}
            others={rows.slice(0, maxOthers).map(({ request }) => request)}
            row={row}
            close={close}
            arrive={arrive}
          />
        )}
      </div>
    </>
  );
};

const countNew = (held: readonly RecordedRequest[], now: readonly RecordedRequest[]): number => {
  const known = new Set(toRows(held).map(({ key }) => key));
  return toRows(now).filter(({ key }) => !known.has(key)).length;
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
    {t.count(shown, all)}
    {waiting !== undefined && t.paused(waiting)}
  </span>
);

const Nothing = ({ isEmpty, isKnown }: { readonly isEmpty: boolean; readonly isKnown: boolean }) => {
  if (!isKnown) return <Empty>{texts.common.loading}</Empty>;
  if (isEmpty) return <FirstUse />;
  return (
    <Empty>
      {t.noMatch} <a href={toHash('requests')}>{t.showAll}</a>
    </Empty>
  );
};

const FilterBar = ({ route }: { readonly route: Route }) => {
  const filters: Filters = route.query;
  const [text, setText] = useState(filters.search ?? '');
  useLayoutEffect(() => setText(filters.search ?? ''), [filters.search]);
  const bar = useRef<HTMLElement>(null);
  useSearchKeys(bar);
  const status = filters.status ?? '';
  const isAny = filterNames.some((name) => filters[name]);
  return (
    <search class="row filters" ref={bar}>
      <Search
        label={t.search}
        placeholder={t.searchHint}
        title={t.searchKeys}
        value={text}
        set={(typed) => {
          setText(typed);
          setQuery(route, { search: typed });
        }}
      />
      <Select
        label={t.operation}
        value={filters.operation ?? ''}
        options={[['', t.all], ...operations.map(({ id }) => id).sort()]}
        set={(operation) => setQuery(route, { operation })}
      />
      <Field label={t.status}>
        <input
          class="status"
          list="statuses"
          placeholder={t.all}
          value={status}
          autocomplete="off"
          aria-invalid={status !== '' && !isStatus(status)}
          onInput={({ currentTarget }) =>
            setQuery(route, { status: currentTarget.value.trim().toLowerCase() })
          }
        />
        <datalist id="statuses">
          <Options of={Object.entries(t.statuses)} />
        </datalist>
      </Field>
      <Check
        label={t.faulted}
        isOn={Boolean(filters.faulted)}
        set={(isOn) => setQuery(route, { faulted: isOn ? '1' : '' })}
      />
      <Check
        label={t.unmatchedOnly}
        isOn={Boolean(filters.unmatched)}
        set={(isOn) => setQuery(route, { unmatched: isOn ? '1' : '' })}
      />
      {isAny && (
        <a class="button" href={toHash('requests', route.rest)}>
          {t.showAll}
        </a>
      )}
    </search>
  );
};

/** Ctrl+F and / go to the search, since the browser's own finds only the visible rows. A second Ctrl+F is the browser's. */
const useSearchKeys = (bar: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const input = bar.current?.querySelector('input');
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
      const isFind =
        (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'f';
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping;
      if (!input || event.defaultPrevented || document.activeElement === input || !(isFind || isSlash))
        return;
      event.preventDefault();
      input.select();
      input.focus();
    };
    const isFirst = true; // ahead of the page's own meaning of /
    addEventListener('keydown', onKeyDown, isFirst);
    return () => removeEventListener('keydown', onKeyDown, isFirst);
  }, []);
};
