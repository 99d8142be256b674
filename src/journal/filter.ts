import * as z from 'zod';
import { didYouMean } from '../protocol/nearest.ts';
import { toPathText } from '../protocol/path-text.ts';
import { fits } from '../protocol/text-pattern.ts';
import { type Entry, maskedHeaders, queryOf } from './entry.ts';

/** Which requests are meant: those that are like all that is given. In texts, `*` stands for any text. */
export const requestFilter = z.lazy(() => {
  const texts = z.record(z.string(), z.string());
  return z.strictObject({
    /** The id of an operation. */
    operation: z.string().exactOptional().describe('The id of an operation.'),
    method: z.string().exactOptional().describe('Such as GET.'),
    path: z.string().exactOptional().describe('Such as /v1/threads/*/runs.'),
    params: texts.exactOptional().describe('Path parameters.'),
    query: texts.exactOptional().describe('Query parameters.'),
    headers: texts.exactOptional().describe('Headers of the request, credentials masked.'),
    status: z
      .union([z.int(), z.enum(['2xx', '4xx', '5xx'])], {
        error: 'it must be a whole number, or one of "2xx", "4xx" and "5xx"',
      })
      .exactOptional()
      .describe('The status of the answer, or its class.'),
    faulted: z.boolean().exactOptional().describe('Whether a fault shaped the answer.'),
    fault: z.string().exactOptional().describe('The line of a fault that shaped the answer.'),
    assumption: z.string().exactOptional().describe('An assumption that the answer is marked with.'),
    unmatched: z.boolean().exactOptional().describe('Whether no operation has this path and method.'),
  });
});

/** Which requests are meant: those that are like all that is given. In texts, `*` stands for any text. */
export type RequestFilter = z.input<typeof requestFilter>;

/**
 * A filter as it may be used: what is undefined is not given.
 *
 * @throws Error that names each mistake, since a filter that is misread would mean every request
 */
export const readFilter = (given: unknown, operationIds: readonly string[]): RequestFilter => {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const result = requestFilter.safeParse(
    isObject ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) : given,
  );
  const mistakes = result.success ? [] : result.error.issues.flatMap(describeIssue);
  const operation = result.data?.operation;
  if (operation !== undefined && !operation.includes('*') && !operationIds.includes(operation))
    mistakes.push(`there is no operation "${operation}".${didYouMean(operation, operationIds)}`);
  if (result.success && mistakes.length === 0) return result.data;
  throw new Error(`Failed to read the filter of requests: ${mistakes.join('; ')}`);
};

const describeIssue = (issue: z.core.$ZodIssue): string[] => {
  const names = Object.keys(requestFilter.unwrap().shape);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) => `there is no key "${key}".${didYouMean(key, names)} There are: ${names.join(', ')}.`,
    );
  const place = issue.path.length === 0 ? '' : `${toPathText(issue.path)}: `;
  return [`${place}${issue.message}.`];
};

/** Whether a request is one of those that are meant. */
export const matchesFilter = (entry: Entry, filter: RequestFilter): boolean => {
  const { operation, method, path, status, fault, assumption } = filter;
  const { trace, call, assumptions } = entry;
  const faults = trace.faults ?? [];
  return (
    (operation === undefined || fits(operation, trace.operation)) &&
    (method === undefined || fits(method.toUpperCase(), call.method.toUpperCase())) &&
    (path === undefined || fits(path, call.path)) &&
    (status === undefined || hasStatus(entry, status)) &&
    (filter.faulted === undefined || faults.length > 0 === filter.faulted) &&
    (fault === undefined || faults.some((line) => fits(fault, line))) &&
    (assumption === undefined || assumptions.some((id) => fits(assumption, id))) &&
    (filter.unmatched === undefined || (trace.operation === undefined) === filter.unmatched) &&
    (filter.headers === undefined || hasTexts(toLowerNames(filter.headers), maskedHeaders(entry))) &&
    hasTexts(filter.params, trace.params ?? {}) &&
    (filter.query === undefined || hasTexts(filter.query, queryOf(entry)))
  );
};

const hasStatus = ({ status }: Entry, wanted: number | string): boolean =>
  status !== null &&
  (typeof wanted === 'number' ? status === wanted : Math.floor(status / 100) === Number(wanted[0]));

const hasTexts = (
  wanted: Readonly<Record<string, string>> | undefined,
  found: Readonly<Record<string, string | readonly string[]>>,
): boolean =>
  Object.entries(wanted ?? {}).every(([name, pattern]) =>
    [Object.hasOwn(found, name) ? (found[name] ?? []) : []].flat().some((value) => fits(pattern, value)),
  );

const toLowerNames = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, pattern]) => [name.toLowerCase(), pattern]));
