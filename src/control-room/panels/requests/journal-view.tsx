import { Anchor, Button, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconChevronUp } from '@tabler/icons-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { live } from '../../connection.ts';
import { Grid, toRows } from '../../grid.tsx';
import { journal } from '../../journal.ts';
import { go, toHash, useRoute } from '../../route.ts';
import { countOf, formatCount } from '../../text.tsx';
import { linkTo } from './actions.ts';
import { findAttempts } from './attempts.ts';
import { toColumns } from './columns.tsx';
import { RequestDetails } from './details.tsx';
import { applySearch, parseSearch } from './filter.ts';
import { keyOf } from './texts.ts';
import { Tools } from './tools.tsx';
import { useHeld } from './use-held.ts';
import { useSearch } from './use-journal.ts';
import { findLinks, toScale } from './waterfall.tsx';

/** The list of requests, with its search and the open request. */
export const Journal = () => {
  const requests = journal.use((state) => state.requests);
  const { query, rest } = useRoute();
  const { q } = query;
  const [selected] = rest;
  const [isPaused, setPaused] = useState(false);
  const [isPointed, setPointed] = useState(false);
  const isHeld = isPaused || isPointed || selected !== undefined;
  const { shown: held, fresh, release } = useHeld(isHeld);
  const search = useMemo(() => parseSearch(q), [q]);
  const { found, isSearching } = useSearch(search.words);
  const shown = useMemo(() => applySearch(held, search, found), [held, search, found]);
  const freshCount = useMemo(() => applySearch(fresh, search, found).length, [fresh, search, found]);
  const list = useMemo(() => shown.toReversed(), [shown]);
  const rows = useMemo(() => toRows(list, keyOf), [list]);
  const row = useMemo(
    () => requests.findLast((request) => [keyOf(request), request.id].includes(selected ?? '')),
    [requests, selected],
  );

  const isOpen = selected !== undefined;
  const [isPhone, isMedium, isLarge] = [
    useMediaQuery('(max-width: 48em)'),
    useMediaQuery('(min-width: 1100px)'),
    useMediaQuery('(min-width: 1280px)'),
  ];
  const room = isPhone ? 'phone' : isOpen && isMedium ? 'details' : isLarge ? 'wide' : 'small';
  const [[first, last], setView] = useState([0, 0]);
  const view = useCallback((from: number, to: number) => setView([from, to]), []);
  const inView = list.slice(first, last);
  // While the rows stand still, so does the scale, although replies end.
  const scaled = isHeld ? inView.map(keyOf).join() : list;
  const scale = useMemo(() => (inView.length > 0 ? toScale(inView) : undefined), [scaled, first, last]);
  const columns = useMemo(() => {
    const attempts = findAttempts(shown);
    return toColumns({
      room,
      scale: isMedium ? scale : undefined,
      links: findLinks(list, attempts),
      attempts,
    });
  }, [list, scale, room, isMedium]);

  const box = useRef<HTMLDivElement>(null);
  const isFocusing = useRef(false);
  /** The details are shown: those opened by Enter get the focus. */
  const arrive = (): void => {
    if (isFocusing.current) document.getElementById('request-details')?.focus({ preventScroll: true });
    isFocusing.current = false;
  };
  const open = (key: string, by: 'click' | 'enter' | 'move'): void => {
    isFocusing.current = by === 'enter';
    if (row && key === keyOf(row)) arrive();
    else go(linkTo(key), { replace: by === 'move' });
  };
  const close = (): void => {
    go(toHash('requests', [], query));
    box.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  };
  const togglePause = (): void => setPaused(!isPaused);
  const onSpace = (event: KeyboardEvent): void => {
    if ((event.target as Element).closest('button, a, label, summary')) return; // they have their own
    event.preventDefault();
    togglePause();
  };
  useHotkeys([['space', onSpace, { preventDefault: false }]]);
  const connection = live.use((state) => state.connection);
  if (requests.length === 0 && connection !== 'open') return <Skeleton m="md" />;

  const all = countOf(requests.length, 'request');
  const status = isSearching
    ? 'Searching …'
    : shown.length === requests.length
      ? all
      : `${formatCount(shown.length)} of ${all}`;
  return (
    <>
      <Tools requests={requests} error={search.error} isPaused={isPaused} togglePause={togglePause} />
      <VisuallyHidden role="status">{status}</VisuallyHidden>
      <div className="requests" data-open={isOpen}>
        <div
          ref={box}
          className="requests-list"
          onPointerEnter={({ pointerType }) => setPointed(pointerType === 'mouse')}
          onPointerLeave={() => setPointed(false)}
        >
          {freshCount > 0 && (
            <Button
              className="fresh"
              h={20}
              radius="xl"
              leftSection={<IconChevronUp size={14} aria-hidden />}
              onClick={() => {
                release();
                box.current?.querySelector('[role="grid"]')?.scrollTo(0, 0);
              }}
            >
              {formatCount(freshCount)} new
            </Button>
          )}
          {list.length > 0 ? (
            <Grid
              label="Requests, newest first"
              columns={columns}
              rows={rows}
              keyOf={keyOf}
              rowHeight={isPhone ? 52 : 28}
              height="fill"
              selected={row ? keyOf(row) : selected}
              open={open}
              close={close}
              onView={view}
            />
          ) : (
            <Text p="md">
              <Empty isSearching={isSearching} error={search.error} hasRequests={requests.length > 0} />
            </Text>
          )}
        </div>
        {selected !== undefined && (
          <RequestDetails key={selected} id={selected} row={row} close={close} arrive={arrive} />
        )}
      </div>
    </>
  );
};

interface EmptyProps {
  readonly isSearching: boolean;
  readonly error: string | undefined;
  readonly hasRequests: boolean;
}

/** What is said in place of the list. */
const Empty = ({ isSearching, error, hasRequests }: EmptyProps) => {
  if (isSearching) return 'Searching …';
  if (!hasRequests)
    return (
      <>
        No requests yet.{' '}
        <Anchor inherit underline="always" href={toHash('connect')}>
          Connect an app
        </Anchor>
      </>
    );
  return (
    <>
      <span role={error && 'alert'}>{error ?? 'No matching requests.'}</span>{' '}
      <Anchor inherit underline="always" href={toHash('requests')}>
        Show all
      </Anchor>
    </>
  );
};
