// The filters of the list, which are in its link. Only the search `q` needs the server, which has the bodies.

import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';

/** The parameters of the link. */
export type Filters = Readonly<Record<string, string>>;

export const filterNames = ['q', 'operation', 'status', 'faulted', 'unmatched', 'range'] as const;

type Test = (request: RecordedRequest) => boolean;

/** One condition on the status: `404`, `4xx`, `>=400`, `none` or `errors`. Undefined if it is none of these. */
const toTest = (term: string): Test | undefined => {
  if (term === 'none') return ({ status }) => status === null;
  if (term === 'errors') return ({ status }) => (status ?? 500) >= 400;
  const [, sign = '', digits = ''] = /^([<>]?=?)([1-5](?:xx|\d\d))$/.exec(term) ?? [];
  if (digits === '') return undefined;
  const [first, last] = [Number(digits.replace('xx', '00')), Number(digits.replace('xx', '99'))];
  const from = sign === '>' ? last + 1 : sign.startsWith('<') ? 0 : first;
  const to = sign === '<' ? first - 1 : sign.startsWith('>') ? 999 : last;
  return ({ status }) => status !== null && status >= from && status <= to;
};

const termsOf = (status = ''): string[] =>
  status
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

/** What is wrong with a status filter; undefined if nothing is. */
export const findError = (status: string | undefined): string | undefined => {
  const wrong = termsOf(status).find((term) => toTest(term) === undefined);
  return wrong && `“${wrong}” is not a status. Write 404, for example, or 4xx,5xx, >=400 or none.`;
};

const isAny: Test = () => true;
const isFaulted: Test = ({ faults }) => faults.length > 0;
export const isUnmatched: Test = ({ operation, upstream }) => operation === null && upstream === null;

/** The test of the status; nothing passes a wrong one. */
const statusTest = (status: string | undefined): Test => {
  const tests = termsOf(status).map(toTest);
  if (tests.length === 0) return isAny;
  return (request) => tests.every(Boolean) && tests.some((test) => test?.(request));
};

/** The chips. Those of a status add their term to the filter for the status; the others are parameters of their own. */
export const chips: readonly { readonly label: string; readonly filter: string; readonly test: Test }[] = [
  { label: 'Errors', filter: 'errors', test: statusTest('errors') },
  { label: '4xx', filter: '4xx', test: statusTest('4xx') },
  { label: '5xx', filter: '5xx', test: statusTest('5xx') },
  { label: 'Limited', filter: '429', test: statusTest('429') },
  { label: 'Faulted', filter: 'faulted', test: isFaulted },
  { label: 'Unmatched', filter: 'unmatched', test: isUnmatched },
];

/** What changes in the link when a chip is pressed. */
export const pressChip = (filters: Filters, filter: string): Filters => {
  if (filter === 'faulted' || filter === 'unmatched') return { [filter]: filters[filter] ? '' : '1' };
  const terms = termsOf(filters.status);
  if (terms.includes(filter)) return { status: terms.filter((term) => term !== filter).join() };
  // All errors and some of them would be all errors.
  const others = filter === 'errors' ? [] : terms.filter((term) => term !== 'errors');
  return { status: [...others, filter].join() };
};

export const isPressed = (filters: Filters, filter: string): boolean =>
  Boolean(filters[filter]) || termsOf(filters.status).includes(filter);

/** When it arrived, in milliseconds since 1970. */
export const arrivalOf = ({ receivedAt }: RecordedRequest): number => Date.parse(receivedAt);

/** A range of arrivals, as ISO 8601 writes intervals. */
export const toRange = (from: number, to: number): string =>
  [from, to].map((time) => new Date(time).toISOString()).join('/');

/** The range in a link, in milliseconds since 1970; undefined without one. */
export const parseRange = (range = ''): readonly [from: number, to: number] | undefined => {
  const [from = Number.NaN, to = Number.NaN] = range.split('/').map(Date.parse);
  return Number.isNaN(from + to) ? undefined : [from, to];
};

/**
 * What the filters leave, oldest first.
 *
 * @param found the numbers of the requests with the searched text; undefined without a search
 */
export const applyFilters = (
  requests: readonly RecordedRequest[],
  { operation, status, faulted, unmatched, range }: Filters,
  found: ReadonlySet<number> | undefined,
) => {
  const hasStatus = statusTest(status);
  const isMarked: Test = (one) =>
    hasStatus(one) && (!faulted || isFaulted(one)) && (!unmatched || isUnmatched(one));
  const [from, to] = parseRange(range) ?? [0, Number.POSITIVE_INFINITY];
  const isWithin: Test = (one) => arrivalOf(one) >= from && arrivalOf(one) <= to;
  const base = requests.filter(
    (one) => (!operation || one.operation === operation) && (found?.has(one.ordinal) ?? true),
  );
  const marked = base.filter(isMarked);
  return {
    /** Those that the chips choose from. */
    base: base.filter(isWithin),
    /** Those over which a range is chosen. */
    marked,
    shown: marked.filter(isWithin),
  };
};
