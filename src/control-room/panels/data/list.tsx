import { Button, Checkbox, CloseButton, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { Action } from '../../action.tsx';
import { countOf, formatCount } from '../../format.ts';
import { Grid, type GridColumn, type Rows } from '../../grid.tsx';
import { type AnyRecord, linkTo, recordsOf } from '../../kinds.ts';
import { go, type Route, setQuery, toHash } from '../../route.ts';
import { isolate } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { Chosen, maxChosen } from './chosen.tsx';
import { columnsOf, stack } from './columns.tsx';
import type { Kind } from './kinds.ts';

/** Records are loaded in steps of this many, and at least so many around the visible ones. */
const step = 100;
const spare = 50;

/** The most records that the server sorts by any field. */
const maxSorted = 10_000;

/** How long nothing is typed before a search begins, in milliseconds. */
const pause = 300;

/** How many empty rows are shown while a search runs. */
const skeletons = 8;

interface RecordListProps {
  readonly kind: Kind;
  readonly route: Route;
  /** The id of the owner, if only its records are shown. */
  readonly owner: string | undefined;
}

/** The records of a kind, newest first; all, or those of one owner. Only those around the visible ones are loaded. */
export const RecordList = ({ kind, route, owner }: RecordListProps) => {
  const { query } = route;
  const { status = '', id = '', sort = '' } = query;
  const [search] = useDebouncedValue(id, pause);
  const filters = JSON.stringify([status, search, sort]);
  const isFiltered = status !== '' || search !== '';
  const [range, setRange] = useState({ filters, offset: 0, limit: 2 * step });
  const { offset, limit } = range.filters === filters ? range : { offset: 0, limit: 2 * step };
  const owned = kind.owner && owner ? { [kind.owner.field]: owner } : {};
  const matching = { ...owned, ...(status && { status }), ...(search && { search }) };
  const order = sort
    ? ({ sort: sort.replace('-', ''), order: sort.startsWith('-') ? 'desc' : 'asc' } as const)
    : {};
  const { value } = useQuery(
    ['list', kind.name, owner],
    async (control) => {
      const records = recordsOf(kind.name, control);
      const [listed, count, all] = await Promise.all([
        records.list({ ...matching, ...order, offset, limit }),
        records.count(matching),
        isFiltered ? records.count(owned) : undefined,
      ]);
      return { filters, listed, count, all: all ?? count, offset };
    },
    { details: [filters, offset, limit] },
  );
  const isSearching = search !== id || (value !== undefined && value.filters !== filters);
  const rows = useMemo(
    () => (value === undefined || isSearching ? emptyRows : toRows(value.listed, value.offset, value.count)),
    [value, isSearching],
  );
  const onRange = useMemo(
    () => (first: number, last: number) => {
      const from = Math.max(0, Math.floor((first - spare) / step)) * step;
      setRange({ filters, offset: from, limit: Math.max(2, Math.ceil((last + spare - from) / step)) * step });
    },
    [filters],
  );

  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLDivElement>(null);
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
    title: (
      <Checkbox
        size="xs"
        aria-label={`Choose all, up to ${maxChosen}, or none`}
        checked={chosen.size > 0}
        onChange={() => void chooseAll()}
      />
    ),
    width: '20px',
    show: (record) => (
      <Checkbox
        size="xs"
        tabIndex={-1}
        aria-label={isolate(`Choose ${record.id}`)}
        checked={chosen.has(record.id)}
        onChange={() => turn(record.id)}
      />
    ),
  };
  const isPolicies = kind.name === 'policies';
  const isNarrow = useMediaQuery(isPolicies ? '(max-width: 68em)' : '(max-width: 48em)', false, {
    getInitialValueInEffect: false,
  });
  const columns = columnsOf(kind, owner !== undefined).map((one) => {
    const isSortable =
      /^(?:id|created_at|status)$/.test(one.sortKey ?? '') || (value?.count ?? 0) <= maxSorted;
    const { sortKey, ...others } = one;
    return isSortable ? one : others;
  });
  const isPhone = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  const [wide, narrow] = isPolicies ? [48, isPhone ? 150 : 94] : [34, 76];
  const rowHeight = isNarrow ? narrow : wide;
  const shown = Math.min(rows.count, 400);
  return (
    <Stack gap="xs" ref={box}>
      <Group align="flex-end" gap="sm">
        <Find kind={kind} id={id} onInput={(text) => setQuery(route, { id: text })} />
        {kind.states && (
          <NativeSelect
            label="Status"
            data={[{ value: '', label: 'all' }, ...kind.states]}
            value={status}
            onChange={(event) => setQuery(route, { status: event.currentTarget.value })}
          />
        )}
        {kind.owner && query[kind.owner.key] !== undefined && route.rest.length === 1 && (
          <Button
            variant="default"
            onClick={() => go(toHash('data', route.rest, { ...query, [kind.owner?.key ?? '']: '' }))}
          >
            Of all {kind.owner.kind}
          </Button>
        )}
        <Text size="sm" c="dimmed" role="status" className="data-total">
          {isSearching
            ? 'Searching …'
            : value &&
              (isFiltered
                ? `${formatCount(value.count)} of ${countOf(value.all, kind.singular, kind.name)}`
                : countOf(value.all, kind.singular, kind.name))}
        </Text>
      </Group>
      {chosen.size > 0 && (
        <Chosen
          kind={kind}
          ids={[...chosen]}
          clear={() => {
            choose([]);
            box.current?.querySelector<HTMLElement>('[role=grid]')?.focus();
          }}
        />
      )}
      {rows.count === 0 ? (
        <Text c="dimmed">
          {isFiltered
            ? `No ${kind.singular} matches.`
            : `No ${kind.name} yet. Create one with “New ${kind.singular}”, or load another scenario.`}
        </Text>
      ) : (
        <div className={isPolicies ? 'data-list data-policies' : 'data-list'}>
          <Grid
            label={`List of ${kind.name}`}
            columns={isNarrow ? [boxes, stack(columns)] : [boxes, ...columns]}
            rows={rows}
            keyOf={keyOf}
            rowHeight={rowHeight}
            height={`min(${shown * rowHeight + 38}px, max(320px, 100vh - 330px))`}
            sort={sort}
            setSort={(next) => setQuery(route, { sort: next })}
            open={(key) => go(linkTo(kind.name, key))}
            onKey={({ key }, record) => {
              if (key === ' ') turn(record.id);
              return key === ' ';
            }}
            onRange={onRange}
          />
        </div>
      )}
    </Stack>
  );
};

