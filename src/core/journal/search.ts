import type { RecordedRequest } from './recorded-request.ts';

/**
 * Whether each word of a text is somewhere in a request or its reply, in any case. A number matches only a whole number, since
 * many ids contain 429.
 */
export const hasWords = (request: RecordedRequest, search: string): boolean => {
  const words = search.toLowerCase().split(/\s+/);
  const text = toText(request).toLowerCase();
  return words.every((word) => (/^\d+$/.test(word) ? toWhole(word).test(text) : text.includes(word)));
};

const toWhole = (digits: string): RegExp => new RegExp(`(?<![a-z\\d])${digits}(?![a-z\\d])`);

const toText = (request: RecordedRequest): string => {
  const { id, method, path, operation, status, params, query, headers, body, reply, page } = request;
  return [
    status ?? '',
    `${method} ${path}`,
    ...Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => `${name}=${value}`)),
    operation ?? '',
    ...Object.values(params),
    ...request.faults,
    ...request.assumptions,
    ...(page?.ids ?? []), // a body that was cut lacks some
    ...[headers, reply?.headers ?? {}].flatMap(Object.entries<string>).map(toLine),
    id,
    body ?? '',
    reply?.body ?? '',
  ].join('\n');
};

const toLine = ([name, value]: readonly [string, string]): string => `${name}: ${value}`;
