import * as z from 'zod';
import { parseRule } from '../faults/rule.ts';
import type { OperationId } from '../operations/ids.ts';
import { type AssumptionId, assumptions } from '../protocol/assumptions.ts';
import { messageOf } from '../util/message-of.ts';
import { suggest } from '../util/nearest.ts';
import { matchesPattern } from '../util/pattern.ts';
import { endSentence } from '../util/sentence.ts';
import type { AnyOperation } from '../world/operation.ts';
import { type Entry, maskedHeaders, queryOf } from './entry.ts';

/** A text in which `*` stands for any text. */
type Pattern = `${string}*${string}`;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'] as const;
type Method = (typeof methods)[number];

/** A text of which the types know more than the schema: names are checked where they are used, in words that help. */
export const textOf = <Text extends string>(): z.ZodType<Text, Text> =>
  z.string() as unknown as z.ZodType<Text, Text>; // JSON has no narrower type

/** Which requests are meant: those that are like all that is given. In texts, `*` stands for any text. */
export const requestFilterSchema = z.lazy(() => {
  const texts = z.record(z.string(), z.string());
  return z.strictObject({
    /** The id of an operation. */
    operation: textOf<OperationId | Pattern>().exactOptional().describe('The id of an operation.'),
    method: textOf<Method | Lowercase<Method> | Pattern>().exactOptional().describe('Such as GET.'),
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
    assumption: textOf<AssumptionId | Pattern>()
      .exactOptional()
      .describe('An assumption that the answer is marked with.'),
    unmatched: z.boolean().exactOptional().describe('Whether no operation has this path and method.'),
  });
});

/** Which requests are meant: those that are like all that is given. In texts, `*` stands for any text. */
export type RequestFilter = z.input<typeof requestFilterSchema>;

/**
 * The filter, with the line of its fault in the form of the journal.
 *
 * @throws Error that names every misspelt name: it would match nothing
 */
export const checkNames = (filter: RequestFilter, operations: readonly AnyOperation[]): RequestFilter => {
  const mistakes = findUnknownNames(filter, operations);
  if (mistakes.length > 0)
    throw new Error(`Failed to read the filter of requests: ${endSentence(mistakes.join('; '))}`);
  const { fault } = filter;
  return fault === undefined ? filter : { ...filter, fault: readFault(fault).line };
};

/** What is wrong with the path parameters that none of these operations has. */
export const findUnknownParams = (
  params: Readonly<Record<string, string>> = {},
  operations: readonly AnyOperation[],
): string[] => {
  const names = operations.flatMap(({ contract }) => Object.keys(contract.params.shape));
  return Object.keys(params).flatMap((name) => findUnknown('path parameter', name, names));
};

const findUnknownNames = (filter: RequestFilter, operations: readonly AnyOperation[]): string[] => {
  const { operation, method, params, fault, assumption } = filter;
  return [
    ...findUnknown(
      'operation',
      operation,
      operations.map(({ id }) => id),
    ),
    ...findUnknown('method', method?.toUpperCase(), methods),
    ...findUnknown('assumption', assumption, Object.keys(assumptions)),
    ...findUnknownParams(params, operations),
    ...findImpossible(filter),
    ...(fault === undefined ? [] : (readFault(fault).mistakes ?? [])),
  ];
};

/** What no request can be like. */
const findImpossible = ({ path, status }: RequestFilter): string[] => [
  ...(typeof status === 'number' && (status < 100 || status > 599)
    ? [`there is no status ${status}: one is from 100 to 599`]
    : []),
  ...(path?.includes('?')
    ? [`a path has no "?", but found "${path}": give the parameters as query, such as { limit: '5' }`]
    : []),
];

/** What is wrong with a name that does not exist, or a pattern that no name is like. */
const findUnknown = (what: string, given: string | undefined, names: readonly string[]): string[] =>
  given === undefined || names.some((name) => matchesPattern(given, name))
    ? []
    : [`there is no ${what} "${given}".${suggest(given, names)}`];

/** The line of a fault as the journal has it, or a pattern of such lines. */
const readFault = (given: string): { readonly line: string; readonly mistakes?: string[] } => {
  try {
    const { line, lasts, effect } = parseRule(given);
    const isOther = lasts !== undefined || ('fixture' in effect && effect.fixture !== undefined);
    const mistake = `the line "${line}" changed when it was added (for=, fixture=): take it from faults.list()`;
    return isOther ? { line, mistakes: [mistake] } : { line };
  } catch (error) {
    return given.includes('*') ? { line: given } : { line: given, mistakes: [messageOf(error)] };
  }
};

/** Whether a request is one of those that are meant. */
export const matchesFilter = (entry: Entry, filter: RequestFilter): boolean => {
  const { operation, method, path, status, fault, assumption } = filter;
  const { trace, call, assumptions } = entry;
  const faults = trace.faults ?? [];
  return (
    (operation === undefined || matchesPattern(operation, trace.operation)) &&
    (method === undefined || matchesPattern(method.toUpperCase(), call.method.toUpperCase())) &&
    (path === undefined || matchesPattern(path, call.path)) &&
    (status === undefined || hasStatus(entry, status)) &&
    (filter.faulted === undefined || faults.length > 0 === filter.faulted) &&
    (fault === undefined || faults.some((line) => matchesPattern(fault, line))) &&
    (assumption === undefined || assumptions.some((id) => matchesPattern(assumption, id))) &&
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
    [Object.hasOwn(found, name) ? (found[name] ?? []) : []]
      .flat()
      .some((value) => matchesPattern(pattern, value)),
  );

const toLowerNames = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, pattern]) => [name.toLowerCase(), pattern]));
