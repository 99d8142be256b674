import { breaksBody, breaksText, changeReply, whyUnchanged } from '../../core/faults/change-reply.ts';
import { countPending } from '../../core/faults/decide.ts';
import { Entry } from '../../core/journal/entry.ts';
import { checkKnownKey } from '../../core/protocol/auth.ts';
import type { Call, Delivered, LateReply, Reply, Sent } from '../../core/protocol/call.ts';
import { corsHeaders, isOfThisMachine, isPreflight } from '../../core/protocol/cors.ts';
import { decodeWherePossible } from '../../core/protocol/paths.ts';
import { matchCall } from '../../core/protocol/router.ts';
import { upstreamHeader } from '../../core/protocol/world-headers.ts';
import { readStopwatch, readWallClock } from '../../core/util/stopwatch.ts';
import type { Session } from '../control/session.ts';
import { type AnswerContext, type Exchange, isCorsOpen, pageEffectOf } from './exchange.ts';
import { forward, isForwardable } from './forward.ts';
import { openSession } from './open-session.ts';
import { toHeaders } from './reply-headers.ts';
import { refusalReply, respond, toRefusal } from './respond.ts';
import { refuseRoute } from './route.ts';

/** Answers one call: the whole behaviour of the gateway, the same on every transport. It never throws: a bug gets 500. */
export const answer = (context: AnswerContext, call: Call): Reply | LateReply => {
  try {
    return complete(find(context, call));
  } catch (error) {
    return refusalReply(error);
  }
};

/**
 * Finds the session and the operation. The session comes first, since everything else depends on its world, even the reply to an
 * unknown path. So a refused session is reported before a 404.
 */
const find = (context: AnswerContext, sent: Call): Exchange => {
  const arrived = readStopwatch();
  const opened = openSession(context, sent);
  const call = opened.path === sent.path ? sent : { ...sent, path: opened.path, originalPath: sent.path };
  const { world } = opened.session.state;
  const marking = world.assumptions.forAnswer();
  const exchange: Exchange = {
    context,
    call,
    arrived,
    receivedAt: readWallClock(),
    time: world.clock.now(),
    opened,
    marking,
    uses: countUses(opened.session),
  };
  exchange.refusal = opened.refusal;
  if (opened.refusal === undefined) route(exchange);
  return exchange;
};

/** Finds the operation of a call, or the other server that it is for. */
const route = (exchange: Exchange): void => {
  const { context, call, opened, marking } = exchange;
  const { operations, upstream } = context;
  if (isPreflight(call) && isCorsOpen(exchange)) {
    routePreflight(exchange);
    return;
  }
  exchange.match = matchCall(operations, call);
  if (exchange.match !== undefined) {
    marking.assume('check-order');
    return;
  }
  const refusal = refuseRoute(operations, call);
  exchange.refusal = refusal;
  exchange.nearest = refusal.message;
  if (upstream === undefined || !isForwardable(call)) return;
  try {
    checkKnownKey(call.header, opened.session.state.world.keys, marking.assume);
    exchange.forward = forward(upstream, call);
  } catch (error) {
    exchange.refusal = error;
  }
};

/** A preflight is answered here, unless it is for another server, which then decides whether that page may read its replies. */
const routePreflight = (exchange: Exchange): void => {
  const { call, context } = exchange;
  const { operations, upstream } = context;
  const method = call.header('access-control-request-method') ?? '';
  const isOurs = matchCall(operations, { ...call, method }) !== undefined;
  if (isOurs || upstream === undefined || !isForwardable(call) || mayReadForwarded(exchange)) return;
  exchange.forward = forward(upstream, call);
};

/**
 * Whether we let a web page read replies of another server: a page of this machine, or one that has an API key. Otherwise, any page could
 * read a server of the user's network.
 */
const mayReadForwarded = ({ call, opened }: Exchange): boolean =>
  opened.session.state.world.keys.valid !== undefined || isOfThisMachine(call.header('origin') ?? '');

const countUses = ({ state: { faults, quotas } }: Session): number => faults.uses + quotas.calls;

/** All steps after the first. Their order is the assumption `check-order`. */
const complete = (exchange: Exchange): Reply | LateReply => {
  decide(exchange);
  const response = respond(exchange);
  if ('wait' in response) return completeLater(exchange, response.wait);
  const reply = finish(exchange, response);
  record(exchange, reply);
  return reply;
};

