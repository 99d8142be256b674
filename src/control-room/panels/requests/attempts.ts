// Calls that a client sent again after they had failed, so that a backoff is seen.
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { hasFailed } from './filter.ts';
import { arrivalOf, clientOf, endOf, targetOf } from './texts.ts';

/** After such a pause it is no longer the same attempt, in milliseconds. */
const maxGap = 60_000;

/** How many of the newest requests are looked at. */
const maxRequests = 1000;

/** Each request that was sent again, by the number of the next attempt. */
export const findAttempts = (
  requests: readonly RecordedRequest[],
): ReadonlyMap<number, { readonly before: RecordedRequest; readonly count: number }> => {
  const attempts = new Map<number, { readonly before: RecordedRequest; readonly count: number }>();
  const failures = new Map<string, RecordedRequest>();
  for (const request of requests.slice(-maxRequests)) {
    if (failures.size === 0 && !hasFailed(request)) continue;
    const key = `${clientOf(request)} ${request.method} ${targetOf(request)}`;
    const before = failures.get(key);
    failures.delete(key);
    if (before !== undefined && arrivalOf(request) - endOf(before) < maxGap)
      attempts.set(request.ordinal, { before, count: (attempts.get(before.ordinal)?.count ?? 1) + 1 });
    if (isWorthRetrying(request)) failures.set(key, request);
  }
  return attempts;
};

/** What clients send again by themselves. */
const isWorthRetrying = (request: RecordedRequest): boolean =>
  hasFailed(request) && ((request.status ?? 500) >= 500 || request.status === 429 || request.status === 200);
