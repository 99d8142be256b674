// Texts to copy for a request: a shell command, and the line of a fault.

import { quoteValue, splitLine } from '../../../core/faults/tokens.ts';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { readWallClock } from '../../../core/util/stopwatch.ts';
import { tryParse } from '../../../core/util/try-parse.ts';
import { sender, senderHeader } from '../../sender.ts';

/** Headers that are left out: those that curl sends itself, those about the connection, and the session, which is in the URL. */
const leftOut =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|expect|te|upgrade|x-mock-session|x-mock-sender|sec-.*)$/;

/** Keys that the session accepts. */
export interface Keys {
  readonly apiKey: string;
  readonly virtualKey: string;
}

/** The headers of the same call with working keys. Other masked headers, and those that a client sets itself, are left out. */
const headersToSend = (request: RecordedRequest, { apiKey, virtualKey }: Keys): [string, string][] => {
  const keys = new Map([
    ['x-gateway-api-key', apiKey],
    ['x-gateway-virtual-key', virtualKey],
  ]);
  return Object.entries(request.headers)
    .map(([name, value]): [string, string] => [name, isMasked(value) ? (keys.get(name) ?? value) : value])
    .filter(([name, value]) => !leftOut.test(name) && !isMasked(value));
};

/** The mask that `maskCredential` writes. */
const isMasked = (value: string): boolean => /^\*{3}(?:.{4})?$/.test(value);

/**
 * The request as a command for any POSIX shell.
 *
 * @param baseUrl of the session, with `/v1`
 */
export const toCurl = (request: RecordedRequest, baseUrl: string, keys: Keys): string => {
  const { method, body } = request;
  const headers = headersToSend(request, keys);
  const url = `${baseUrl.replace(/\/v1$/, '')}${targetOf(request)}`;
  const hasType = headers.some(([name]) => name === 'content-type');
  const usual = body === null ? 'GET' : 'POST';
  return [
    `curl ${quote(url)}`,
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
    ...(method === 'HEAD' ? ['--head'] : method === usual ? [] : [`-X ${quote(method)}`]),
    // A semicolon is how curl sends a header without a value.
    ...headers.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body === null ? [] : [...(hasType ? [] : ["-H 'content-type:'"]), `--data-raw ${quote(body)}`]),
  ].join(' \\\n  ');
};

/** Quotes a text for a shell in single quotes. */
export const quote = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The line of a fault that does the same to the same call; undefined if no operation matches, since faults do not apply then. A
 * successful call is made to fail.
 *
 * @param number of the call among those with its operation and, if that has parameters, its path
 */
export const toFaultLine = (request: RecordedRequest, number: number): string | undefined => {
  const { operation, path } = request;
  if (operation === null) return undefined;
  const clause = hasParams(request) ? ` path=${quoteValue(path)}` : '';
  return `${operation}#${number}${clause}: ${repeatEffect(request)}`;
};

/** Whether calls of its operation have different paths. */
export const hasParams = ({ params }: RecordedRequest): boolean => Object.keys(params).length > 0;

const repeatEffect = ({ faults, status, reply }: RecordedRequest): string => {
  const effects = faults.map(effectOf);
  const effect = effects.find(([kind]) => kind !== 'delay') ?? effects[0];
  if (effect !== undefined) return effect.join(' ');
  if (status === null || status < 400) return '503';
  const { message, code, param } = Object(Object(tryParse(reply?.body ?? '')).error);
  const options = Object.entries({ message, code, param }).filter(([, value]) => typeof value === 'string');
  const headers = Object.entries(reply?.headers ?? {})
    .filter(([name]) => /^(?:retry-after|x-ratelimit-.*)$/.test(name))
    .map(([name, value]) => [name === 'retry-after' ? name : `header.${name}`, value]);
  return [status, ...[...options, ...headers].map(([name, value]) => `${name}=${quoteValue(value)}`)].join(
    ' ',
  );
};

/** The key of a request in links: its number. After an undo, an id may be used again. */
export const keyOf = ({ ordinal }: RecordedRequest): string => String(ordinal);

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

/** When it arrived, in milliseconds since 1970. */
export const arrivalOf = ({ receivedAt }: RecordedRequest): number => Date.parse(receivedAt);

/** When its reply ended; now, while it is in progress. */
export const endOf = (request: RecordedRequest): number =>
  request.duration === null ? readWallClock() : arrivalOf(request) + request.duration;

/** The words of a fault's effect: `['503']`, `['delay', '3s']`. */
export const effectOf = (line: string): readonly string[] => splitLine(line)[1].map(({ text }) => text);

/** Whether a fault closed the connection, and not the client. */
export const isClosedByFault = ({ faults }: RecordedRequest): boolean =>
  faults.some((line) => /^(?:hang-up|reset)$/.test(effectOf(line)[0] ?? ''));

/** What became of the reply, in words. */
export const describeOutcome = (request: RecordedRequest): string => {
  const { outcome, duration, bytes, reply } = request;
  if (outcome === 'pending') return 'The reply is under way';
  const time = formatMillis(duration ?? 0);
  if (outcome === 'sent') return `Sent in ${time}, ${format(bytes)} bytes`;
  const [, all] = / of (\d+) bytes were sent\)$/.exec(reply?.body ?? '') ?? []; // the journal's note
  const part = `${format(bytes)}${all === undefined ? '' : ` of ${format(Number(all))}`} bytes`;
  if (!isClosedByFault(request))
    return `The client left after ${time}, ${outcome === 'cut' ? `at ${part}` : 'before the reply'}`;
  return outcome === 'cut'
    ? `Cut at ${part}, after ${time}`
    : `The connection was closed after ${time}, before the reply`;
};

const format = (count: number): string => count.toLocaleString('en');

export const formatMillis = (millis: number): string =>
  millis >= 1000
    ? `${(millis / 1000).toFixed(millis < 10_000 ? 1 : 0)} s`
    : `${millis.toFixed(millis < 10 ? 1 : 0)} ms`;

/** Formats how long the reply took. */
export const formatDuration = ({ duration }: RecordedRequest): string =>
  duration === null ? '…' : formatMillis(duration);

/** The client by its `user-agent`. */
export const clientOf = ({ headers }: RecordedRequest): string =>
  headers[senderHeader] === sender ? 'control room' : describeAgent(headers['user-agent'] ?? '');

/** A `user-agent` in short: `OpenAI/JS 6.49`, `curl 8.14`, `Chromium 150`. */
export const describeAgent = (agent: string): string => {
  const [, browser, version] = /\b(Edg|Firefox|HeadlessChrome|Chrome|Version)\/(\d+)/.exec(agent) ?? [];
  if (browser !== undefined) return `${browserNames[browser] ?? browser} ${version}`;
  const [, name = agent, number = ''] = /^(\S+?)[/ ]v?(\d+(?:\.\d+)?)\S*/.exec(agent) ?? [];
  return `${name} ${number}`.trim() || 'no name';
};

const browserNames: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  HeadlessChrome: 'Chromium',
  Version: 'Safari',
};
