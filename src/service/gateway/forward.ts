import type { Marking } from '../../core/assumptions/marking.ts';
import type { Keys } from '../../core/protocol/auth.ts';
import { bytesOf } from '../../core/protocol/body.ts';
import type { Call, LateReply, Reply } from '../../core/protocol/call.ts';
import { isOfThisMachine } from '../../core/protocol/cors.ts';
import { isBelowVersion, versionPath } from '../../core/protocol/paths.ts';
import { matchCall, type Route } from '../../core/protocol/router.ts';
import { upstreamHeader } from '../../core/protocol/world-headers.ts';

/** Another server, to which calls are forwarded that match no operation. */
export interface Upstream {
  /** Its base URL, as replies and the journal show it. */
  readonly url: string;
  /**
   * Sends a call to that server. If it fails, the reply is our own error; only such a reply has a `body`.
   *
   * @param path the path below the base URL, in which no segment is `..`
   */
  readonly send: (call: Call, path: string, body: Uint8Array, signal: AbortSignal) => Promise<Reply>;
}

/** The name in the `via` header of forwarded calls. */
export const viaName = 'gateway-mock';

/**
 * Whether a call may be forwarded: its path is below `/v1` and cannot lead out of the base URL, and no mock has forwarded the
 * call before (that would be a loop).
 */
export const isForwardable = ({ path, header }: Call): boolean =>
  isBelowVersion(path) && !leadsUp(path) && header('via')?.includes(viaName) !== true;

/** Whether a segment begins with `..`, also after decoding. */
const leadsUp = (path: string): boolean => /(?:[/\\]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){2}/i.test(path);

/**
 * Whether a preflight goes to the other server. It does if the gateway has no such call, and does not itself let the page read
 * the other server's replies.
 */
export const isPreflightToForward = (operations: readonly Route[], call: Call, keys: Keys): boolean => {
  const method = call.header('access-control-request-method') ?? '';
  const isOurs = matchCall(operations, { ...call, method }) !== undefined;
  return !isOurs && isForwardable(call) && !mayReadForwarded(call, keys);
};

/**
 * Whether a web page may read replies of another server. Only pages of this machine may, unless the session lists its valid API keys:
 * otherwise, any web page could read a server in the user's network.
 */
export const mayReadForwarded = (call: Call, keys: Keys): boolean =>
  keys.valid !== undefined || isOfThisMachine(call.header('origin') ?? '');

/** Returns a function that forwards a call. @throws GatewayError if the body was not fully read */
export const prepareForward = (upstream: Upstream, call: Call, { mark }: Marking): LateReply['wait'] => {
  const body = bytesOf(call);
  const path = call.path.slice(versionPath.length);
  return async (signal) => {
    const reply = await upstream.send(call, path, body, signal);
    if (reply.body !== null) mark('error-body'); // our own error: other replies are streams
    return { ...reply, headers: { ...reply.headers, [upstreamHeader]: upstream.url } };
  };
};
