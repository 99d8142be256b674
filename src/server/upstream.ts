// Passes calls on to another server (`--upstream`), and its replies back.
import type { ClientRequest, RequestOptions } from 'node:http';
import { pipeline } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { type PassedCall, type Upstream, viaName } from '../gateway/pass-on.ts';
import { onceClosed } from '../transports/node-http.ts';
import { messageOf } from '../util/message-of.ts';
import { toPassedHeaders, withoutCredentials } from './passed-headers.ts';
import { createPassedReply } from './passed-reply.ts';

/** The options of a server for calls that are passed on. */
export interface UpstreamOptions {
  /**
   * The base URL of another server, such as `http://127.0.0.1:5000/v1`. Calls below `/v1` that no operation serves are sent
   * there, and its replies are passed back. Without a path, `/v1` is added. Default: none; such calls get 404 or 405.
   */
  readonly upstream?: string | undefined;
  /** Whether that server gets the credentials of these calls, and may set cookies. Default: false. */
  readonly upstreamCredentials?: boolean | undefined;
  /** How long that server may take until its reply begins, in milliseconds. Default: 60,000. */
  readonly upstreamTimeout?: number | undefined;
}

/** How many calls may be under way to the other server. */
export const maxPassed = 100;

/** The longest time that a timer of Node can take, in milliseconds. */
const longestTimeout = 2 ** 31 - 1;

/** @throws Error on an invalid URL or timeout */
export const openUpstream = async ({
  upstream,
  upstreamCredentials = false,
  upstreamTimeout,
}: UpstreamOptions): Promise<Upstream | undefined> => {
  if (upstream === undefined) {
    if (upstreamCredentials || upstreamTimeout !== undefined)
      throw new Error(
        'The options "upstreamCredentials" and "upstreamTimeout" need "upstream": no server is given to pass calls on to (--upstream URL).',
      );
    return undefined;
  }
  const timeout = upstreamTimeout ?? 60_000;
  const base = toBase(upstream);
  if (!(timeout >= 1 && timeout <= longestTimeout))
    throw new Error(
      `The option "upstreamTimeout" must be a number of milliseconds from 1 to ${longestTimeout}, but found ${timeout}.`,
    );
  const { request } = await (base.protocol === 'https:' ? import('node:https') : import('node:http'));

  /** The URL is never made of the call: its host and base path stay as they are. */
  const toRequest = ({ call, path, query, body, isCredential }: PassedCall): RequestOptions => {
    const dropped = upstreamCredentials ? undefined : isCredential;
    const asked = dropped === undefined ? query : withoutCredentials(query, dropped);
    return {
      ...urlToHttpOptions(base),
      method: call.method,
      path: base.pathname + path + (asked === '' ? '' : `?${asked}`),
      headers: {
        ...toPassedHeaders(call.headers(), dropped),
        via: `1.1 ${viaName}`,
        ...(body.byteLength > 0 && { 'content-length': body.byteLength }),
      },
      agent: false, // a connection of its own, since one that was kept may be closed just now
    };
  };

  let underWay = 0;
  const send = (passed: PassedCall): void => {
    const { response } = passed;
    const reply = createPassedReply(passed, base.href, upstreamCredentials);
    let sent: ClientRequest | undefined;
    let timer: NodeJS.Timeout | undefined;
    underWay += 1;
    onceClosed(response, () => {
      underWay -= 1;
      clearTimeout(timer);
      sent?.destroy();
      reply.end();
    });
    if (response.req.socket.destroyed) return;
    if (underWay > maxPassed) {
      const reason = `${maxPassed} calls are under way to it, and no more are sent. Send this one again later.`;
      reply.fail(503, reason, { 'retry-after': '1' });
      return;
    }
    const failBy = (error: unknown): void =>
      reply.fail(502, `${reasonOf(error)}. Start that server, or correct its URL (--upstream).`);
    try {
      sent = request(toRequest(passed));
    } catch (error) {
      failBy(error);
      return;
    }
    timer = setTimeout(() => {
      const reason = `its reply did not begin within ${timeout / 1000} seconds. Look at that server, or give it longer (--upstream-timeout).`;
      reply.fail(504, reason);
      sent?.destroy();
    }, timeout);
    sent.once('response', (theirs) => {
      clearTimeout(timer);
      // If one side breaks off, so does the other.
      if (reply.begin(theirs.statusCode ?? 0, theirs.headers)) pipeline(theirs, response, () => {});
      else theirs.destroy();
    });
    sent.on('error', failBy);
    sent.once('close', () => failBy('the connection was closed without a reply'));
    sent.end(passed.body);
  };
  return { url: base.href, timeout, send };
};

/** A base URL without a slash at its end. */
const toBase = (given: string): URL => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === '';
  if (!isPlain)
    throw new Error(
      `Invalid upstream "${withoutUser(given)}": it must be the base URL of another server, such as "http://127.0.0.1:5000/v1", without a user, a query or a fragment.`,
    );
  url.pathname = url.pathname.replace(/\/+$/, '') || '/v1';
  return url;
};

/** An invalid URL without the password that may stand in it. */
const withoutUser = (text: string): string => text.replace(/\/\/.*@/s, '//…@').replace(/[?#].*/s, '?…');

/** Of the addresses of one name, each may fail; then the error has no message of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError && error.message === ''
    ? error.errors.map(messageOf).join(', ')
    : messageOf(error);
