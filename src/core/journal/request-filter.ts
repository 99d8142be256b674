import { distance } from 'fastest-levenshtein';
import * as z from 'zod';
import { type AssumptionId, assumptions } from '../assumptions/table.ts';
import { canonicalLine } from '../faults/faults.ts';
import { parseRule } from '../faults/rule.ts';
import type { OperationId } from '../operations/ids.ts';
import { type AnyOperation, idsOf } from '../operations/operation.ts';
import type { ShapeOf } from '../protocol/contract-types.ts';
import { matchCall, methodsOf } from '../protocol/router.ts';
import { toJsonText } from '../util/json.ts';
import { limits } from '../util/limits.ts';
import { ownValue } from '../util/mapping.ts';
import { isCredentialName, minHiddenLength } from '../util/mask.ts';
import { messageOf } from '../util/message-of.ts';
import { suggest } from '../util/nearest.ts';
import { matchesPattern } from '../util/pattern.ts';
import { endSentence } from '../util/sentence.ts';
import type { JournalEntry } from './journal.ts';
import { compareBody, type Digest, findMasked, parseStart, wholeBody } from './masked-values.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { hasWords } from './search.ts';
import { cutNote } from './to-request.ts';

/** A pattern in which `*` stands for any text. */
type Pattern = `${string}*${string}`;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'] as const;
type Method = (typeof methods)[number];

const outcomes = ['pending', 'sent', 'cut', 'lost'] as const;
type Outcome = (typeof outcomes)[number];

/** A string whose type is narrower than its schema: names are checked later, with better messages. */
export const textSchema = <Text extends string>(): z.ZodType<Text, Text> =>
  z.string() as unknown as z.ZodType<Text, Text>; // JSON Schema has no narrower type

/** Selects requests: a request must match all fields of the filter. In texts, `*` stands for any text. Default: all requests. */
export interface RequestFilter {
  /** The id of the operation, such as `listRuns`, or of a call of your own. */
  operation?: OperationId | (string & {});
  /** The HTTP method, such as `GET`. */
  method?: Method | Lowercase<Method> | Pattern;
  /** The path, such as `/v1/batches`. */
  path?: string;
  /** Path parameters. */
  params?: Record<string, string>;
  /** Query parameters. A credential is compared as a whole with the value that was sent. */
  query?: Record<string, string>;
  /** Request headers. A credential is compared as a whole with the value that was sent. */
  headers?: Record<string, string>;
  /**
   * What the JSON body contains: these fields of an object, each item of a list; in texts, `*` stands for any text. Or the
   * body as text.
   */
  body?: string | Readonly<Record<string, unknown>>;
  /** The status that was sent, or a class of them: `'2xx'`, `'4xx'` or `'5xx'`; `'none'`: none was sent, and none will be. */
  status?: number | '2xx' | '4xx' | '5xx' | 'none';
  /** What became of the reply: `'pending'`, `'sent'`, `'cut'` or `'lost'`. */
  outcome?: Outcome;
  /** Whether a fault acted on the request. */
  faulted?: boolean;
  /** The line of a fault that acted on the request. */
  fault?: string;
  /** The id of an assumption that the reply depends on. */
  assumption?: AssumptionId | Pattern;
  /** Whether no operation has the path and method, and the request was not forwarded to another server. */
  unmatched?: boolean;
  /**
   * Words in any case, each of which is somewhere in the request or its reply, with credentials masked. A number is found only
   * as a whole.
   */
  search?: string;
}

export const requestFilterSchema = z.lazy(() => {
  const field = <Schema extends z.ZodType>(schema: Schema, description: string) =>
    schema.exactOptional().describe(description);
  const texts = z.record(z.string(), z.string());
  const body = z.union([z.string(), z.record(z.string(), z.unknown())]);
  const status = z.union([z.int(), z.enum(['2xx', '4xx', '5xx', 'none'])]);
  return z.strictObject({
    operation: field(textSchema<OperationId | (string & {})>(), 'The id of the operation, such as listRuns.'),
    method: field(textSchema<Method | Lowercase<Method> | Pattern>(), 'Such as GET.'),
    path: field(z.string(), 'Such as /v1/threads/*/runs.'),
    params: field(texts, 'Path parameters.'),
    query: field(texts, 'Query parameters.'),
    headers: field(texts, 'Request headers. A credential is compared as a whole.'),
    body: field(body, 'What the JSON body contains, or the body as text.'),
    status: field(status, 'The status that was sent, a class such as 4xx, or none if none was.'),
    outcome: field(z.enum(outcomes), 'What became of the reply: pending, sent, cut or lost.'),
    faulted: field(z.boolean(), 'Whether a fault acted on the request.'),
    fault: field(z.string(), 'The line of a fault that acted on the request.'),
    assumption: field(textSchema<AssumptionId | Pattern>(), 'An assumption that the reply depends on.'),
    unmatched: field(z.boolean(), 'Whether no operation has the path and method, and it was not forwarded.'),
    search: field(z.string(), 'Words, each of which is somewhere in the request or its reply, masked.'),
  } satisfies ShapeOf<RequestFilter>);
});