const keyOf = ({ id }: AnyRecord): string => id;

/** Skeletons, while nothing is known yet. */
const emptyRows: Rows<AnyRecord> = { count: skeletons, at: () => undefined, indexOf: () => -1 };

const toRows = (listed: readonly AnyRecord[], offset: number, count: number): Rows<AnyRecord> => ({
  count: Math.max(count, listed.length === 0 ? 0 : offset + listed.length), // a record may have come in between
  at: (index) => listed[index - offset],
  indexOf: (key) => {
    const index = listed.findIndex(({ id }) => id === key);
    return index === -1 ? -1 : offset + index;
  },
});

interface FindProps {
  readonly kind: Kind;
  readonly id: string;
  readonly onInput: (text: string) => void;
}

/** Part of an id filters the list. Enter opens the record with exactly this id, wherever it is in the list. */
const Find = ({ kind, id, onInput }: FindProps) => {
  const [error, setError] = useState<string>();
  const wanted = id.trim();
  const input = (text: string): void => {
    setError(undefined);
    onInput(text);
  };
  const find = async (): Promise<void> => {
    if (wanted === '') return;
    if ((await recordsOf(kind.name).get(wanted)) === undefined)
      throw new Error(`No ${kind.singular} has the id “${isolate(wanted)}”.`);
    go(linkTo(kind.name, wanted));
  };
  return (
    <form className="data-find" onSubmit={(event) => event.preventDefault()}>
      <TextInput
        label="Id, or a part of it"
        classNames={{ input: 'mono' }}
        autoComplete="off"
        spellCheck={false}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          id !== '' && <CloseButton size="sm" aria-label="Empty the search" onClick={() => input('')} />
        }
        error={error && <span role="alert">{error}</span>}
        value={id}
        onChange={(event) => input(event.currentTarget.value)}
      />
      <Action type="submit" size="sm" run={find} fail={setError}>
        Open
      </Action>
    </form>
  );
};
