import { useMemo } from 'react';
import { journal } from '../../journal.ts';
import { useQuery } from '../../use-query.ts';

/** The most requests that a search finds: as many as the page keeps. */
const maxFound = 5000;

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
