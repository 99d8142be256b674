import type { Marking } from '../../core/assumptions/marking.ts';
import { breaksBody, breaksText, changeReply, whyUnchanged } from '../../core/faults/change-reply.ts';
import { countPending, type FaultDecision } from '../../core/faults/decide.ts';
import type { PageEffect } from '../../core/faults/effect.ts';
import { hostilePage, toListCall, whyIdle } from '../../core/faults/page-faults.ts';
import { Entry } from '../../core/journal/entry.ts';
import {
  type AnyOperation,
  type AnyParsedCall,
  type ContractOperation,
  isList,
  type OwnOperation,
  type QuotaSubject,
} from '../../core/operations/operation.ts';
import { withAbsentValues } from '../../core/protocol/absent-values.ts';
import { checkApiKey, checkBetaHeader, checkKnownKey, checkVirtualKey } from '../../core/protocol/auth.ts';
import { parseBody } from '../../core/protocol/body.ts';
import type { Call, Delivered, LateReply, Page, Reply, Sent } from '../../core/protocol/call.ts';
import { corsHeaders, isOfThisMachine, isPreflight } from '../../core/protocol/cors.ts';
import { errorReply, GatewayError, json } from '../../core/protocol/errors.ts';
import { decodeParams, decodeWherePossible, versionPath } from '../../core/protocol/paths.ts';
import { parseQuery } from '../../core/protocol/query.ts';
import { type Match, matchCall, methodsAt } from '../../core/protocol/router.ts';
import { upstreamHeader } from '../../core/protocol/world-headers.ts';
import { describeBug, reportBug } from '../../core/util/bug.ts';
import type { IsCredential } from '../../core/util/mask.ts';
import { readStopwatch, readWallClock } from '../../core/util/stopwatch.ts';
import type { Session } from '../control/session.ts';
import { forward, isForwardable, type Upstream } from './forward.ts';
import { type OpenedSession, openSession, type SessionRules } from './open-session.ts';
import { createTurnPage } from './own-page.ts';
import { toHeaders } from './reply-headers.ts';
import { toReplyBody } from './reply-text.ts';
import { refuseRoute } from './route.ts';

export interface AnswerContext extends SessionRules {
  readonly operations: readonly AnyOperation[];
  /** Which headers, parameters and fields the journal masks. */
  readonly isCredential: IsCredential;
  /** The server that answers what no operation does. */
  readonly upstream?: Upstream | undefined;
  /** Listeners that get each reply once it was sent or lost. */
  readonly onSent: Set<(sent: Sent) => void>;
}

/** One call on its way to a reply, with what the steps find. */
interface Exchange {
  readonly context: AnswerContext;
  readonly call: Call;
  /** When the call arrived, by the stopwatch. */
  readonly arrived: number;
  /** When it arrived by the machine's clock, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** When it arrived by the world's clock, in seconds since 1970. */
  readonly time: number;
  readonly opened: OpenedSession;
  readonly marking: Marking;
  /** How often faults and quotas had counted before this call. */
  readonly uses: number;
  /** The operation; undefined if the call is refused before, or matches none. */
  match?: Match<AnyOperation> | undefined;
  refusal?: unknown;
  /** For a call that matches no operation: the nearest one. */
  nearest?: string;
  /** For a call to another server: sends it there. */
  forward?: LateReply['wait'] | undefined;
  faults?: FaultDecision | undefined;
  /** Why a page fault could not act. */
  idleReason?: string | undefined;
  requestId?: string;
  entry?: Entry;
}

