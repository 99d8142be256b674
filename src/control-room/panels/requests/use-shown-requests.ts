import { useMemo, useRef } from 'react';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { journal } from '../../journal.ts';

/**
 * The requests that are shown: while the list stands still, those that were there before, so that no row moves. Replies that end
 * meanwhile are shown.
 */
export const useShownRequests = (isStill: boolean) => {
  const { requests, era } = journal.use((state) => state);
  const still = useRef<{ readonly era: number; readonly requests: readonly RecordedRequest[] }>(undefined);
  if (!isStill || still.current?.era !== era || still.current.requests.length === 0)
    still.current = { era, requests };
  const before = still.current.requests;
  const shown = useMemo(() => {
    if (before === requests || before.every(({ duration }) => duration !== null)) return before;
    const present = new Map(requests.map((request) => [request.ordinal, request]));
    return before.map((request) => present.get(request.ordinal) ?? request);
  }, [before, requests]);
  const last = before.at(-1)?.ordinal ?? 0;
  return {
    shown,
    /** Those that came since. */
    fresh: useMemo(() => requests.filter(({ ordinal }) => ordinal > last), [requests, last]),
    /** Shows all that have come. */
    release: (): void => {
      still.current = { era, requests };
      journal.set({}); // renders again
    },
  };
};
