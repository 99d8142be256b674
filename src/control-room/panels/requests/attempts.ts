// Calls that a client sent again after they had failed, so that a backoff is seen.
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { hasFailed } from './filter.ts';
import { arrivalOf, clientOf, endOf, targetOf } from './texts.ts';

/** After such a pause it is no longer the same attempt, in milliseconds. */
const maxGap = 60_000;

/** How many of the newest requests are looked at. */
const maxRequests = 1000;

interface Attempt {
  readonly before: RecordedRequest;
  /** Which attempt it is, from 2. */
  readonly count: number;
}

/** The requests that were sent again, by their numbers. */
export type Attempts = ReadonlyMap<number, Attempt>;

export const findAttempts = (requests: readonly RecordedRequest[]): Attempts => {
  const attempts = new Map<number, Attempt>();
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

/** All attempts of the same call, the first one first. */
export const chainOf = (request: RecordedRequest, requests: readonly RecordedRequest[]) => {
  const attempts = findAttempts(requests);
  const chain = [request];
  for (let first = attempts.get(request.ordinal); first; first = attempts.get(first.before.ordinal))
    chain.unshift(first.before);
  for (const next of requests)
    if (attempts.get(next.ordinal)?.before.ordinal === chain.at(-1)?.ordinal) chain.push(next);
  return chain;
};
