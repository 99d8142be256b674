import type { Session } from '../control/session.ts';
import type { WorldState } from '../control/world-state.ts';
import { Entry } from '../journal/entry.ts';
import type { Trace } from '../journal/recorded-request.ts';
import type { Assume } from '../protocol/assumptions.ts';
import { checkKnownKey } from '../protocol/auth.ts';
import { bytesOf } from '../protocol/body.ts';
import { type Passing, type RawCall, type Reply, whenEnded } from '../protocol/call.ts';
import { versionPath } from '../protocol/paths.ts';
import { upstreamHeader } from '../protocol/world-headers.ts';
import type { IsCredential } from '../util/mask.ts';
import { readStopwatch, readWallClock } from '../util/stopwatch.ts';
import type { Answer } from './respond.ts';
import { isBelowVersion } from './route.ts';

/** Another server, which answers what no operation does. */
export interface Upstream {
  /** Its base URL, as replies and the journal show it. */
  readonly url: string;
  /** Sends a call there. Its path is that below the base URL, and has no way up: no segment is `..`. */
  readonly send: (call: RawCall, body: Uint8Array, ...back: Parameters<Passing>) => void;
}

/** What a page of another origin may send, where the other server may have any method. */
export const passedMethods = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
};

/** The name in the `via` header of calls that are passed on. */
export const viaName = 'gateway-mock';

/**
 * The answer to a call that goes on to another server. Undefined if it does not go on: its path is not below `/v1`, could lead
 * out of the base URL, or a mock has passed it on before, so that two of them cannot send it in circles.
 *
 * @throws GatewayError if the API key is not valid, or the body was not read whole
 */
export const passOn = (
  upstream: Upstream,
  call: RawCall,
  { world }: WorldState,
  assume: Assume,
): Answer | undefined => {
  const { path, header } = call;
  if (!isBelowVersion(path) || leadsUp(path) || header('via')?.includes(viaName)) return undefined;
  checkKnownKey(header, world.keys, assume);
  const body = bytesOf(call);
  const below = { ...call, path: path.slice(versionPath.length) };
  return {
    status: 502, // it is never sent
    headers: { [upstreamHeader]: upstream.url },
    body: null,
    passing: (...back) => upstream.send(below, body, ...back),
  };
};

/** Whether a segment is `..`, as servers may see it that decode a path first. */
const leadsUp = (path: string): boolean => {
  const decoded = path.replace(/%(?:25)*2e/gi, '.').replace(/%(?:25)*(?:2f|5c)/gi, '/');
  return decoded.split(/[/\\]/).some((segment) => /^\.\.(?:;|$)/.test(segment));
};

/** Adds a call that is passed on to the journal, once its reply begins. */
export const addPassedToJournal = (
  { isCredential }: { readonly isCredential: IsCredential },
  { journal, state }: Session,
  call: RawCall,
  arrived: number,
  trace: Trace,
  reply: Reply,
): Reply => {
  const { clearCount } = journal;
  const [time, receivedAt] = [state.world.clock.now(), readWallClock()];
  const lost: Reply = { ...reply, delivery: { breaks: 'reset' } };
  let entry: Entry | undefined;
  const onHead = (head: Reply | null): void => {
    if (journal.clearCount !== clearCount) return; // the world was reset meanwhile, or has ended
    entry = new Entry(call, head ?? lost, { time, receivedAt, trace, assumptions: [], isCredential });
    journal.add(entry);
  };
  return whenEnded({ ...reply, delivery: { ...reply.delivery, onHead } }, () => {
    if (entry !== undefined) entry.duration = readStopwatch() - arrived;
  });
};
