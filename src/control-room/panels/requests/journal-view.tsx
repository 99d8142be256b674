import { ActionIcon, Anchor, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { act } from '../../act.tsx';
import { live } from '../../connection.ts';
import { Grid, toRows } from '../../grid.tsx';
import { journal } from '../../journal.ts';
import { go, toHash, useRoute } from '../../route.ts';
import { countOf, formatCount } from '../../text.tsx';
import { linkTo } from './actions.ts';
import { columns } from './columns.tsx';
import { clearRequests } from './commands.ts';
import { RequestDetails } from './details.tsx';
import { applyFilters, filterNames, findError } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { FirstUse } from './first-use.tsx';
import { Histogram } from './histogram.tsx';
import { keyOf } from './texts.ts';
import { useLateReplies, useSearch } from './use-journal.ts';

/** How many of the newest requests a request can be compared with. */
const maxOthers = 100;

/** What happens to the details when they are shown: in a narrow window, they are below the list. */
const arrivals = { click: 'reveal', enter: 'focus', move: 'stay' } as const;

/** The list of requests, with its filters and the open request. */
export const Journal = () => {
  const requests = journal.use((state) => state.requests);
  useLateReplies(requests);
  const { query: filters, rest } = useRoute();
  const { found, isSearching } = useSearch(filters.q?.trim() ?? '');
  const { base, marked, shown } = useMemo(
    () => applyFilters(requests, filters, found),
    [requests, found, ...filterNames.map((name) => filters[name])],
  );
  const list = useMemo(() => shown.toReversed(), [shown]);
  const rows = useMemo(() => toRows(list, keyOf), [list]);
  const isFiltered = filterNames.some((name) => filters[name]);

  const [selected] = rest;
  const row = useMemo(
    () => requests.findLast((one) => [keyOf(one), one.id].includes(selected ?? '')),
    [requests, selected],
  );
  const box = useRef<HTMLDivElement>(null);
  const arrival = useRef<'focus' | 'reveal' | 'stay'>('reveal'); // as for a link
  const arrive = (): void => {
    const element = document.getElementById('request-details');
    if (arrival.current === 'focus') element?.focus({ preventScroll: true });
    const isBelow = element && box.current && element.offsetTop > box.current.offsetTop;
    if (arrival.current !== 'stay') element?.scrollIntoView({ block: isBelow ? 'start' : 'nearest' });
    arrival.current = 'stay';
  };
  const open = (key: string, by: keyof typeof arrivals): void => {
    arrival.current = arrivals[by];
    if (row && key === keyOf(row)) arrive();
    else go(linkTo(key), { replace: by === 'move' });
  };
  const close = (): void => {
    go(toHash('requests', [], { ...filters, with: '' }));
    box.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  };
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const connection = live.use((state) => state.connection);
  if (requests.length === 0 && connection !== 'open') return <Skeleton />;
  const isEmpty = requests.length === 0 && !isFiltered;

  const all = countOf(requests.length, 'request');
  const status = isSearching
    ? 'Searching …'
    : shown.length === requests.length
      ? all
      : `${formatCount(shown.length)} of ${all}`;
  return (
    <Stack gap="sm">
      {!isEmpty && (
        <>
          <FilterBar base={base}>
            <Text c="dimmed" role="status">
              {status}
            </Text>
            <Tooltip label="Clear the requests">
              <ActionIcon size={30} aria-label="Clear" onClick={() => void act(clearRequests)}>
                <IconTrash size={18} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </FilterBar>
          <Histogram all={requests} requests={marked} />
        </>
      )}
      <div className="requests" data-open={selected !== undefined}>
        <div ref={box}>
          {list.length > 0 ? (
            <Grid
              label="Requests, newest first"
              columns={isNarrow ? columns.slice(1, -1) : columns}
              rows={rows}
              keyOf={keyOf}
              rowHeight={isNarrow ? 56 : 34}
              height={selected === undefined || !isNarrow ? 'max(260px, calc(100vh - 360px))' : '40vh'}
              selected={row ? keyOf(row) : selected}
              open={open}
              close={close}
            />
          ) : isEmpty ? (
            <FirstUse />
          ) : isSearching && found === undefined ? (
            <Skeleton aria-busy />
          ) : (
            <Text p="sm">
              {findError(filters.status) === undefined
                ? 'No matching requests.'
                : 'The filter is wrong, so nothing is shown.'}{' '}
              <Anchor underline="always" href={toHash('requests')}>
                Show all
              </Anchor>
            </Text>
          )}
        </div>
        {selected !== undefined && (
          <RequestDetails
            key={selected}
            id={selected}
            others={list.slice(0, maxOthers)}
            row={row}
            close={close}
            arrive={arrive}
          />
        )}
      </div>
    </Stack>
  );
};
