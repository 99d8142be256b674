import { breaksBody, changeReply } from '../../core/faults/answer.ts';
import type { Hit } from '../../core/faults/faults.ts';
import { applyPageFault } from '../../core/faults/page.ts';
import { Entry } from '../../core/journal/entry.ts';
import { withAbsentValues } from '../../core/protocol/absent-values.ts';
import { checkApiKey, checkBetaHeader, checkVirtualKey } from '../../core/protocol/auth.ts';
import { parseBody } from '../../core/protocol/body.ts';
import {
  type Call,
  type Delivered,
  type ForwardedReply,
  flattenHeaders,
  type Page,
  type Reply,
  type Sent,
} from '../../core/protocol/call.ts';
import { isPreflight } from '../../core/protocol/cors.ts';
import { errorReply, GatewayError, json } from '../../core/protocol/errors.ts';
import { decodeParams, decodeWherePossible, versionPath } from '../../core/protocol/paths.ts';
import { parseQuery } from '../../core/protocol/query.ts';
import { type Match, matchCall, methodsAt } from '../../core/protocol/router.ts';
import { describeBug, reportBug } from '../../core/util/bug.ts';
import type { IsCredential } from '../../core/util/mask.ts';
import { readStopwatch, readWallClock } from '../../core/util/stopwatch.ts';
import type { AnyOperation, AnyParsedCall, OwnReply } from '../../core/world/operation.ts';
import { forward, type Upstream } from './forward.ts';
import { openSession, type SessionRules } from './open-session.ts';
import { cacheReply, toReplyText } from './reply-cache.ts';
import { toHeaders } from './reply-headers.ts';
import { refuseRoute } from './route.ts';

/** What calls are answered from. */
export interface AnswerContext extends SessionRules {
  readonly operations: readonly AnyOperation[];
  /** Which headers, parameters and fields the journal masks. */
  readonly isCredential: IsCredential;
  /** The server that answers what no operation does. */
  readonly upstream?: Upstream | undefined;
  /** Listeners that get each reply once it was sent or lost. */
  readonly onSent: Set<(sent: Sent) => void>;
}

/** Answers one call. It never throws: a bug gets 500. */
export const answer = (context: AnswerContext, call: Call): Reply => {
  try {
    return answerInSession(context, call);
  } catch (error) {
    return toErrorReply(error);
  }
};

/**
 * Answers one call: the whole behaviour of the gateway, the same on every transport.
 *
 * The session comes before the route, since everything else depends on its world, even the reply to an unknown path. So a refused
 * session is reported before a 404. The order from there on is the assumption `check-order`.
 */
