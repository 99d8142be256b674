import type { Assume } from '../../core/assumptions/table.ts';
import { checkKnownKey } from '../../core/protocol/auth.ts';
import { bytesOf } from '../../core/protocol/body.ts';
import type { Call, LateReply, Reply } from '../../core/protocol/call.ts';
import { isBelowVersion, versionPath } from '../../core/protocol/paths.ts';
import { upstreamHeader } from '../../core/protocol/world-headers.ts';
import type { World } from '../../core/world/world.ts';

/** Another server, which answers what no operation does. */
export interface Upstream {
  /** Its base URL, as replies and the journal show it. */
  readonly url: string;
  /** Sends a call there. Its path is below the base URL, and no segment is `..`. */
  readonly send: (call: Call, body: Uint8Array, signal: AbortSignal) => Promise<Reply>;
}

/** The name in the `via` header of forwarded calls. */
export const viaName = 'gateway-mock';

/**
 * Returns what sends a call to another server. Undefined if the call is not forwarded: its path is not below `/v1` or
 * could lead out of the base URL, or a mock has forwarded it before, which would be a loop.
 *
 * @throws GatewayError if the API key is not valid, or the body was not fully read
 */
export const forward = (
  upstream: Upstream,
  call: Call,
  { keys }: World,
  assume: Assume,
): LateReply['wait'] | undefined => {
  const { path, header } = call;
  if (!isBelowVersion(path) || leadsUp(path) || header('via')?.includes(viaName)) return undefined;
  checkKnownKey(header, keys, assume);
  const body = bytesOf(call);
  const below = { ...call, path: path.slice(versionPath.length) };
  return async (signal) => {
    const reply = await upstream.send(below, body, signal);
    return { ...reply, headers: { ...reply.headers, [upstreamHeader]: upstream.url } };
  };
};

/** Whether a segment begins with `..`, also for a server that decodes a path first. */
const leadsUp = (path: string): boolean => /(?:[/\\]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){2}/i.test(path);