/** Completes a call whose reply is not there yet. Until it is, the journal has the call without a status. */
const completeLater = (exchange: Exchange, wait: LateReply['wait']): LateReply => {
  const { context, forward } = exchange;
  const headers = {
    'x-request-id': requestIdOf(exchange),
    ...(forward !== undefined && { [upstreamHeader]: context.upstream?.url ?? '' }),
  };
  let reply: Reply = { status: 0, headers, body: null };
  record(exchange, reply);
  return {
    wait: async (signal) => {
      const response = await wait(signal).catch((error: unknown) => toRefusal(exchange, error));
      if (signal.aborted) return reply;
      reply = finish(exchange, response);
      const { entry } = exchange;
      if (entry !== undefined) {
        exchange.entry = toEntry(exchange, reply);
        exchange.opened.session.journal.replace(entry, exchange.entry);
      }
      return reply;
    },
    onSent: (delivered) => settle(exchange, reply, delivered),
  };
};

/** Decides which faults act on the call. */
const decide = (exchange: Exchange): void => {
  const { call, match, forward, opened } = exchange;
  if ((match === undefined && forward === undefined) || call.method === 'OPTIONS') return;
  exchange.faults = opened.session.state.faults.decide(match?.operation, call);
  const { effect } = exchange.faults ?? {};
  if (forward !== undefined && effect !== undefined && ('page' in effect || breaksText(effect)))
    exchange.idleReason = "the reply is another server's";
  else if (pageEffectOf(exchange) !== undefined) exchange.idleReason = 'the call was refused'; // unless it gets as far as the page
};

/** The reply as it is sent: changed by a fault, with the headers of every reply, and how it is delivered. */
const finish = (exchange: Exchange, unchanged: Reply): Reply => {
  const { call, match, faults, idleReason } = exchange;
  exchange.faults =
    faults && countPending(faults, idleReason ?? (faults.effect && whyUnchanged(faults.effect, unchanged)));
  const { effect, delivery, kinds } = exchange.faults ?? {};
  const changed = effect && idleReason === undefined ? changeReply(effect, unchanged) : unchanged;
  const { status, headers, cookies, body, parts, bytes, stream, page, refusal } = changed;
  const isUnreadable = call.method === 'HEAD' || (effect !== undefined && breaksBody(effect));
  const reply: Reply = {
    status,
    headers: finishHeaders(exchange, headers),
    cookies,
    body,
    parts,
    bytes,
    stream,
    delivery,
    page: isUnreadable ? undefined : page,
    refusal,
    operation: match?.operation.id,
    faultKind: kinds?.at(-1),
    onSent: (delivered) => settle(exchange, reply, delivered),
  };
  return reply;
};

const finishHeaders = (exchange: Exchange, headers: Reply['headers']): Record<string, string> => {
  const { context, call, opened, marking, faults } = exchange;
  const { session } = opened;
  if (countUses(session) !== exchange.uses || session.isUnreported) context.sessions.noteUse(session);
  const isReadable = isCorsOpen(exchange) && (exchange.forward === undefined || mayReadForwarded(exchange));
  const all = isReadable ? { ...corsHeaders(call, headers), ...headers } : headers;
  return toHeaders(call, all, opened, requestIdOf(exchange), marking.marks, faults?.lines);
};

const requestIdOf = (exchange: Exchange): string => {
  exchange.marking.assume('request-id');
  exchange.requestId ??= exchange.opened.session.state.world.nextRequestId();
  return exchange.requestId;
};

/** Adds the call to the journal. Its reply is pending until the transport has sent or lost it. */
const record = (exchange: Exchange, reply: Reply): void => {
  const { context, opened } = exchange;
  const { journal, name } = opened.session;
  context.sessions.events.emit(name, { type: 'arrived' });
  if (journal.size === 0 || (isPreflight(exchange.call) && isCorsOpen(exchange))) return;
  exchange.entry = toEntry(exchange, reply);
  journal.add(exchange.entry);
};

const toEntry = (
  { context, call, match, faults, marking, time, receivedAt, ...found }: Exchange,
  reply: Reply,
): Entry => {
  const isForwarded = found.forward !== undefined;
  return new Entry(call, reply, {
    time,
    receivedAt,
    operation: match?.operation.id,
    params: match && decodeWherePossible(match.params),
    faults: faults?.lines,
    idleFaults: faults?.idle,
    page: reply.page,
    nearest: isForwarded ? undefined : found.nearest,
    upstream: isForwarded ? context.upstream?.url : undefined,
    refusal: reply.refusal,
    assumptions: marking.marks,
    isCredential: context.isCredential,
  });
};

const settle = (exchange: Exchange, reply: Reply, delivered: Delivered): void => {
  const { context, call, entry, arrived, opened } = exchange;
  const duration = readStopwatch() - arrived;
  if (entry !== undefined) opened.session.journal.settle(entry, delivered, duration);
  const event: Sent = { call, reply, duration, ...delivered };
  for (const listener of context.onSent) listener(event);
};