/**
 * Checks the names in a filter, and writes its fault and the names of headers as the journal does.
 *
 * @param hasRequest whether the journal has such a request
 * @throws Error with all misspelt names and values: no request would match them
 */
export const checkNames = (
  filter: RequestFilter,
  operations: readonly AnyOperation[],
  hasRequest: (filter: RequestFilter) => boolean = () => false,
): RequestFilter => {
  const errors = findErrors(filter, operations, hasRequest);
  if (errors.length > 0) fail(errors.join('; '));
  const { fault, headers } = filter;
  return {
    ...filter,
    ...(fault !== undefined && { fault: canonicalLine(fault) }),
    ...(headers !== undefined && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    }),
  };
};

/** Describes the path parameters that none of these operations has. */
export const findUnknownParams = (
  params: Readonly<Record<string, string>> = {},
  operations: readonly Pick<AnyOperation, 'contract'>[],
): string[] => {
  const names = operations.flatMap(({ contract }) => Object.keys(contract.params.shape));
  return Object.keys(params).flatMap((name) => findUnknown('path parameter', name, names));
};

/** Describes names that do not exist, and what no request can have. */
const findErrors = (
  filter: RequestFilter,
  operations: readonly AnyOperation[],
  hasRequest: (filter: RequestFilter) => boolean,
): string[] => {
  const { operation, method, path, params, query = {}, headers = {}, status, fault, assumption } = filter;
  const ids = idsOf(operations);
  const contract = contractOf(operation, operations);
  const errors = [
    ...findContradictions(filter, operations),
    ...findUnknown('operation', operation, ids),
    ...findUnknown('method', method?.toUpperCase(), methods),
    ...findUnknown('assumption', assumption, Object.keys(assumptions)),
    ...findUnknownParams(params, contract === undefined ? operations : [{ contract }]),
  ];
  if (typeof status === 'number' && (status < 100 || status > 599))
    errors.push(`invalid status ${status}: it must be from 100 to 599`);
  if (path?.includes('?'))
    errors.push(`the path "${path}" contains a query: filter by query instead, such as { limit: '5' }`);
  if (fault !== undefined) errors.push(...findFaultErrors(fault, ids));
  if (path !== undefined && !mayBeginAsOurs(path) && filter.unmatched !== true && !hasRequest({ path }))
    errors.push(describePath(path));
  for (const name of Object.keys(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      errors.push(`invalid header name "${name}": names have no blanks, such as x-gateway-trace-id`);
    const near = findSlip(name.toLowerCase(), contractHeaders);
    if (near !== undefined && !hasRequest({ headers: { [name.toLowerCase()]: '*' } }))
      errors.push(`no request has the header "${name}". Did you mean "${near}"?`);
  }
  for (const name of Object.keys(query)) {
    const near = findSlip(name, Object.keys(contract?.query.shape ?? {}));
    if (near !== undefined && !hasRequest({ operation: contract?.id ?? '*', query: { [name]: '*' } }))
      errors.push(`no request has the query parameter "${name}". Did you mean "${near}"?`);
  }
  for (const [place, values] of [['header', headers] as const, ['form', query] as const])
    for (const [name, value] of Object.entries(values))
      if (isCredentialName(name, place) && isPartial(value)) errors.push(describePartial(name, value));
  return errors;
};

/** The headers that the contract names. */
const contractHeaders = [
  ...['x-gateway-api-key', 'x-gateway-virtual-key', 'x-gateway-provider', 'x-gateway-config'],
  ...['x-gateway-trace-id', 'vendor-beta'],
];

/** The name of the contract for which a name is a slip. */
const findSlip = (name: string, names: readonly string[]): string | undefined =>
  names.includes(name) ? undefined : names.find((other) => distance(other, name) <= 2);

const contractOf = (id: string | undefined, operations: readonly AnyOperation[]) =>
  operations.find(({ contract }) => contract.id === id)?.contract;

/** Describes fields of which no request can have both. */
const findContradictions = (
  { operation, method, path, status, outcome, faulted, fault, unmatched }: RequestFilter,
  operations: readonly AnyOperation[],
): string[] => {
  const contract = contractOf(operation, operations);
  const methods = contract === undefined ? [] : methodsOf(contract);
  const pairs = [
    [
      contract !== undefined &&
        method !== undefined &&
        !methods.some((name) => matchesPattern(method.toUpperCase(), name)),
      `operation "${operation}" and method "${method}": it has only ${methods.join(', ')}`,
    ],
    [
      contract !== undefined &&
        path?.includes('*') === false &&
        matchCall([contract], { path, method: contract.method }) === undefined,
      `operation "${operation}" and path "${path}": its path is /v1${contract?.path}`,
    ],
    [unmatched === true && operation !== undefined, `unmatched and operation "${operation}"`],
    [faulted === false && fault !== undefined, `faulted: false and fault "${fault}"`],
    [
      outcome !== undefined &&
        status !== undefined &&
        (outcome === 'pending' || (outcome === 'lost') !== (status === 'none')),
      `outcome "${outcome}" and status ${status}`,
    ],
  ] as const;
  return pairs.flatMap(([isContradiction, pair]) => (isContradiction ? [`no request has ${pair}`] : []));
};

/** Whether a path, which may be a pattern, can begin with `/v1`. */
const mayBeginAsOurs = (path: string): boolean => {
  const [start = ''] = path.split('*');
  return start.startsWith('/v1') || (path.includes('*') && '/v1'.startsWith(start));
};

const describePath = (path: string): string => {
  const [, name, rest] = /^\/sessions\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  return name === undefined
    ? `the path "${path}" does not begin with /v1, as those of the gateway do. For other requests, add unmatched: true`
    : `the path "${path}" contains a session, which is not a part of it. Use "${rest ?? '/v1/batches'}", and the control of the session "${name}"`;
};

/** Whether a value is a pattern other than `*`. */
const isPartial = (value: string): boolean => value.includes('*') && value !== '*';

const describePartial = (field: string, value: string): string =>
  `"${field}" is masked, and compared only as a whole, but "${value}" is a pattern or a mask. Use the value that was sent, or * for any`;

/** Describes a name that does not exist, or a pattern that matches no name. */
const findUnknown = (what: string, value: string | undefined, names: readonly string[]): string[] =>
  value === undefined || names.some((name) => matchesPattern(value, name))
    ? []
    : [`unknown ${what} "${value}".${suggest(value, names)}`];

/** Describes what is wrong with a text that must be the line of a fault, as the journal has it, or a pattern. */
const findFaultErrors = (line: string, operations: readonly string[]): string[] => {
  try {
    return parseRule(line, operations).lasts === undefined
      ? []
      : [`the line "${line}" changed when the fault was added (for=): use the line from faults.list()`];
  } catch (error) {
    return line.includes('*') ? [] : [messageOf(error)];
  }
};

/**
 * Whether a request matches a filter whose names were checked.
 *
 * @throws Error if the filter has a pattern for a masked value, or a field of the body that may not have been kept
 */
export const matchesFilter = (entry: JournalEntry, filter: RequestFilter): boolean => {
  const { request } = entry;
  const { operation, method, path, status, fault, assumption } = filter;
  return (
    (operation === undefined || matchesPattern(operation, request.operation ?? undefined)) &&
    (method === undefined || matchesPattern(method.toUpperCase(), request.method.toUpperCase())) &&
    (path === undefined || matchesPattern(path, request.path)) &&
    (status === undefined || hasStatus(request, status)) &&
    (filter.outcome === undefined || request.outcome === filter.outcome) &&
    (filter.faulted === undefined || request.faults.length > 0 === filter.faulted) &&
    (fault === undefined || request.faults.some((line) => matchesPattern(fault, line))) &&
    (assumption === undefined || request.assumptions.some((id) => matchesPattern(assumption, id))) &&
    (filter.unmatched === undefined ||
      ((request.operation ?? request.upstream) === null) === filter.unmatched) &&
    hasValues('params', filter, entry) &&
    hasValues('headers', filter, entry) &&
    hasValues('query', filter, entry) &&
    (filter.body === undefined || hasBody(filter.body, entry)) &&
    (filter.search === undefined || hasSearched(entry, filter.search)) // last, since it takes longest
  );
};

const hasStatus = ({ status, outcome }: RecordedRequest, wanted: number | string): boolean => {
  if (status === null || wanted === 'none')
    return status === null && wanted === 'none' && outcome !== 'pending';
  return typeof wanted === 'number' ? status === wanted : Math.floor(status / 100) === Number(wanted[0]);
};

/** Whether a request has each wanted value among those of its name. */
const hasValues = (
  part: 'params' | 'headers' | 'query',
  filter: RequestFilter,
  { request, maskedValues }: JournalEntry,
): boolean =>
  Object.entries(filter[part] ?? {}).every(([name, pattern]) => {
    const masked: Readonly<Record<string, string | readonly (string | null)[]>> =
      part === 'params' ? {} : maskedValues[part];
    const maskedOfName = [ownValue(masked, name) ?? []].flat();
    const shown: Readonly<Record<string, string | readonly string[]>> = request[part];
    return [ownValue(shown, name) ?? []].flat().some((value, at) => {
      const sentValue = maskedOfName[at] ?? null;
      return sentValue === null
        ? matchesPattern(pattern, value)
        : equalsSent(pattern, pattern, sentValue, `${part}.${name}`, maskedValues.digest);
    });
  });

/** Whether a value equals the value that was sent. @param text the wanted value as the journal stores it */
const equalsSent = (
  wanted: unknown,
  text: string,
  sentValue: string,
  field: string,
  digest: Digest | undefined,
): boolean => {
  if (wanted === '*' || (digest?.(text) ?? text) === sentValue) return true;
  return typeof wanted === 'string' && isPartial(wanted) ? fail(describePartial(field, wanted)) : false;
};

const hasBody = (
  wanted: NonNullable<RequestFilter['body']>,
  { request, maskedValues }: JournalEntry,
): boolean => {
  const { digest, body: sentBody = {}, isCut = false } = maskedValues;
  if (request.body === null) return false;
  const shown = isCut ? request.body.slice(0, request.body.lastIndexOf(cutNote)) : request.body;
  const masked =
    typeof sentBody === 'string' ? findMasked(sentBody, shown) : new Map(Object.entries(sentBody));
  const describeBehind = (field: string): string =>
    `the journal has only the first ${limits.keptBody} bytes of the body of request ${request.ordinal}, and ${field} may be behind them. Narrow the filter, so that it leaves this request out`;

  if (typeof wanted === 'string') {
    const [start = ''] = wanted.split('*');
    if (isCut && !shown.startsWith(start.slice(0, shown.length))) return false;
    if (isCut && !(wanted.endsWith('*') && matchesPattern(wanted, shown))) fail(describeBehind('the text'));
    const sentText = masked.get(wholeBody);
    return sentText === undefined
      ? matchesPattern(wanted, shown)
      : equalsSent(wanted, wanted, sentText, 'body', digest);
  }
  const compareLeaf = (leaf: unknown, found: unknown, path: string): boolean => {
    const sentValue = masked.get(path);
    if (sentValue !== undefined) return equalsSent(leaf, toJsonText(leaf), sentValue, `body${path}`, digest);
    return typeof leaf === 'string' && typeof found === 'string'
      ? matchesPattern(leaf, found)
      : toJsonText(leaf) === toJsonText(found);
  };
  const { value, open } = parseStart(shown);
  const result = compareBody(wanted, value, compareLeaf, open);
  return typeof result === 'string' ? result === 'equal' : fail(describeBehind(`body${result.behind}`));
};

/** @throws Error if a word was sent as a credential: the journal shows no credentials, so no request would match */
const hasSearched = ({ request, maskedValues }: JournalEntry, search: string): boolean => {
  const { headers, query, digest } = maskedValues;
  const masked = [...Object.values(headers), ...Object.values(query).flat()];
  for (const word of search.split(/\s+/))
    if (word.length >= minHiddenLength && masked.includes(digest?.(word) ?? word))
      fail(
        `"${word}" was sent as a credential, which a search never finds. Filter by its header or parameter`,
      );
  return hasWords(request, search);
};

const fail = (reason: string): never => {
  throw new Error(`Failed to read the request filter: ${endSentence(reason)}`);
};
