// Forwards calls to another server (`--upstream`), and its replies back.

import { type Call, flattenHeaders, type Reply, type ReplyStream } from '../../core/protocol/call.ts';
import { toErrorReply } from '../../core/protocol/errors.ts';
import { isFramingHeader } from '../../core/protocol/reply-rules.ts';
import { createIsCredential, type IsCredential, Mask } from '../../core/util/mask.ts';
import { messageOf } from '../../core/util/message-of.ts';
import { truncate } from '../../core/util/truncate.ts';
import { type Upstream, viaName } from '../gateway/forward.ts';
import type { ParsedServerOptions } from './server-options.ts';

/** The other server; undefined if there is none. @throws Error on an invalid URL */
export const openUpstream = async ({
  upstream,
  upstreamCredentials: passesCredentials,
  upstreamTimeout: timeout = 60_000,
  mask,
}: ParsedServerOptions): Promise<Upstream | undefined> => {
  if (upstream === undefined) return undefined;
  const base = toBase(upstream);
  const isCredential = createIsCredential(mask);
  const { proxyFetch } = await import('httpxy');
  // Each call has its own connection, since the other server may just be closing an old connection. `ssl` goes to Node's `request`:
  // without this hostname, httpxy would look up the address `[::1]` as a name.
  const ssl = { hostname: base.hostname.replace(/^\[|\]$/g, '') };
  const options = { changeOrigin: true, agent: false, ssl };

  const send: Upstream['send'] = async (call, path, body, signal) => {
    const toFailure = (status: number, reason: string): Reply => {
      const message = `Failed to forward ${call.method} /v1${truncate(path)} to ${base.href}: ${reason}`;
      return toErrorReply({ status, message, headers: { 'cache-control': 'no-store' } });
    };
    const { headers, query } = passesCredentials ? call : dropCredentials(call, isCredential);
    const passed = dropHeaders(flattenHeaders(headers()), /^(?:host|content-length|x-mock-.*)$/);
    const url = `http://localhost${path}${query && `?${query}`}`; // the host is always that of the base
    const length = body.byteLength;
    const tooLate = new AbortController();
    const request = {
      method: call.method,
      // Without a length, Node would send the body of a GET as if it were the next request.
      headers: { ...passed, via: `1.1 ${viaName}`, ...(length > 0 && { 'content-length': `${length}` }) },
      body: new Uint8Array(body),
      signal: AbortSignal.any([signal, tooLate.signal]),
    };
    const reply = proxyFetch(base.href, url, request, options).then(
      ({ status, headers: theirs, body: stream }): Reply => {
        const cookies = passesCredentials ? theirs.getSetCookie() : [];
        const replyHeaders = dropHeaders(Object.fromEntries(theirs), /^(?:x-mock-.*|set-cookie)$/);
        const size = Number(theirs.get('content-length') ?? Number.NaN);
        return {
          status,
          headers: replyHeaders,
          ...(cookies.length > 0 && { cookies }),
          body: null,
          ...(stream !== null && { stream: toStream(stream, size) }),
        };
      },
      (error: unknown) => toFailure(502, `${reasonOf(error)}. ${remedy}`),
    );
    let timer: NodeJS.Timeout | undefined;
    // A race, since httpxy may never settle, such as after a status of 101.
    const late = new Promise<Reply>((resolve) => {
      timer = setTimeout(() => {
        const advice = 'Look at that server, or give it longer (--upstream-timeout).';
        resolve(toFailure(504, `its reply did not begin within ${timeout / 1000} seconds. ${advice}`));
        tooLate.abort();
      }, timeout);
    });
    signal.addEventListener('abort', () => clearTimeout(timer)); // the client has left, and the race may never end
    return Promise.race([reply, late]).finally(() => clearTimeout(timer));
  };
  return { url: base.href, send };
};

const toStream = (body: ReadableStream<Uint8Array>, size: number): ReplyStream => ({
  pieces: body as unknown as AsyncIterable<Uint8Array>, // Node can iterate it, but TypeScript's DOM library does not know
  size: Number.isInteger(size) ? size : undefined,
});

/** A base URL without a slash at its end. An invalid URL may contain a password, so the error does not show it. */
const toBase = (text: string): URL => {
  if (!URL.canParse(text) || !/^https?:\/\/[^@?#]+$/i.test(text))
    throw new Error(
      'Invalid upstream: it must be the base URL of another server, such as "http://127.0.0.1:5000/v1", without a user, a query or a fragment.',
    );
  const url = new URL(text);
  url.pathname = url.pathname.replace(/\/+$/, '') || '/v1';
  return url;
};

/** The way out, for errors if that server cannot be reached. */
const remedy =
  'Start that server, correct its URL (--upstream), or make its certificate known (NODE_EXTRA_CA_CERTS=FILE).';

/** If each address of a name fails, the error has no message of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : messageOf(error);

/** Headers about the connection or the framing (RFC 9110, 7.6.1), besides those that `connection` names. */
const ofConnection = /^(?:proxy-.*|trailers|http2-settings|expect)$/;

/** Drops the headers of the connection, and those whose names match. A reply keeps its `content-length`; a request gets a new one. */
const dropHeaders = <Value>(headers: Readonly<Record<string, Value>>, dropped: RegExp) => {
  const { connection = '' } = headers;
  const named = String(connection)
    .toLowerCase()
    .split(/\s*,\s*/);
  const isDropped = (name: string) =>
    (isFramingHeader(name) && name !== 'content-length') ||
    ofConnection.test(name) ||
    named.includes(name) ||
    dropped.test(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isDropped(name)));
};

/** Drops each header and each parameter of the query in which the journal would mask something. */
const dropCredentials = (call: Call, isCredential: IsCredential): Call => {
  const mask = new Mask(isCredential);
  const headers = flattenHeaders(call.headers());
  const masked = mask.headers(headers);
  const passed = Object.entries(headers).filter(
    ([name, value]) => masked[name] === value && !isCredential(name),
  );
  const query = call.query.split('&').filter((pair) => mask.form(pair) === pair);
  return { ...call, headers: () => Object.fromEntries(passed), query: query.join('&') };
};
