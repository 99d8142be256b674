// Checks which requests came. A failure reads like that of a test runner's own matcher.
import { ControlError, expectationCode } from '../protocol/errors.ts';
import { countOf } from '../util/count-of.ts';
import { parseJson, toJsonText } from '../util/json.ts';
import { isMapping, valueAt } from '../util/mapping.ts';
import { Mask } from '../util/mask.ts';
import { toPathText } from '../util/path-text.ts';
import { truncate } from '../util/truncate.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { parseStart } from './masked-values.ts';
import { copyRequest, describeRequest, type RecordedRequest } from './recorded-request.ts';
import { matchesFilter, type RequestFilter } from './request-filter.ts';
import { collectRequests, noRequests } from './wait-for-requests.ts';

/** The options of `requests.expect`. */
export interface ExpectOptions {
  /** How many requests must match; 0: none. Default: at least one. */
  readonly times?: number | undefined;
  /** How long to wait for them, in real milliseconds, at most 240,000. Default: 0, it looks once. */
  readonly timeout?: number | undefined;
  /** Ends the wait early; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the matching requests if there are as many as expected. With a timeout, it waits for them; if none is expected, for
 * the whole time.
 *
 * @throws ControlError 409 if there are more or fewer, with the nearest request, or with those that should not have come; 410
 * if the journal has dropped requests that might change the result; and the errors of a wait
 */
export const expectRequests = async (
  journal: Journal,
  filter: RequestFilter,
  { times, timeout = 0, signal }: ExpectOptions,
): Promise<RecordedRequest[]> => {
  const wanted = wantSent(filter, times);
  const until = times === 0 ? 'arrival' : 'settled';
  const requests =
    timeout === 0
      ? journal.list(wanted).map((request) => copyRequest(request))
      : await collectRequests(journal, wanted, { until, count: times || 1, timeout, signal });
  if (times === undefined && requests.length > 0) return requests;
  journal.refuseIfDropped('check the expected requests');
  if (requests.length === times) return requests;
  const isFew = requests.length < (times ?? 1);
  const lines = isFew ? describeNearest(journal, wanted) : describeSurplus(requests);
  const expected = times === undefined ? 'at least 1 request' : countOf(times, 'request');
  const within = timeout === 0 ? '' : ` within ${timeout} ms`;
  throw new ControlError(
    409,
    `Expected ${expected} matching ${truncate(toJsonText(maskFilter(wanted)), 1000)}, but ${requests.length} of ${journal.total} matched${within}. ${lines}`,
    expectationCode,
  );
};

/**
 * A request whose reply did not arrive proves nothing about the client, so it does not count; but where no request is expected,
 * none may come.
 */
const wantSent = (filter: RequestFilter, times: number | undefined): RequestFilter => {
  const isOther = filter.status === 'none' || filter.unmatched === true; // these may have no reply
  return times === 0 || isOther ? filter : { outcome: 'sent', ...filter };
};

const maxListed = 10;

const describeSurplus = (requests: readonly RecordedRequest[]): string => {
  const lines = requests.slice(-maxListed).map((request) => `\n  ${describeNumbered(request)}`);
  const more = requests.length - lines.length;
  return `They are:${more > 0 ? `\n  ${more} more, and` : ''}${lines.join('')}`;
};

const describeNumbered = (request: RecordedRequest): string =>
  `request ${request.ordinal}: ${describeRequest(request)}`;

/** Describes the request that has the most fields of a filter, the latest of several, with the difference. */
const describeNearest = (journal: Journal, filter: RequestFilter): string => {
  const fields = listFields(filter);
  let nearest: { readonly entry: JournalEntry; readonly equal: number } | undefined;
  for (const entry of journal.find()) {
    const equal = fields.filter((field) => isEqual(entry, field)).length;
    if (equal < fields.length && equal >= (nearest?.equal ?? 0)) nearest = { entry, equal };
  }
  if (nearest === undefined)
    return journal.total === 0 ? `The requests: ${noRequests}.` : 'There is no other request.';
  const { entry } = nearest;
  const shown = maskFilter(filter);
  const lines = fields.flatMap((field) => {
    const name = toPathText(field.path);
    const found = toShown(readField(entry.request, field.path));
    if (isEqual(entry, field)) return `    ${name}: ${found}`;
    const expected = toShown(field.value === '*' ? '*' : valueAt(shown, field.path));
    const note = expected === found ? ' (another value)' : ''; // both are masked
    return [`-   ${name}: ${expected}`, `+   ${name}: ${found}${note}`];
  });
  return [`The nearest is ${describeNumbered(entry.request)}\n`, '- expected', '+ received\n', ...lines].join(
    '\n',
  );
};

/** A field of a filter, and the filter that has nothing else. */
interface Field {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly filter: RequestFilter;
}

const listFields = (value: unknown, path: readonly string[] = []): Field[] => {
  if (isMapping(value) && (path.length === 0 || Object.keys(value).length > 0))
    return Object.entries(value).flatMap(([key, inner]) => listFields(inner, [...path, key]));
  const filter = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return [{ path, value, filter: filter as RequestFilter }]; // a part of a filter is a filter
};

const isEqual = (entry: JournalEntry, { filter }: Field): boolean => {
  try {
    return matchesFilter(entry, filter);
  } catch {
    return false; // a pattern on a masked value, or a field that the journal does not have
  }
};

/** The value of a request for a field of a filter, as the journal shows it. */
const readField = (request: RecordedRequest, path: readonly string[]): unknown => {
  const [key, ...below] = path;
  switch (key) {
    case 'faulted':
      return request.faults.length > 0;
    case 'fault':
      return request.faults;
    case 'assumption':
      return request.assumptions;
    case 'unmatched':
      return (request.operation ?? request.upstream) === null;
    case 'body':
      return below.length === 0 ? request.body : valueAt(parseStart(request.body ?? '').value, below);
    default:
      return valueAt(request, path);
  }
};

const toShown = (value: unknown): string => (value === undefined ? 'nothing' : truncate(toJsonText(value)));

/** A filter whose credentials are masked, since messages end in logs. */
const maskFilter = (filter: RequestFilter): unknown => parseJson(new Mask().body(toJsonText(filter)));
