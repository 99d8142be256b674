import './requests.css';
import { Anchor, Box, Button, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconChevronUp } from '@tabler/icons-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { live } from '../../connection.ts';
import { Grid } from '../../grid.tsx';
import { journal, maxRequests } from '../../journal.ts';
import { go, toHash, useRoute } from '../../route.ts';
import { countOf, formatCount, Rich } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { findAttempts } from './attempts.ts';
import { toColumns } from './columns.tsx';
import { linkToRequest } from './commands.ts';
import { RequestDetails } from './details.tsx';
import { applySearch, parseSearch } from './filter.ts';
import { keyOf } from './texts.ts';
import { Tools } from './tools.tsx';
import { useShownRequests } from './use-shown-requests.ts';
import { findLinks, toScale } from './waterfall.tsx';

export const Panel = () => {
  const isOff = journal.use((state) => state.size) === 0;
  return (
    <>
      <VisuallyHidden component="h1" tabIndex={-1}>
        Requests
      </VisuallyHidden>
      {isOff ? (
        <Text p="md">
          <Rich text="The journal is off, so no requests are shown. To keep the last 1000, start the server without `--journal 0`; in code, without `journal: 0`." />
        </Text>
      ) : (
        <Journal />
      )}
    </>
  );
};

/** The list of requests, with its search and the open request. */
const Journal = () => {
  const { requests, era } = journal.use((state) => state);
  const { query, rest } = useRoute();
  const [selected] = rest;
  const isOpen = selected !== undefined;
  const [isPaused, setPaused] = useState(false);
  const [isPointed, setPointed] = useState(false);
  const [[first, last], setView] = useState([0, 0]);
  const onView = useCallback((from: number, to: number) => setView([from, to]), []);
  const isStill = isPaused || isPointed || isOpen || first > 0;
  const { shown, fresh, release } = useShownRequests(isStill);
  const search = useMemo(() => parseSearch(query.q), [query.q]);
  const { found, isSearching } = useFound(search.words);
  const list = useMemo(() => applySearch(shown, search, found).toReversed(), [shown, search, found]);
  const freshCount = useMemo(() => applySearch(fresh, search, found).length, [fresh, search, found]);
  const row = useMemo(
    () => requests.findLast((request) => [keyOf(request), request.id].includes(selected ?? '')),
    [requests, selected],
  );

  const isPhone = useMediaQuery('(max-width: 48em)');
  const isMedium = useMediaQuery('(min-width: 1100px)');
  const isLarge = useMediaQuery('(min-width: 1280px)');
  const room = isPhone ? 'phone' : isOpen && isMedium ? 'details' : isLarge ? 'wide' : 'small';
  const inView = list.slice(first, last);
  // While the rows stand still, so does the scale, although replies end.
  const scaled = isStill ? inView.map(keyOf).join() : list;
  const scale = useMemo(
    () => (isMedium && inView.length > 0 ? toScale(inView) : undefined),
    [isMedium, scaled, first, last],
  );
  const attempts = useMemo(() => findAttempts(shown), [shown]);
  const links = useMemo(() => findLinks(list, attempts), [list, attempts]);
  const columns = useMemo(() => toColumns(room, scale, links, attempts), [room, scale, links, attempts]);

  const box = useRef<HTMLDivElement>(null);
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
  const isEmpty = requests.length === 0;
  if (isEmpty && connection !== 'open') return <Skeleton m="md" />;

  const why = isEmpty ? 'No requests yet.' : (search.error ?? 'No matching requests.');
  const all = countOf(requests.length, 'request');
  const count = list.length === shown.length ? all : `${formatCount(list.length)} of ${all}`;
  return (
    <>
      <Tools requests={requests} error={search.error} isPaused={isPaused} togglePause={togglePause} />
      <VisuallyHidden role="status">{isSearching ? 'Searching …' : count}</VisuallyHidden>
      <div className="requests" data-open={isOpen}>
        <Box
          ref={box}
          pos="relative"
          mih={0}
          className="requests-list"
          onPointerEnter={({ pointerType }) => setPointed(pointerType === 'mouse')}
          onPointerLeave={() => setPointed(false)}
        >
          {freshCount > 0 && (
            <Button
              pos="absolute"
              top={5}
              left="50%"
              style={{ zIndex: 2, transform: 'translateX(-50%)' }}
              h={20}
              variant="filled"
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
              rows={list}
              keyOf={keyOf}
              rowHeight={isPhone ? 52 : 28}
              height="fill"
              selected={row ? keyOf(row) : selected}
              open={(key, by) => go(linkToRequest(key), { replace: by === 'move' })}
              close={close}
              onView={onView}
            />
          ) : (
            <Text p="md">
              <span role={search.error && 'alert'}>{isSearching ? 'Searching …' : why}</span>{' '}
              <Anchor inherit underline="always" href={toHash(isEmpty ? 'connect' : 'requests')}>
                {isEmpty ? 'Connect an app' : 'Show all'}
              </Anchor>
            </Text>
          )}
        </Box>
        {isOpen && <RequestDetails key={`${selected} ${era}`} id={selected} row={row} close={close} />}
      </div>
    </>
  );
};

/** The numbers of the requests with some words, which the server finds: it has the bodies. Undefined without words or a reply yet. */
const useFound = (words: string) => {
  const era = journal.use((state) => state.era);
  const { value, isLoading } = useQuery(
    ['search', era],
    async ({ requests }) => {
      if (words === '') return undefined;
      const found = await requests.list({ search: words }, { limit: maxRequests, bodies: false, kept: true });
      return found.map(({ ordinal }) => ordinal);
    },
    { details: words, wait: 150 },
  );
  const found = useMemo(() => value && new Set(value), [value]);
  return { found: words === '' ? undefined : found, isSearching: words !== '' && isLoading };
};
