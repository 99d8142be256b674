import { z } from 'zod';
import { fits } from '../protocol/text-pattern.ts';
import type { Entry } from './entry.ts';
import { toRecordedRequest } from './entry.ts';

const texts = z.record(z.string(), z.string());

/** Which requests are meant: those that are like all that is given. In texts, `*` stands for any text. */
export const requestFilter = z.strictObject({
  /** The id of an operation. */
  operation: z.string().exactOptional().describe('The id of an operation.'),
  method: z.string().exactOptional().describe('Such as GET.'),
  path: z.string().exactOptional().describe('Such as /v1/threads/*/runs.'),
  params: texts.exactOptional().describe('Path parameters.'),
  query: texts.exactOptional().describe('Query parameters.'),
  headers: texts.exactOptional().describe('Headers of the request, credentials masked.'),
  status: z
    .union([z.int(), z.enum(['2xx', '4xx', '5xx'])])
    .exactOptional()
    .describe('The status of the answer, or its class.'),
  faulted: z.boolean().exactOptional().describe('Whether a fault shaped the answer.'),
  fault: z.string().exactOptional().describe('The line of a fault that shaped the answer.'),
  assumption: z.string().exactOptional().describe('An assumption that the answer is marked with.'),
  unmatched: z.boolean().exactOptional().describe('Whether no operation has this path and method.'),
});

/** Which requests are meant: those that are like all that is given. In texts, `*` stands for any text. */
export type RequestFilter = z.input<typeof requestFilter>;

/** Whether a request is one of those that are meant. */
export const isMeant = (entry: Entry, filter: RequestFilter): boolean => {
  const { operation, method, path, status, fault, assumption } = filter;
  const { trace, call, assumptions } = entry;
  const faults = trace.faults ?? [];
  return (
    (operation === undefined || trace.operation === operation) &&
    (method === undefined || call.method === method.toUpperCase()) &&
    (path === undefined || fits(path, call.path)) &&
    (status === undefined || hasStatus(entry, status)) &&
    (filter.faulted === undefined || faults.length > 0 === filter.faulted) &&
    (fault === undefined || faults.some((line) => fits(fault, line))) &&
    (assumption === undefined || assumptions.includes(assumption)) &&
    (filter.unmatched === undefined || (trace.operation === undefined) === filter.unmatched) &&
    hasTexts(filter.headers, entry.headers) &&
    hasTexts(filter.params, trace.params ?? {}) &&
    (filter.query === undefined || hasTexts(filter.query, toRecordedRequest(entry).query))
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
    [found[name] ?? []].flat().some((value) => fits(pattern, value)),
  );
