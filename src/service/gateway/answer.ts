import { breaksBody, breaksText, changeReply, whyUnchanged } from '../../core/faults/change-reply.ts';
import { withdraw } from '../../core/faults/decide.ts';
import type { Effect } from '../../core/faults/effect.ts';
import { Entry } from '../../core/journal/entry.ts';
import type { Call, Delivered, LateReply, Reply } from '../../core/protocol/call.ts';
import { corsHeaders, isPreflight } from '../../core/protocol/cors.ts';
import { decodeWherePossible } from '../../core/protocol/paths.ts';
import { newWorldHeader, upstreamHeader, worldHeader } from '../../core/protocol/world-headers.ts';
import { readStopwatch } from '../../core/util/stopwatch.ts';
import { truncate } from '../../core/util/truncate.ts';
import { type AnswerContext, countUses, type Exchange, find, isCorsOpen, mayReadForwarded } from './find.ts';
import { refusalReply, respond, toRefusal } from './respond.ts';

/**
 * Answers one call: the whole behaviour of the gateway, the same on every transport. It never throws: a bug becomes a reply
 * with status 500.
 */
export const answer = (context: AnswerContext, call: Call): Reply | LateReply => {
  try {
    return complete(find(context, call));
  } catch (error) {
    return refusalReply(error);
  }
};

/** The steps after `find`. Their order is the assumption `check-order`. */
const complete = (exchange: Exchange): Reply | LateReply => {
  decide(exchange);
  const response = respond(exchange);
  if ('wait' in response) return completeLater(exchange, response.wait);
  noteUses(exchange);
  const reply = finish(exchange, response);
  addToJournal(exchange, reply);
  return reply;
};

/** Completes a call whose reply takes time. Until the reply arrives, the journal lists the call without a status. */
const completeLater = (exchange: Exchange, wait: LateReply['wait']): LateReply => {
  const { context, forward } = exchange;
  const headers = {
    'x-request-id': requestIdOf(exchange),
    ...(forward !== undefined && { [upstreamHeader]: context.upstream?.url ?? '' }),
  };
  let reply: Reply = { status: 0, headers, body: null };
  addToJournal(exchange, reply);
  return {
    wait: async (signal) => {
      const response = await wait(signal).catch((error: unknown) => toRefusal(exchange, error));
      noteUses(exchange);
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
  if (effect !== undefined && 'page' in effect) exchange.pageFault = { effect };
};

/** The reply to send: the response changed by a fault, with the headers that every reply has, and how it is delivered. */
const finish = (exchange: Exchange, response: Reply): Reply => {
  const { call, match } = exchange;
  const { effect } = exchange.faults ?? {};
  const idleReason = effect && whyIdle(exchange, effect, response);
  if (exchange.faults !== undefined && idleReason !== undefined)
    exchange.faults = withdraw(exchange.faults, idleReason);
  const { delivery, kinds } = exchange.faults ?? {};
  const { status, headers, cookies, body, parts, bytes, stream, page, refusal } =
    effect !== undefined && idleReason === undefined ? changeReply(effect, response) : response;
  const isUnreadable = call.method === 'HEAD' || (effect !== undefined && breaksBody(effect));
  const reply: Reply = {
    status,
    headers: toHeaders(exchange, headers),
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

/** Why the effect of a fault cannot act on a reply; undefined if it can, or has acted. */
const whyIdle = ({ forward, pageFault }: Exchange, effect: Effect, response: Reply): string | undefined => {
  if (forward !== undefined && (pageFault !== undefined || breaksText(effect)))
    return 'the reply comes from another server';
  if (pageFault === undefined) return whyUnchanged(effect, response);
  if (pageFault.idleReason !== undefined) return pageFault.idleReason ?? undefined;
  return response.refusal === undefined ? 'the call returned no page' : 'the call was refused';
};

/** Marks the session to be stored if a fault or quota counted the call, or if the client has not been told yet that its world is new. */
const noteUses = ({ context, opened: { session }, uses }: Exchange): void => {
  if (countUses(session) !== uses || session.isUnreported) context.sessions.noteUse(session);
};

/** All headers of a reply: its own, and those that every reply has. */
const toHeaders = (exchange: Exchange, own: Reply['headers']): Record<string, string> => {
  const { call, opened, marking, faults } = exchange;
  const { session, isNamed, isNew } = opened;
  const isReadable = isCorsOpen(exchange) && (exchange.forward === undefined || mayReadForwarded(exchange));
  const requestId = requestIdOf(exchange);
  // Headers are set one by one: spreading optional objects takes longer than all the checks (measured).
  const headers: Record<string, string> = isReadable ? { ...corsHeaders(call, own), ...own } : { ...own };
  headers['x-gateway-trace-id'] = traceIdOf(call) ?? `trace_${requestId.slice('req_'.length)}`;
  if (marking.marks.length > 0) headers['x-mock-assumptions'] = marking.marks.join(', ');
  if (faults !== undefined && faults.lines.length > 0) headers['x-mock-fault'] = toHeader(faults.lines);
  if (isNamed) headers['x-mock-session'] = session.name;
  if (opened.refusal === undefined) {
    headers[worldHeader] = session.worldId;
    if (isNew || session.isUnreported) headers[newWorldHeader] = 'yes';
    session.isUnreported = false;
  }
  headers['x-request-id'] = requestId;
  return headers;
};

const requestIdOf = (exchange: Exchange): string => {
  exchange.requestId ??= exchange.opened.session.state.world.nextRequestId();
  return exchange.requestId;
};

const traceIdOf = ({ header }: Call): string | undefined => {
  const sent = header('x-gateway-trace-id') ?? '';
  return /^[\x20-\x7e]{1,256}$/.test(sent) ? sent : undefined;
};

/** The lines of the first few faults, shortened to printable ASCII: the value of a header. */
const toHeader = (lines: readonly string[]): string =>
  lines
    .slice(0, 8)
    .map((line) => truncate(line).replace(/[^\x20-\x7e]/g, toEscape))
    .join(' | ');

const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Adds the call to the journal. Its reply is pending until the transport has sent or lost it. */
const addToJournal = (exchange: Exchange, reply: Reply): void => {
  const { context, opened } = exchange;
  const { journal, name } = opened.session;
  context.sessions.events.emit(name, { type: 'arrived' });
  if (journal.size === 0 || (isPreflight(exchange.call) && isCorsOpen(exchange))) return;
  exchange.entry = toEntry(exchange, reply);
  journal.add(exchange.entry);
};

const toEntry = (
  { context, call, match, faults, marking, time, receivedAt, forward, nearest }: Exchange,
  reply: Reply,
): Entry => {
  const isForwarded = forward !== undefined;
  return new Entry(call, reply, {
    time,
    receivedAt,
    operation: match?.operation.id,
    params: match && decodeWherePossible(match.params),
    faults: faults?.lines,
    idleFaults: faults?.idle,
    page: reply.page,
    nearest: isForwarded ? undefined : nearest,
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
  for (const listener of context.onSent) listener({ call, reply, duration, ...delivered });
};
