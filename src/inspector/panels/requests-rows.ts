// What the list shows of requests, worked out from what the server tells of them.
import type { RecordedRequest } from '../../journal/entry.ts';

/** One line of the list. */
export interface Row {
  /** What names it in the URL: its id, or the ordinal of one that was left to others and so has none. */
  readonly key: string;
  readonly request: RecordedRequest;
}

/** Oldest first in, newest first out. */
export const toRows = (requests: readonly RecordedRequest[]): Row[] => {
  let others = 0;
  return requests
    .map((request) => {
      if (request.id !== '') return { key: request.id, request };
      others += 1;
      return { key: `other-${others}`, request };
    })
    .reverse();
};

/** The filters, as the URL has them. */
export type Filters = Readonly<Record<string, string>>;

export const filterNames = ['text', 'operation', 'status', 'faulted', 'unmatched'] as const;

/** The classes of status that can be chosen, and what each is called. */
export const statusClasses = [
  ['2xx', '2xx: answered'],
  ['4xx', '4xx: refused'],
  ['5xx', '5xx: failed'],
  ['none', 'No answer'],
] as const;

export const isShown = (request: RecordedRequest, { text, operation, status, faulted, unmatched }: Filters) =>
  (!operation || request.operation === operation) &&
  (!status || statusClassOf(request) === status) &&
  (!faulted || request.faults.length > 0) &&
  (!unmatched || request.operation === null) &&
  (!text || searchTextOf(request).includes(text.trim().toLowerCase()));

const statusClassOf = ({ status }: RecordedRequest): string =>
  status === null ? 'none' : `${Math.floor(status / 100)}xx`;

// A request never changes: what is typed into the filter looks at each again.
const searchTexts = new WeakMap<RecordedRequest, string>();

const searchTextOf = (request: RecordedRequest): string => {
  const known = searchTexts.get(request);
  if (known !== undefined) return known;
  const { id, method, operation } = request;
  const text = `${id} ${method} ${targetOf(request)} ${operation ?? ''}`.toLowerCase();
  searchTexts.set(request, text);
  return text;
};

/** The path with the query, as a client would send it. */
export const targetOf = ({ path, query }: RecordedRequest): string => {
  const search = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => `${encode(name)}=${encode(one)}`))
    .join('&');
  return search === '' ? path : `${path}?${search}`;
};

/** As `encodeURIComponent`, but for what URLs have in the clear. What was decoded has no half characters, on which it throws. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:3A|2C|2F)/g, decodeURIComponent);

/** A duration in milliseconds, as people read it. */
export const formatDuration = (duration: number | null | undefined): string => {
  if (duration === null || duration === undefined) return '…';
  if (duration >= 1000) return `${(duration / 1000).toFixed(2)} s`;
  return `${duration.toFixed(duration < 10 ? 1 : 0)} ms`;
};