const answerInSession = (context: AnswerContext, given: Call): Reply => {
  const arrived = readStopwatch();
  const { sessions, upstream, operations, isCredential } = context;
  const opened = openSession(context, given);
  // All steps get the path without the session; the listeners of `onSent` get the call as it was sent.
  const call = opened.path === given.path ? given : { ...given, path: opened.path };
  const { session } = opened;
  const { state, journal } = session;
  const { world, faults, quotas } = state;
  const marking = world.assumptions.forAnswer();
  const { assume, mark, marks } = marking;
  // What the steps find out for the headers and the journal.
  let match: Match<AnyOperation> | undefined;
  let hit: Hit | undefined;
  let nearest: string | undefined; // for a call that matches no operation: the nearest one

  /** From the route to the quota. @throws GatewayError from the first check that fails */
  const respond = (): Reply => {
    if (isPreflight(call)) return { status: 204, headers: {}, body: null };
    if (opened.refusal !== undefined) throw opened.refusal;

    // Route. A call that matches no operation may be for another server.
    match = matchCall(operations, call);
    if (match === undefined) {
      const refusal = refuseRoute(operations, call);
      nearest = refusal.message;
      const forwarded = upstream && forward(upstream, call, world, assume);
      if (forwarded === undefined) throw refusal;
      return forwarded;
    }
    const { operation, params } = match;
    const { contract } = operation;
    assume('check-order');
    if (call.method === 'OPTIONS')
      return { status: 204, headers: { allow: allowedAt(operations, call.path) }, body: null };

    // Fault. One with a reply of its own wins over everything else that is wrong with the call.
    hit = faults.hit(operation, call);
    const effect = hit?.effect;
    if (effect?.kind === 'error') assume('error-body');
    if (effect !== undefined && 'reply' in effect) return effect.reply;

    // Keys.
    checkApiKey(call.header, world.keys, operation.id, assume);
    if (contract.virtualKey) checkVirtualKey(call.header, world.keys, assume);
    if (contract.betaHeader) checkBetaHeader(call.header, assume);

    const pageFault = effect !== undefined && 'page' in effect ? effect : undefined;
    const report = hit?.report;
    const isLimited = quotas.isEnforced() && !operation.isExemptFromQuotas;
    const make = (): Reply => {
      // Parameters and body.
      const parsed: AnyParsedCall = {
        params: decodeParams(params),
        query: parseQuery(contract.query, call.query, assume),
        body:
          contract.body === undefined || (operation.isOwn && call.body.length === 0) ? {} : parseBody(call),
        assume,
        header: call.header,
        session: session.name,
      };
      const checkQuota = (result: object) => {
        const subject = { header: call.header, ...operation.quotaSubject?.(parsed.params, result) };
        return isLimited ? quotas.check(subject, assume) : undefined;
      };
      if (operation.isOwn) {
        const quota = checkQuota({}); // first, since the handler may write
        const own = toReply(operation.handle(parsed, world), quota?.headers);
        quota?.count(); // not reached if the handler refuses the call: refused calls are not counted
        return own;
      }
      // Handler.
      const result =
        pageFault !== undefined && report !== undefined
          ? applyPageFault(pageFault, report, operation, parsed, world)
          : operation.handle(parsed, world);
      // Quota.
      const quota = checkQuota(result);
      quota?.count();
      const headers = quota ? { ...json, ...quota.headers } : json;
      const body = toReplyText(withAbsentValues(result, contract.reply, assume));
      return { status: 200, headers, body, page: pageOf(result) };
    };
    // Without page faults and quotas, the reply of an operation depends only on the call and the world.
    return isLimited || pageFault || operation.isOwn ? make() : cacheReply(make, call, world, marking);
  };

  const uses = faults.uses() + quotas.uses();
  let made: Reply;
  try {
    made = respond();
  } catch (error) {
    if (hit?.effect && 'page' in hit.effect) hit.report('the call was refused'); // has no effect if the page was already made
    if (error instanceof GatewayError) mark(error.assumption);
    mark('error-body');
    made = toErrorReply(error);
  }
  hit?.report(made.body === null ? 'the reply has no body' : undefined);
  if (faults.uses() + quotas.uses() !== uses || session.isUnreported) sessions.noteUse(session);

  // Headers and journal.
  assume('request-id');
  const { status, headers, body, bytes, page, refusal, delivery } = hit?.effect
    ? changeReply(hit.effect, made)
    : made;
  const forwarding = delivery?.forward;
  const operationId = match?.operation.id;
  const faultLines = hit?.lines;

  let entry: Entry | undefined;
  const { clearCount } = journal;
  const time = world.clock.now();
  const receivedAt = readWallClock();
  const record = (sent: Reply): void => {
    if (journal.size === 0 || isPreflight(call) || entry !== undefined) return;
    if (journal.clearCount !== clearCount) return; // cleared since the call arrived, or its world has ended
    const isUnreadable = call.method === 'HEAD' || (hit?.effect !== undefined && breaksBody(hit.effect));
    entry = new Entry(call, sent, {
      time,
      receivedAt,
      operation: operationId,
      params: match && decodeWherePossible(match.params),
      faults: faultLines,
      idleFaults: hit?.idle,
      page: isUnreadable ? undefined : page,
      nearest: forwarding ? undefined : nearest,
      upstream: forwarding && upstream?.url,
      refusal,
      assumptions: marks,
      isCredential,
    });
    if (sent.delivery === undefined) entry.duration = readStopwatch() - arrived;
    journal.add(entry);
  };
  /** The other server's reply, with our headers in place of those of the same name. It is recorded when it begins. */
  const forwardAndRecord =
    forwarding &&
    (async (signal: AbortSignal): Promise<ForwardedReply> => {
      const theirs = await forwarding(signal);
      const all = { ...theirs.headers, ...reply.headers };
      const kept = typeof theirs.body === 'string' ? theirs.body : null;
      record({ ...reply, status: theirs.status, headers: flattenHeaders(all), body: kept });
      return { ...theirs, headers: all };
    });

  const delivered = forwardAndRecord ? { forward: forwardAndRecord } : hit?.delivery;
  const onSent = (sent: Delivered): void => {
    const duration = readStopwatch() - arrived;
    if (forwarding && entry === undefined) record({ ...reply, delivery: { breaks: 'reset' } }); // the client left before
    if (entry !== undefined) entry.duration = duration;
    const event: Sent = { call: given, reply, duration, ...sent };
    for (const listener of context.onSent) listener(event);
  };
  const reply: Reply = {
    status,
    headers: toHeaders(call, headers, opened, world.nextRequestId(), marks, faultLines),
    body,
    bytes,
    delivery: delivered,
    operation: operationId,
    faultKind: hit?.kinds.at(-1),
    onSent,
  };
  if (forwarding === undefined) record(reply);
  return reply;
};

/** The error reply of a refusal; of a bug, a 500. */
const toErrorReply = (error: unknown): Reply => {
  if (error instanceof GatewayError) {
    const { assumption, refusal } = error;
    return { ...errorReply(refusal), refusal: { assumption, quota: refusal.quota ?? null } };
  }
  reportBug(error);
  return errorReply({ status: 500, message: describeBug(error) });
};

/** The reply of a user's own call. */
const toReply = (own: object, quotaHeaders: Reply['headers'] = {}): Reply => {
  const { status, body, headers } = own as OwnReply<string | null>; // its handler returns nothing else
  return { status, headers: { ...quotaHeaders, ...headers }, body };
};

const allowedAt = (operations: readonly AnyOperation[], path: string): string =>
  methodsAt(operations, path.slice(versionPath.length)).join(', ');

/** The ids of the records on a page; undefined if the reply is not a page. */
const pageOf = (result: object): Page | undefined => {
  const { data, has_more } = result as { readonly data?: unknown; readonly has_more?: boolean };
  return Array.isArray(data) && has_more !== undefined
    ? { ids: data.map(({ id }) => id), has_more }
    : undefined;
};
