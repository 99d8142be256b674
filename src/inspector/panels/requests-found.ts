import type { Control } from '../../control/types.ts';
import type { RequestFilter } from '../../journal/filter.ts';
import type { RecordedRequest } from '../../journal/recorded-request.ts';
import { useQuery } from '../query.ts';

/** The most requests that the page shows at once. */
export const maxFound = 5000;

/** The requests that the server finds. */
export interface Found {
  /** The latest of them, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** How many there are in all. */
  readonly total: number;
}

/** Undefined without a filter, and until the first reply. */
export const useFound = (filter: RequestFilter | undefined, wanted: number): Found | undefined => {
  const limit = Math.min(wanted, maxFound);
  const load = async ({ requests }: Control): Promise<Found | undefined> => {
    if (filter === undefined) return undefined;
    const listed = await requests.list(filter, { limit, bodies: false, kept: true });
    const total = listed.length < limit ? listed.length : await requests.count(filter, { kept: true });
    return { requests: listed, total: Math.min(total, maxFound) };
  };
  return useQuery('found', load, [filter, limit]).value;
};
