import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { PassedCall } from '../gateway/pass-on.ts';
import { flattenHeaders } from '../protocol/call.ts';
import { toErrorBody } from '../protocol/errors.ts';
import { messageOf } from '../util/message-of.ts';
import { truncate } from '../util/truncate.ts';
import { toReplyHeaders } from './passed-headers.ts';

/**
 * The reply to a call that was passed on: that of the other server, or an error of the gateway. Only the first `begin` or `fail`
 * counts.
 *
 * @param url the base URL of the other server
 */
export const createPassedReply = (
  { call, path, response, reply: { headers: own, delivery } }: PassedCall,
  url: string,
  hasCookies: boolean,
) => {
  /** What was sent; null if nothing was. */
  let status: number | null = null;
  const sendHead = (code: number, headers: Record<string, string | string[]>, body?: string): void => {
    response.writeHead(code, headers as OutgoingHttpHeaders); // it throws on what cannot be sent
    status = code;
    delivery?.onHead?.({ status, headers: flattenHeaders(headers), ...(body !== undefined && { body }) });
    response.flushHeaders(); // the first event of a stream may come late
  };
  const fail = (code: number, reason: string, more: Readonly<Record<string, string>> = {}): void => {
    if (status !== null || response.destroyed) return;
    const message = `Failed to pass ${call.method} /v1${truncate(path)} on to ${url}: ${reason}`;
    const body = JSON.stringify(toErrorBody({ status: code, message }));
    const length = String(Buffer.byteLength(body));
    const ofErrors = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    sendHead(code, { ...own, ...ofErrors, 'content-length': length, ...more }, body);
    response.end(call.method === 'HEAD' ? undefined : body);
  };
  return {
    fail,

    /** Sends the head of the other server's reply. Returns false if that cannot be sent. */
    begin(code: number, theirs: IncomingHttpHeaders): boolean {
      if (status !== null || response.destroyed) return false;
      try {
        if (code < 200 || code > 599) throw new Error(`its status is ${code}`);
        sendHead(code, toReplyHeaders(theirs, own, hasCookies));
        return true;
      } catch (error) {
        fail(502, `${messageOf(error)}. Look at that server's reply.`);
        return false;
      }
    },

    /** The connection to the client has ended, or the reply has been sent. */
    end(): void {
      if (status === null) delivery?.onHead?.(null);
      delivery?.onEnd?.(status);
    },
  };
};
