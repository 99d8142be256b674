// The rows of the list of requests.
import type { RecordedRequest } from '../../journal/entry.ts';

/** One row of the list. */
export interface Row {
  /** Its key in the URL: the id, or a number for a request that was left to others, which has no id. */
  readonly key: string;
  readonly request: RecordedRequest;
}

/** @param requests oldest first; the rows are newest first */
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

/** The filters in the URL. */
export type Filters = Readonly<Record<string, string>>;

export const filterNames = ['text', 'operation', 'status', 'faulted', 'unmatched'] as const;

/** The status classes to choose from, with their labels. */
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

// Cached, since a request does not change and every input in the filter reads all of them.
const searchTexts = new WeakMap<RecordedRequest, string>();

const searchTextOf = (request: RecordedRequest): string => {
  const known = searchTexts.get(request);
  if (known !== undefined) return known;
  const { id, method, operation } = request;
  const text = `${id} ${method} ${targetOf(request)} ${operation ?? ''}`.toLowerCase();
  searchTexts.set(request, text);
  return text;
};

/** The path with the query, as a client sends it. */
export const targetOf = ({ path, query }: RecordedRequest): string => {
  const search = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => `${encode(name)}=${encode(one)}`))
    .join('&');
  return search === '' ? path : `${path}?${search}`;
};

/** Like `encodeURIComponent`, but keeps characters that URLs allow. Decoded text has no lone surrogates, on which it would throw. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:3A|2C|2F)/g, decodeURIComponent);

/** Formats a duration in milliseconds. */
export const formatDuration = (duration: number | null | undefined): string => {
  if (duration === null || duration === undefined) return '…';
  if (duration >= 1000) return `${(duration / 1000).toFixed(2)} s`;
  return `${duration.toFixed(duration < 10 ? 1 : 0)} ms`;
};
