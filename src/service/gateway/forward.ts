import { bytesOf } from '../../core/protocol/body.ts';
import type { Call, LateReply, Reply } from '../../core/protocol/call.ts';
import { isBelowVersion, versionPath } from '../../core/protocol/paths.ts';
import { upstreamHeader } from '../../core/protocol/world-headers.ts';

/** Another server, to which calls are forwarded that match no operation. */
export interface Upstream {
  /** Its base URL, as replies and the journal show it. */
  readonly url: string;
  /** Sends a call to that server. The path is below the base URL, and no segment is `..`. */
  readonly send: (call: Call, body: Uint8Array, signal: AbortSignal) => Promise<Reply>;
}

/** The name in the `via` header of forwarded calls. */
export const viaName = 'gateway-mock';

/**
 * Whether a call may be forwarded: its path is below `/v1` and cannot lead out of the base URL, and no mock has forwarded the
 * call before (that would be a loop).
 */
export const isForwardable = ({ path, header }: Call): boolean =>
  isBelowVersion(path) && !leadsUp(path) && header('via')?.includes(viaName) !== true;

/** Returns a function that forwards such a call. @throws GatewayError if the body was not fully read */
export const prepareForward = (upstream: Upstream, call: Call): LateReply['wait'] => {
  const body = bytesOf(call);
  const below = { ...call, path: call.path.slice(versionPath.length) };
  return async (signal) => {
    const reply = await upstream.send(below, body, signal);
    return { ...reply, headers: { ...reply.headers, [upstreamHeader]: upstream.url } };
  };
};

/** Whether a segment begins with `..`, also after decoding. */
const leadsUp = (path: string): boolean => /(?:[/\\]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){2}/i.test(path);