/** A reply, or what waits for it. */
type Response = Reply | Pick<LateReply, 'wait'>;

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
  if (isPreflight(call)) {
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

const pageEffectOf = ({ faults }: Exchange): PageEffect | undefined =>
  faults?.effect !== undefined && 'page' in faults.effect ? faults.effect : undefined;

/** The reply of a fault, an operation, another server, or a refusal. */
const respond = (exchange: Exchange): Response => {
  try {
    return respondOrThrow(exchange);
  } catch (error) {
    return toRefusal(exchange, error);
  }
};

const toRefusal = ({ marking: { mark } }: Exchange, error: unknown): Reply => {
  if (error instanceof GatewayError) mark(error.assumption);
  mark('error-body');
  return refusalReply(error);
};

/** From the fault to the quota. @throws GatewayError from the first check that fails */
const respondOrThrow = (exchange: Exchange): Response => {
  const { context, call, match, faults, marking, opened } = exchange;
  // A fault with a reply of its own wins over everything else that is wrong with the call. Then nothing is forwarded.
  const effect = faults?.effect;
  if (effect?.kind === 'error') marking.assume('error-body');
  if (effect !== undefined && 'reply' in effect) return effect.reply;
  if (exchange.forward !== undefined) return { wait: exchange.forward };
  if (isPreflight(call)) return { status: 204, headers: {}, body: null };
  if (match === undefined) throw exchange.refusal;
  const { operation } = match;
  if (call.method === 'OPTIONS') {
    const allow = methodsAt(context.operations, call.path.slice(versionPath.length)).join(', ');
    return { status: 204, headers: { allow }, body: null };
  }

  const { replies, state } = opened.session;
  const { world } = state;
  checkApiKey(call.header, world.keys, operation.id, marking.assume);
  if (operation.contract.virtualKey) checkVirtualKey(call.header, world.keys, marking.assume);
  if (operation.contract.betaHeader) checkBetaHeader(call.header, marking.assume);

  if (operation.source === 'own call') return respondByOwnCall(exchange, operation, match.params);
  const respondByOperation = (): Reply => respondByContract(exchange, operation, match.params);
  // Without page faults and quotas, the reply depends only on the call and the world.
  const isCacheable = pageEffectOf(exchange) === undefined && !isLimited(exchange, operation);
  return isCacheable ? replies.answer(respondByOperation, call, world, marking) : respondByOperation();
};

type Params = Match<AnyOperation>['params'];

/** The reply of one of the contract's operations. */
const respondByContract = (exchange: Exchange, operation: ContractOperation, params: Params): Reply => {
  const { assume } = exchange.marking;
  const parsed = parse(exchange, operation, params);
  const result = handle(exchange, operation, parsed);
  const quota = checkQuota(exchange, operation, operation.quotaSubject?.(parsed.params, result));
  quota?.count();
  const sent = withAbsentValues(result, operation.contract.reply, assume);
  const headers = quota ? { ...json, ...quota.headers } : json;
  return { status: 200, headers, ...toReplyBody(sent), page: pageOf(result) };
};

/** The reply of a user's own call. */
const respondByOwnCall = (exchange: Exchange, operation: OwnOperation, params: Params): Response => {
  const parsed = parse(exchange, operation, params);
  const quota = checkQuota(exchange, operation); // first, since the handler may write
  const { session } = exchange.opened;
  const effect = pageEffectOf(exchange);
  if (effect !== undefined) exchange.idleReason = 'the call returned no page';
  let page: Page | undefined;
  const sent = { text: exchange.call.query, query: parsed.query };
  const turnPage = createTurnPage(sent, effect, parsed.assume, (made) => {
    ({ page } = made);
    exchange.idleReason = made.idleReason;
    session.journal.noteList(operation.id, parsed.params, made.records);
  });
  const withQuota = (reply: Reply): Reply => {
    quota?.count(); // not reached if the handler refuses the call: refused calls are not counted
    return { ...reply, page, headers: { ...quota?.headers, ...reply.headers } };
  };
  const reply = operation.handle(parsed, session.state.world, turnPage);
  return reply instanceof Promise ? { wait: () => reply.then(withQuota) } : withQuota(reply);
};

/** Checks parameters and body by the contract. */
const parse = (
  { call, marking, opened }: Exchange,
  { contract, source }: AnyOperation,
  params: Params,
): AnyParsedCall => {
  const hasNoBody = contract.body === undefined || (source === 'own call' && call.body.length === 0);
  return {
    params: decodeParams(params),
    query: parseQuery(contract.query, call.query, marking.assume),
    body: hasNoBody ? {} : parseBody(call),
    assume: marking.assume,
    header: call.header,
    session: opened.session.name,
  };
};

/** What the operation returns, or the page of a fault. */
const handle = (exchange: Exchange, operation: ContractOperation, parsed: AnyParsedCall): object => {
  const { world } = exchange.opened.session.state;
  const effect = pageEffectOf(exchange);
  if (effect === undefined) return operation.handle(parsed, world);
  const listCall = toListCall(operation, parsed, world);
  exchange.idleReason = whyIdle(effect, listCall);
  return exchange.idleReason === undefined ? hostilePage(effect, listCall) : operation.handle(parsed, world);
};

const isLimited = ({ opened, marking }: Exchange, operation: AnyOperation): boolean =>
  opened.session.state.quotas.isEnforced &&
  (marking.assume('quota-scope') === 'all' || isList(operation) || operation.source === 'own call');

const checkQuota = (exchange: Exchange, operation: AnyOperation, subject?: QuotaSubject) => {
  if (!isLimited(exchange, operation)) return undefined;
  const { opened, call, marking } = exchange;
  return opened.session.state.quotas.check({ header: call.header, ...subject }, marking.assume);
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
  const isReadable = exchange.forward === undefined || mayReadForwarded(exchange);
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
  if (journal.size === 0 || isPreflight(exchange.call)) return;
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

/** The error reply of a refusal; of a bug, a 500. */
const refusalReply = (error: unknown): Reply => {
  if (error instanceof GatewayError) {
    const { assumption, refusal } = error;
    return { ...errorReply(refusal), refusal: { assumption, quota: refusal.quota ?? null } };
  }
  reportBug(error);
  return errorReply({ status: 500, message: describeBug(error) });
};

/** The ids of the records on a page; undefined if the reply is not a page. */
const pageOf = (result: object): Page | undefined => {
  const { data, has_more } = result as { readonly data?: unknown; readonly has_more?: boolean };
  return Array.isArray(data) && has_more !== undefined
    ? { ids: data.map(({ id }) => id), has_more }
    : undefined;
};
