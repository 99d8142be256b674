// Passes calls on to another server (`--upstream`), and its replies back.
import type { ClientRequest, RequestOptions } from 'node:http';
import { pipeline } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { type PassedCall, type Upstream, viaName } from '../gateway/pass-on.ts';
import { onceClosed } from '../transports/node-http.ts';
import { catchBugs } from '../transports/safety-net.ts';
import { messageOf } from '../util/message-of.ts';
import { toPassedHeaders, withoutCredentials } from './passed-headers.ts';
import { createPassedReply } from './passed-reply.ts';
import { readUpstreamOptions, type UpstreamOptions } from './upstream-options.ts';

/** How many calls may be under way to the other server. */
export const maxPassed = 100;

/** @throws Error on an invalid URL or timeout */
export const openUpstream = async (options: UpstreamOptions): Promise<Upstream | undefined> => {
  const settings = readUpstreamOptions(options);
  if (settings === undefined) return undefined;
  const { base, timeout, hasCredentials } = settings;
  const remedy =
    base.protocol === 'https:'
      ? 'Start that server, correct its URL (--upstream), or make its certificate known (NODE_EXTRA_CA_CERTS=FILE).'
      : 'Start that server, or correct its URL (--upstream).';
  const { request } = await (base.protocol === 'https:' ? import('node:https') : import('node:http'));

  /** The URL is never made of the call: its host and base path stay as they are. */
  const toRequest = ({ call, path, query, body, isCredential }: PassedCall): RequestOptions => {
    const dropped = hasCredentials ? undefined : isCredential;
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
    const reply = createPassedReply(passed, base.href, hasCredentials);
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
    const fail = (...given: Parameters<typeof reply.fail>): void =>
      catchBugs(response, () => reply.fail(...given));
    const failBy = (error: unknown): void => fail(502, `${reasonOf(error)}. ${remedy}`);
    try {
      sent = request(toRequest(passed));
    } catch (error) {
      failBy(error);
      return;
    }
    timer = setTimeout(() => {
      const reason = `its reply did not begin within ${timeout / 1000} seconds. Look at that server, or give it longer (--upstream-timeout).`;
      fail(504, reason);
      sent?.destroy();
    }, timeout);
    sent.once('response', (theirs) => {
      clearTimeout(timer);
      catchBugs(response, () => {
        // If one side breaks off, so does the other.
        if (reply.begin(theirs.statusCode ?? 0, theirs.headers)) pipeline(theirs, response, () => {});
        else theirs.destroy();
      });
    });
    sent.on('error', failBy);
    sent.once('close', () => failBy('the connection was closed without a reply'));
    sent.end(passed.body);
  };
  return { url: base.href, timeout, send };
};

/** Of the addresses of one name, each may fail; then the error has no message of its own. */
const reasonOf = (error: unknown): string =>
  error instanceof AggregateError && error.message === ''
    ? error.errors.map(messageOf).join(', ')
    : messageOf(error);
