import { flattenHeaders } from '../protocol/call.ts';
import { type Entry, idOf, queryOf } from './entry.ts';
import { maskBodies, maskTexts, textOf } from './mask-entry.ts';

/**
 * Whether each word of a text is somewhere in a request or its reply, in any case. A number is found only as a whole, since
 * 429 is also a part of many ids. Only what is shown is searched, so a masked credential is never found.
 */
export const hasWords = (entry: Entry, search: string): boolean => {
  const words = search.toLowerCase().split(/\s+/);
  const text = shownText(entry).toLowerCase();
  return words.every((word) => (/^\d+$/.test(word) ? toWhole(word).test(text) : text.includes(word)));
};

const toWhole = (digits: string): RegExp => new RegExp(`(?<![a-z\\d])${digits}(?![a-z\\d])`);

const shownText = (entry: Entry): string => {
  maskBodies(entry);
  const { call, trace, headers, replyHeaders, status, assumptions, shownIds } = maskTexts(entry);
  const query = Object.entries(queryOf(entry)).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}=${value}`),
  );
  return [
    status ?? '',
    `${call.method} ${call.path}?${call.query}`,
    ...query, // decoded
    trace.operation ?? '',
    ...Object.values(trace.params ?? {}),
    ...(trace.faults ?? []),
    ...assumptions,
    ...(shownIds ?? trace.page?.ids ?? []), // in the body, too, unless that was dropped
    ...Object.entries({ ...flattenHeaders(headers) }).map(toLine),
    ...Object.entries(replyHeaders ?? {}).map(toLine),
    idOf(entry),
    textOf(entry.body) ?? '',
    textOf(entry.replyBody) ?? '',
  ].join('\n');
};

const toLine = ([name, value]: readonly [string, string]): string => `${name}: ${value}`;
