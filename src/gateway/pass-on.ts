import type { Session } from '../control/session.ts';
import type { WorldState } from '../control/world-state.ts';
import { type Trace, toEntry } from '../journal/entry.ts';
import type { Assume } from '../protocol/assumptions.ts';
import { checkKnownKey } from '../protocol/auth.ts';
import { bytesOf } from '../protocol/body.ts';
import { type PassedHead, type Passing, type RawCall, type Reply, whenEnded } from '../protocol/call.ts';
import { type IsCredential, maskHeader } from '../protocol/credentials.ts';
import { maskNamed } from '../protocol/mask-named.ts';
import { versionPath } from '../protocol/paths.ts';
import { upstreamHeader } from '../protocol/world-headers.ts';
import { readStopwatch } from '../util/stopwatch.ts';
import type { Answer } from './respond.ts';
import { isBelowVersion } from './route.ts';

/** Another server, which answers what no operation does. */
export interface Upstream {
  /** Its base URL, as replies and the journal show it. */
  readonly url: string;
  /** How long it may take until its reply begins, in milliseconds. */
  readonly timeout: number;
  readonly send: (passed: PassedCall) => void;
}

/** A call on its way to another server. */
export interface PassedCall {
  readonly call: Pick<RawCall, 'method' | 'headers'>;
  /** Its path below the base URL and its query. It has no way up: no segment is `..`. */
  readonly path: string;
  readonly query: string;
  readonly body: Uint8Array;
  readonly isCredential: IsCredential;
  readonly response: Parameters<Passing['begin']>[0];
  readonly reply: Reply;
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
  { isCredential }: { readonly isCredential: IsCredential },
  { world }: WorldState,
  assume: Assume,
): Answer | undefined => {
  const { path, query, header } = call;
  if (!isBelowVersion(path) || leadsUp(path) || header('via')?.includes(viaName)) return undefined;
  checkKnownKey(header, world.keys, assume);
  const body = bytesOf(call);
  const rest = path.slice(versionPath.length);
  return {
    status: 502, // it is never sent
    headers: { [upstreamHeader]: upstream.url },
    body: null,
    passing: {
      timeout: upstream.timeout,
      begin: (response, reply) =>
        upstream.send({ call, path: rest, query, body, isCredential, response, reply }),
    },
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
  if (journal.size === 0) return reply;
  const before = journal.clearCount;
  const none: Reply = { ...reply, delivery: { breaks: 'reset' } };
  let entry = toEntry(call, state.world.clock.now(), trace, none, [], isCredential);
  const onHead = (head: PassedHead | null): void => {
    if (journal.clearCount !== before) return; // the world was reset meanwhile, or has ended
    if (head !== null)
      entry = {
        ...entry,
        status: head.status,
        replyHeaders: maskReply(head.headers, isCredential),
        replyBody: head.body ?? null,
      };
    journal.add(entry);
  };
  const sent = whenEnded(reply, () => {
    entry.duration = readStopwatch() - arrived;
  });
  return { ...sent, delivery: { ...sent.delivery, onHead } };
};

/** The other server may send credentials of its own. */
const maskReply = (headers: Reply['headers'], isCredential: IsCredential): Reply['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const masked = maskHeader(name, value, isCredential);
      return [name, masked === value ? maskNamed(value, isCredential) : masked];
    }),
  );
