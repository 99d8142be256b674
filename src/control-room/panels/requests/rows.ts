// The rows of the list, and how their requests are written.

import type { RecordedRequest } from '../../../journal/recorded-request.ts';

/** The key of a request in links: its id, or the number of one that was left to others, which has no id. */
export const keyOf = ({ id, ordinal }: RecordedRequest): string => (id === '' ? `other-${ordinal}` : id);

export interface Row {
  /** Its key in links. */
  readonly key: string;
  readonly request: RecordedRequest;
  /** Whether the world's time is another one than at the request before. */
  readonly isLater: boolean;
}

/** A date-time up to its seconds. */
const toSecond = (time = ''): string => time.slice(0, 19);

/** @param requests oldest first; the rows are newest first */
export const toRowList = (requests: readonly RecordedRequest[]): Row[] =>
  requests
    .map((request, at) => ({
      key: keyOf(request),
      request,
      isLater: at > 0 && toSecond(request.time) !== toSecond(requests[at - 1]?.time),
    }))
    .reverse();

/** Like `encodeURIComponent`, but keeps characters that URLs allow. Decoded text has no lone surrogates, on which it would throw. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:3A|2C|2F)/g, decodeURIComponent);

/** The path with the query, as a client sends it. */
export const targetOf = ({ path, query }: RecordedRequest): string => {
  const search = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => `${encode(name)}=${encode(one)}`))
    .join('&');
  return search === '' ? path : `${path}?${search}`;
};

/** What rows can be sorted by. */
const sortValues = new Map<string, (request: RecordedRequest) => string | number>([
  ['number', ({ ordinal }) => ordinal],
  ['status', ({ status }) => status ?? 0],
  ['target', targetOf],
  ['duration', ({ duration }) => duration ?? 0],
]);

export const sortNames = [...sortValues.keys()];

/** @param sort a name, after a minus for the greatest first; others leave the rows as they are */
export const sortRows = (rows: readonly Row[], sort: string): readonly Row[] => {
  const readValue = sortValues.get(sort.replace('-', ''));
  if (readValue === undefined) return rows;
  const sign = sort.startsWith('-') ? -1 : 1;
  const values = new Map(rows.map((row) => [row, readValue(row.request)]));
  const rank = (row: Row): string | number => values.get(row) ?? 0;
  return rows.toSorted((a, b) => (rank(a) < rank(b) ? -sign : rank(a) > rank(b) ? sign : 0));
};

/** Formats how long the reply took; nothing for a request that was left to others. */
export const formatDuration = ({ id, duration }: RecordedRequest): string => {
  if (id === '') return '';
  if (duration === null) return '…';
  if (duration >= 1000) return `${(duration / 1000).toFixed(2)} s`;
  return `${duration.toFixed(duration < 10 ? 1 : 0)} ms`;
};
