import { breaksBody, breaksText, changeReply, whyUnchanged } from '../../core/faults/change-reply.ts';
import type { Effect } from '../../core/faults/effect.ts';
import { withdraw } from '../../core/faults/verdicts.ts';
import { Entry } from '../../core/journal/entry.ts';
import type { Call, LateReply, Reply, Settlement } from '../../core/protocol/call.ts';
import { decodeWherePossible } from '../../core/protocol/paths.ts';
import { upstreamHeader } from '../../core/protocol/world-headers.ts';
import { readStopwatch } from '../../core/util/stopwatch.ts';
import { countedCallsOf } from '../control/session.ts';
import { type AnswerContext, type Exchange, find, isKeylessPreflight } from './find.ts';
import { requestIdOf, toHeaders } from './reply-parts.ts';
import { replyToError, respond } from './respond.ts';

/**
 * Answers one call: the whole behaviour of the gateway, the same on every transport. It never throws: a bug becomes a reply
 * with status 500.
 */
export const answer = (context: AnswerContext, call: Call): Reply | LateReply => {
  try {
    const exchange = find(context, call);
    decideFaults(exchange);
    return complete(exchange);
  } catch (error) {
    return replyToError(error); // without `onSettled`, so not in the metrics
  }
};

/** Step 2: decides which faults act on the call. */
const decideFaults = (exchange: Exchange): void => {
  const { call, match, forwardTo, opened } = exchange;
  if ((match === undefined && forwardTo === undefined) || call.method === 'OPTIONS') return;
  exchange.faultDecision = opened.session.state.faults.decide(match?.operation, call);
  const { effect } = exchange.faultDecision ?? {};
  if (effect !== undefined && 'reply' in effect) exchange.forwardTo = undefined;
  if (effect !== undefined && 'page' in effect) exchange.pageFault = { effect, state: 'unreached' };
};

/** The other steps: 3 responds, 4 finishes the reply, 5 reports the call. */
const complete = (exchange: Exchange): Reply | LateReply => {
  const onSettled = (settlement: Settlement): void => settle(exchange, settlement);
  const draft = respond(exchange);
  if ('wait' in draft) return { wait: completeLater(exchange, draft.wait), onSettled };
  exchange.reply = finish(exchange, draft, onSettled);
  noteArrival(exchange, exchange.reply);
  return exchange.reply;
};

/**
 * The same steps for a reply that takes time, in another order: the journal gets the call first with a placeholder,
 * and with its reply when the draft arrives.
 */
const completeLater = (exchange: Exchange, draftLater: LateReply['wait']): LateReply['wait'] => {
  const { match, forwardTo, opened, marking } = exchange;
  // Those headers of `toHeaders` that are known before the reply.
  const headers = {
    'x-request-id': requestIdOf(exchange),
    ...(opened.isNamed && { 'x-mock-session': opened.session.name }),
    ...(forwardTo !== undefined && { [upstreamHeader]: forwardTo.url }),
  };
  const placeholder: Reply = { status: 0, headers, body: null, operation: match?.operation.id };
  exchange.reply = placeholder;
  noteArrival(exchange, placeholder);
  return async (signal) => {
    const draft = await draftLater(signal).catch((error: unknown) => replyToError(error, marking));
    if (signal.aborted) {
      storeIfChanged(exchange);
      return placeholder; // nobody waits for the reply any more
    }
    exchange.reply = finish(exchange, draft);
    if (exchange.entry !== undefined) {
      const entry = toEntry(exchange, exchange.reply);
      opened.session.journal.replace(exchange.entry, entry);
      exchange.entry = entry;
    }
    return exchange.reply;
  };
};

/** Step 4: the reply to send, which is the draft changed by a fault, with the headers that every reply has. */
const finish = (exchange: Exchange, draft: Reply, onSettled?: Reply['onSettled']): Reply => {
  const { call, match } = exchange;
  withdrawIdle(exchange, draft);
  storeIfChanged(exchange);
  const { effect, delivery, faultKinds } = exchange.faultDecision ?? {};
  const { status, headers, cookies, body, parts, bytes, stream, page, refusedBy } =
    effect === undefined ? draft : changeReply(effect, draft);
  const isUnreadable = call.method === 'HEAD' || (effect !== undefined && breaksBody(effect));
  return {
    status,
    headers: toHeaders(exchange, headers),
    cookies,
    body,
    parts,
    bytes,
    stream,
    delivery,
    page: isUnreadable ? undefined : page,
    refusedBy,
    operation: match?.operation.id,
    faultKind: faultKinds?.at(-1),
    onSettled,
  };
};

/** Takes the fault back that should change the draft, if it cannot act on it. */
const withdrawIdle = (exchange: Exchange, draft: Reply): void => {
  const { faultDecision } = exchange;
  const idleReason = faultDecision?.effect && whyIdle(exchange, faultDecision.effect, draft);
  if (faultDecision !== undefined && idleReason !== undefined)
    exchange.faultDecision = withdraw(faultDecision, idleReason);
};

const whyIdle = (exchange: Exchange, effect: Effect, draft: Reply): string | undefined => {
  const { pageFault, forwardTo } = exchange;
  if (forwardTo !== undefined && (pageFault !== undefined || breaksText(effect)))
    return 'the reply comes from another server';
  if (pageFault === undefined) return whyUnchanged(effect, draft);
  if (pageFault.state === 'acts') return undefined;
  if (pageFault.state !== 'unreached') return pageFault.state.idle;
  return draft.refusedBy === undefined ? 'the call returned no page' : 'the call was refused';
};

/**
 * Stores the session if a fault or quota counted the call, or if this reply is the first of a new world. It comes before
 * `toHeaders`, which sets `isUnreported` back.
 */
const storeIfChanged = ({ context, opened: { session }, countedBefore }: Exchange): void => {
  if (countedCallsOf(session) !== countedBefore || session.isUnreported) context.sessions.storeSoon(session);
};

/** Step 5: reports the call to the test fixtures and the journal, where its reply is pending until the transport has sent or lost it. */
const noteArrival = (exchange: Exchange, reply: Reply): void => {
  const { context, opened } = exchange;
  const { journal, name } = opened.session;
  context.sessions.events.emit(name, { type: 'arrived' });
  if (journal.capacity === 0 || isKeylessPreflight(exchange)) return;
  exchange.entry = toEntry(exchange, reply);
  journal.add(exchange.entry);
};

const toEntry = (exchange: Exchange, reply: Reply): Entry => {
  const { context, call, match, faultDecision, marking, arrivedAt, forwardTo, nearest } = exchange;
  return new Entry(call, reply, {
    time: arrivedAt.world,
    receivedAt: arrivedAt.wall,
    operation: match?.operation.id,
    params: match && decodeWherePossible(match.params),
    faults: faultDecision?.lines,
    idleFaults: faultDecision?.idle,
    page: reply.page,
    nearest,
    upstream: forwardTo?.url,
    refusal: reply.refusedBy,
    assumptions: marking.marks,
    isCredential: context.isCredential,
  });
};

/** After the last step, when the transport has sent or lost the reply: completes the entry of the journal, and tells metrics and log. */
const settle = (
  { context, call, entry, arrivedAt, opened, reply }: Exchange,
  settlement: Settlement,
): void => {
  const duration = readStopwatch() - arrivedAt.stopwatch;
  if (entry !== undefined) opened.session.journal.settle(entry, settlement, duration);
  if (reply !== undefined) context.onCallSettled?.({ call, reply, duration, ...settlement });
};
