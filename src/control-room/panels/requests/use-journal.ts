import { useEffect, useRef, useState } from 'react';
import type { RecordedRequest } from '../../../journal/recorded-request.ts';
import { control } from '../../connection.ts';
import { journal, readOlder } from '../../journal.ts';
import { useQuery } from '../../use-query.ts';

/** How many requests are loaded at a time, so that no reply takes long to read. */
const pageSize = 1000;

/** The most requests that a search finds: as many as the page keeps. */
const maxFound = 5000;

/** How often requests are read again whose replies have not ended, in milliseconds. */
const beat = 1000;

/** All requests that the page keeps; while it is paused, those from before. */
export const useJournal = () => {
  const live = journal.use((state) => state.requests);
  const older = journal.use((state) => state.older);
  const [held, setHeld] = useState<readonly RecordedRequest[]>();
  useEffect(() => {
    if (older > 0) void readOlder(Math.min(older, pageSize));
  }, [older, live.length === 0]);
  useLateReplies(live);
  return {
    requests: held ?? live,
    /** How many are not loaded yet. */
    older: held === undefined ? older : 0,
    /** How many have arrived since it was paused; undefined if it is not. */
    waiting: held && (live.at(-1)?.ordinal ?? 0) - (held.at(-1)?.ordinal ?? 0),
    setPaused: (isPaused: boolean) => setHeld(isPaused ? live : undefined),
  };
};

/** The event of a request comes before a delayed reply is sent, or all of another server's, so its duration is known later. */
const useLateReplies = (requests: readonly RecordedRequest[]): void => {
  const oldest = requests.findIndex(({ id, duration }) => id !== '' && duration === null);
  const isWaiting = oldest !== -1;
  const count = useRef(0);
  count.current = Math.min(pageSize, requests.length - oldest);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(async () => {
      const options = { limit: count.current, bodies: false, kept: true };
      const listed = await control.requests.list({}, options).catch(() => []);
      const ended = new Map(listed.map((one) => [`${one.ordinal} ${one.id}`, one]));
      const { requests: shown } = journal.get();
      journal.set({ requests: shown.map((one) => ended.get(`${one.ordinal} ${one.id}`) ?? one) });
    }, beat);
    return () => clearInterval(timer);
  }, [isWaiting]);
};

/**
 * The numbers of the requests with a text, which the server finds: it has the bodies. Undefined without a text, and until the
 * first reply. Later replies are only about requests that are new since.
 */
export const useSearch = (search: string) => {
  const era = journal.use((state) => state.era);
  const known = useRef({ search: '', last: 0, found: new Set<number>() });
  const { value, isLoading } = useQuery(
    ['search', era],
    async ({ requests }) => {
      if (search === '') return undefined;
      const last = journal.get().requests.at(-1)?.ordinal ?? 0;
      const isSame = known.current.search === `${era} ${search}`;
      const fresh = last - known.current.last;
      if (!isSame || fresh > 0) {
        // The server may have more new ones than the page knows of.
        const limit = isSame ? 2 * fresh + 50 : maxFound;
        const listed = await requests.list({ search }, { limit, bodies: false, kept: true });
        const found = [...(isSame ? known.current.found : []), ...listed.map(({ ordinal }) => ordinal)];
        known.current = { search: `${era} ${search}`, last, found: new Set(found) };
      }
      return known.current.found;
    },
    { details: search, wait: 150 },
  );
  return { found: search === '' ? undefined : value, isSearching: search !== '' && isLoading };
};
