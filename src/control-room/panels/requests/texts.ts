// A request in words: its target, its client, what became of it; and texts to copy: a shell command, the line of a fault.
import { quoteValue, splitLine } from '../../../core/faults/tokens.ts';
import type { RecordedRequest } from '../../../core/journal/recorded-request.ts';
import { readWallClock } from '../../../core/util/stopwatch.ts';
import { sender, senderHeader } from '../../sender.ts';

/** A call that can be sent. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Headers that are left out: those that curl sends itself, those about the connection, and the session, which is in the URL. */
const leftOut =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|expect|te|upgrade|x-mock-session|x-mock-sender|sec-.*)$/;

/**
 * The same call with working keys. Other masked headers, and those that a client sets itself, are left out.
 *
 * @param baseUrl of the session, with `/v1`
 */
export const toCall = (
  request: RecordedRequest,
  baseUrl: string,
  keys: Readonly<Record<string, string>>,
): Call => {
  const { method, headers, body } = request;
  const sent = Object.entries(headers)
    .map(([name, value]) => [name, isMasked(value) ? (keys[name] ?? value) : value] as const)
    .filter(([name, value]) => !leftOut.test(name) && !isMasked(value));
  const url = baseUrl.replace(/\/v1$/, '') + targetOf(request);
  return { method, url, headers: Object.fromEntries(sent), body };
};

/** The mask that `maskCredential` writes. */
const isMasked = (value: string): boolean => /^\*{3}(?:.{4})?$/.test(value);

/** A call as a command for any POSIX shell. */
export const toCurl = ({ method, url, headers, body }: Call): string =>
  [
    `curl ${quote(url)}`,
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(url) ? ['--path-as-is'] : []),
    ...(method === 'HEAD'
      ? ['--head']
      : method === (body === null ? 'GET' : 'POST')
        ? []
        : [`-X ${quote(method)}`]),
    // A semicolon is how curl sends a header without a value.
    ...Object.entries(headers).map(
      ([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...(body === null || 'content-type' in headers ? [] : ["-H 'content-type:'"]),
    ...(body === null ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' \\\n  ');

/** Quotes a text for a shell in single quotes. */
const quote = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The line of a fault that does the same to the next call of that path. A successful call is made to fail. */
export const toFaultLine = ({ operation, params, path, faults, status }: RecordedRequest): string => {
  const condition = Object.keys(params).length > 0 ? ` path=${quoteValue(path)}` : '';
  const last = faults.at(-1); // those before it are delays
  const effect = last !== undefined ? effectOf(last).join(' ') : (status ?? 0) >= 400 ? status : 503;
  return `${operation}#1${condition}: ${effect}`;
};

/** The key of a request in links: its number. Links from elsewhere may have its id. */
export const keyOf = ({ ordinal }: RecordedRequest): string => String(ordinal);

/** The path with the query, as a client sends it. */
export const targetOf = ({ path, query }: RecordedRequest): string => {
  const search = Object.entries(query)
    .flatMap(([name, values]) => [values].flat().map((value) => `${encode(name)}=${encode(value)}`))
    .join('&');
  return search === '' ? path : `${path}?${search}`;
};

/** Like `encodeURIComponent`, but keeps characters that URLs allow. Decoded text has no lone surrogates, on which it would throw. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:3A|2C|2F)/g, decodeURIComponent);

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

/** Formats how long a client waited before it sent a call again. */
export const formatPause = (before: RecordedRequest, after: RecordedRequest): string =>
  formatMillis(Math.max(0, arrivalOf(after) - endOf(before)));

/** Formats how long the reply took. */
export const formatDuration = ({ duration }: RecordedRequest): string =>
  duration === null ? '…' : formatMillis(duration);

/** The client by its `user-agent`. */
export const clientOf = ({ headers }: RecordedRequest): string =>
  headers[senderHeader] === sender ? 'control room' : describeAgent(headers['user-agent'] ?? '');

/** A `user-agent` in short: `OpenAI/JS 6.49`, `curl 8.14`, `Chrome 150`. */
export const describeAgent = (agent: string): string => {
  const [, name = agent, version = ''] =
    /(Firefox|Chrome|Safari)\/(\d+)/.exec(agent) ?? /^(\S+?)[/ ]v?(\d+(?:\.\d+)?)/.exec(agent) ?? [];
  return `${name} ${version}`.trim() || 'no name';
};
