// The rows of the list of requests.

import type { RequestFilter } from '../../journal/filter.ts';
import type { RecordedRequest } from '../../journal/recorded-request.ts';
import { texts } from '../texts.ts';

const t = texts.requests;

/** One row of the list. */
export interface Row {
  /** Its key in the URL: the id, or the number of a request that was left to others, which has no id. */
  readonly key: string;
  readonly request: RecordedRequest;
  /** Whether the world's time is another one than at the request before. */
  readonly isLater: boolean;
}

/** @param requests oldest first; the rows are newest first */
export const toRows = (requests: readonly RecordedRequest[]): Row[] =>
  requests
    .map((request, at) => ({
      key: keyOf(request),
      request,
      isLater: toSecond(request.time) !== toSecond(requests[at - 1]?.time ?? ''),
    }))
    .reverse();

/** A date-time up to its seconds. */
const toSecond = (time: string): string => time.slice(0, 19);

/** What rows can be sorted by. */
const sortValues = {
  number: ({ ordinal }) => ordinal,
  status: ({ status }) => status ?? 0,
  target: (request) => targetOf(request),
  operation: ({ operation }) => operation ?? '',
  duration: ({ duration }) => duration ?? 0,
} satisfies Record<string, (request: RecordedRequest) => string | number>;

/** @param sort the name of a column, after a minus for the greatest first; others leave the rows as they are */
export const sortRows = (rows: readonly Row[], sort: string): readonly Row[] => {
  const by = Object.entries(sortValues).find(([name]) => name === sort.replace('-', ''));
  if (by === undefined) return rows;
  const [, readValue]: [string, (request: RecordedRequest) => string | number] = by;
  const sign = sort.startsWith('-') ? -1 : 1;
  return rows
    .map((row) => ({ row, value: readValue(row.request) }))
    .sort((a, b) => (a.value === b.value ? 0 : a.value < b.value ? -sign : sign))
    .map(({ row }) => row);
};

export const isSortable = (column: string): boolean => Object.hasOwn(sortValues, column);

export const keyOf = ({ id, ordinal }: RecordedRequest): string => (id === '' ? `other-${ordinal}` : id);

/** The filters in the URL. */
export type Filters = Readonly<Record<string, string>>;

export const filterNames = ['search', 'operation', 'status', 'faulted', 'unmatched'] as const;

/** What the field for the status takes: a status, a class of them, or none. */
export const isStatus = (text: string): boolean => /^(?:[1-5]\d\d|[245]xx|none)$/.test(text);

/** The filter for the server; undefined for all requests. */
export const toFilter = (filters: Filters): RequestFilter | undefined => {
  const { operation, faulted, unmatched } = filters;
  const search = filters.search?.trim();
  const status = filters.status?.trim().toLowerCase() ?? '';
  const filter = {
    ...(search && { search }),
    ...(operation && { operation }),
    ...(isStatus(status) && {
      status: /^\d/.test(status) && !status.endsWith('x') ? Number(status) : status,
    }),
    ...(faulted && { faulted: true }),
    ...(unmatched && { unmatched: true }),
  };
  return Object.keys(filter).length === 0 ? undefined : (filter as RequestFilter); // the server checks the texts
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
  if (duration === null || duration === undefined) return texts.common.loading;
  if (duration >= 1000) return t.seconds((duration / 1000).toFixed(2));
  return t.milliseconds(duration.toFixed(duration < 10 ? 1 : 0));
};
