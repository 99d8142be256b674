import { useMemo, useRef, useState } from 'preact/hooks';
import { Field, Select } from '../fields.tsx';
import { Action, Card, Empty, Failure } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { go, type Route, setQuery, toHash } from '../route.ts';
import { toSortable } from '../sort-head.tsx';
import { texts } from '../texts.ts';
import { type GridColumn, type Rows, VirtualGrid } from '../virtual-grid.tsx';
import { Chosen, maxChosen } from './data-chosen.tsx';
import { columnsOf, templateOf } from './data-columns.tsx';
import {
  type AnyRecord,
  type KindInfo,
  type ListProps,
  linkTo,
  type Owner,
  recordsOf,
} from './data-kinds.ts';

const t = texts.data;

/** In a narrow list, a row has three lines. data.css has the same values. */
const heights = { wide: 34, narrow: 82, below: 720 };

/** Records are loaded in steps of this many, and at least so many around the visible ones. */
const step = 100;
const spare = 50;

/** The most records that the server sorts by any field. */
const maxSorted = 10_000;

/** The records of a kind, newest first; all, or those of one owner. Only those around the visible ones are loaded. */
export const RecordList = ({ kind, route, owner }: ListProps & { readonly route: Route }) => {
  const { query } = route;
  const { status = '', id = '', sort = '' } = query;
  const filters = JSON.stringify([status, id, sort]);
  const isFiltered = status !== '' || id !== '';
  const [range, setRange] = useState({ filters, offset: 0, limit: 2 * step });
  const { offset, limit } = range.filters === filters ? range : { offset: 0, limit: 2 * step };
  const owned: Owner = kind.owner && owner ? { [kind.owner.field]: owner } : {};
  const matching = { ...owned, ...(status && { status }), ...(id && { search: id }) };
  const order = sort
    ? ({ sort: sort.replace('-', ''), order: sort.startsWith('-') ? 'desc' : 'asc' } as const)
    : {};
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { value } = useQuery(
    ['list', kind.name, owner],
    async (control) => {
      const records = recordsOf(kind.name, control);
      const [listed, found, all] = await Promise.all([
        records.list({ ...matching, ...order, offset, limit }),
        records.count(matching),
        isFiltered ? records.count(owned) : undefined,
      ]);
      return { ...toRows(listed, offset, found), all: all ?? found };
    },
    [filters, offset, limit],
  );
  const onRange = (first: number, last: number): void => {
    const from = Math.max(0, Math.floor((first - spare) / step)) * step;
    setRange({ filters, offset: from, limit: Math.ceil((last + spare - from) / step) * step });
  };
  const columns = useMemo(() => columnsOf(kind, owner !== undefined), [kind, owner]);
  const grid = useRef<HTMLDivElement>(null);
  const choose = (ids: Iterable<string>): void => setChosen(new Set(ids));
  const turn = (key: string): void =>
    choose(chosen.has(key) ? [...chosen].filter((one) => one !== key) : [...chosen, key].slice(-maxChosen));
  const chooseAll = async (): Promise<void> => {
    const all =
      chosen.size > 0 ? [] : await recordsOf(kind.name).list({ ...matching, ...order, limit: maxChosen });
    choose(all.map((one) => one.id));
  };
  const boxes: GridColumn<AnyRecord> = {
    name: 'chosen',
    title: t.chooseAll,
    head: (
      <input
        type="checkbox"
        aria-label={t.chooseAll}
        title={t.chooseAll}
        checked={chosen.size > 0}
        onChange={() => void chooseAll()}
      />
    ),
    show: (record) => (
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={t.chooseOne(record.id)}
        checked={chosen.has(record.id)}
        onChange={() => turn(record.id)}
      />
    ),
  };
  const setSort = (next: string): void => setQuery(route, { sort: next });
  const isSortable = (field: string): boolean =>
    /^(?:id|created_at|status)$/.test(field) || (value?.count ?? 0) <= maxSorted;

  return (
    <Card label={kind.title}>
      <div class="data-tools">
        <Find kind={kind} id={id} onInput={(text) => setQuery(route, { id: text })} />
        {kind.states && (
          <Select
            label={t.state}
            value={status}
            options={[['', t.allStates], ...kind.states]}
            set={(chosen) => setQuery(route, { status: chosen })}
          />
        )}
        {kind.owner && query[kind.owner.key] !== undefined && (
          <button
            type="button"
            onClick={() => go(toHash('data', route.rest, { ...query, [kind.owner?.key ?? '']: '' }))}
          >
            {t.ofAll(kind.owner.kind)}
          </button>
        )}
      </div>
      {value === undefined ? (
        <Empty>{texts.common.loading}</Empty>
      ) : value.count === 0 ? (
        <Empty>{isFiltered ? t.noMatches : t.none(kind.name, kind.singular)}</Empty>
      ) : (
        <VirtualGrid
          key={filters}
          elementRef={grid}
          label={t.list(kind.name)}
          name="data-grid"
          columns={[
            boxes,
            ...columns.map((one) =>
              one.sort && isSortable(one.sort) ? toSortable(one, one.sort, sort, setSort) : one,
            ),
          ]}
          template={templateOf(columns)}
          rows={value}
          keyOf={({ id }) => id}
          heights={heights}
          open={(key) => go(linkTo(kind.name, key))}
          onKey={({ key }, record) => {
            if (key === ' ') turn(record.id);
            return key === ' ';
          }}
          onRange={onRange}
        />
      )}
      {chosen.size > 0 && (
        <Chosen
          kind={kind}
          ids={[...chosen]}
          clear={() => {
            choose([]);
            grid.current?.focus();
          }}
        />
      )}
      {value !== undefined && (
        <p class="muted data-total" role="status">
          {isFiltered
            ? t.found(value.count, value.all, kind.name)
            : t.total(value.all, kind.singular, kind.name)}
        </p>
      )}
    </Card>
  );
};

const toRows = (listed: readonly AnyRecord[], offset: number, count: number): Rows<AnyRecord> => ({
  count: Math.max(count, listed.length === 0 ? 0 : offset + listed.length), // a record may have come in between
  at: (index) => listed[index - offset],
  indexOf: (key) => {
    const index = listed.findIndex(({ id }) => id === key);
    return index === -1 ? -1 : offset + index;
  },
});

/** Part of an id filters the list. Enter opens the record with exactly this id, wherever it is in the list. */
const Find = ({
  kind,
  id,
  onInput,
}: {
  readonly kind: KindInfo;
  readonly id: string;
  readonly onInput: (text: string) => void;
}) => {
  const [error, setError] = useState<string>();
  const wanted = id.trim();
  const find = async (): Promise<void> => {
    if (wanted === '') return;
    const record = await recordsOf(kind.name).get(wanted);
    if (record === undefined) throw new Error(t.noId(kind.singular, wanted));
    location.hash = linkTo(kind.name, wanted);
  };
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <div class="data-find">
        <Field label={t.search}>
          <input
            class="mono"
            type="search"
            autocomplete="off"
            spellcheck={false}
            value={id}
            onInput={(event) => {
              setError(undefined);
              onInput(event.currentTarget.value);
            }}
          />
        </Field>
        <Action type="submit" run={find} fail={setError}>
          {t.find}
        </Action>
      </div>
      <Failure message={error} />
    </form>
  );
};
