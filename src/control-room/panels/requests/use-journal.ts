import { useEffect, useMemo, useRef } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { journal, listLatest } from '../../journal.ts';
import { useQuery } from '../../use-query.ts';

/** The most requests that a search finds: as many as the page keeps. */
const maxFound = 5000;

/** How often requests whose replies have not ended are loaded again, in milliseconds, and how many of the latest. */
const [beat, maxLate] = [1000, 1000];

/** The event of a request is sent before a delayed or forwarded reply has ended, so its duration is known later. */
export const useLateReplies = (requests: readonly RecordedRequest[]): void => {
  const oldest = requests.findIndex(({ duration }) => duration === null);
  const isWaiting = oldest !== -1;
  const count = useRef(0);
  count.current = Math.min(maxLate, requests.length - oldest);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(async () => {
      const listed = await listLatest(count.current).catch(() => []);
      const ended = new Map(listed.map((one) => [`${one.ordinal} ${one.id}`, one]));
      const { requests: shown } = journal.get();
      journal.set({ requests: shown.map((one) => ended.get(`${one.ordinal} ${one.id}`) ?? one) });
    }, beat);
    return () => clearInterval(timer);
  }, [isWaiting]);
};

/** The numbers of the requests with a text, which the server finds: it has the bodies. Undefined without a text or a reply yet. */
export const useSearch = (search: string) => {
  const era = journal.use((state) => state.era);
  const { value, isLoading } = useQuery(
    ['search', era],
    async ({ requests }) => {
      if (search === '') return undefined;
      const listed = await requests.list({ search }, { limit: maxFound, bodies: false, kept: true });
      return listed.map(({ ordinal }) => ordinal);
    },
    { details: search, wait: 150 },
  );
  const found = useMemo(() => value && new Set(value), [value]);
  return { found: search === '' ? undefined : found, isSearching: search !== '' && isLoading };
};
