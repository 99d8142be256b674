// Step 3 of `answer`: the reply of a fault, or after the checks of the call, that of another server or an operation. It is a draft:
// `finish` makes the reply of it.
import type { Marking } from '../../core/assumptions/marking.ts';
import { contractListCall, pageWithFault } from '../../core/faults/page-faults.ts';
import {
  type AnyOperation,
  type AnyParsedCall,
  type ContractOperation,
  isContractList,
  type OwnOperation,
  type QuotaSubject,
} from '../../core/operations/operation.ts';
import { withAbsentValues } from '../../core/protocol/absent-values.ts';
import { checkApiKey, checkBetaHeader, checkKnownKey, checkVirtualKey } from '../../core/protocol/auth.ts';
import { parseBody } from '../../core/protocol/body.ts';
import type { LateReply, Reply } from '../../core/protocol/call.ts';
import { isPreflight } from '../../core/protocol/cors.ts';
import { GatewayError, jsonHeaders, toErrorReply } from '../../core/protocol/errors.ts';
import { pageFacts } from '../../core/protocol/list-page.ts';
import { decodeParams, versionPath } from '../../core/protocol/paths.ts';
import { parseQuery } from '../../core/protocol/query.ts';
import { type Match, methodsAt } from '../../core/protocol/router.ts';
import type { Quotas } from '../../core/quotas/quotas.ts';
import { describeBug, reportBug } from '../../core/util/bug.ts';
import { type Exchange, isKeylessPreflight } from './find.ts';
import { prepareForward } from './forward.ts';
import { createOwnPages } from './own-page.ts';
import { toReplyBody } from './reply-parts.ts';

/** A draft that takes time, such as the reply of another server. */
type LateDraft = Pick<LateReply, 'wait'>;

/** The reply of a fault, an operation, another server, or an error. */
export const respond = (exchange: Exchange): Reply | LateDraft => {
  try {
    return respondOrThrow(exchange);
  } catch (error) {
    exchange.forwardTo = undefined;
    return replyToError(error, exchange.marking);
  }
};

/** The order of these checks is the assumption `check-order`. @throws GatewayError from the first check that fails */
const respondOrThrow = (exchange: Exchange): Reply | LateDraft => {
  const { context, call, match, forwardTo, faultDecision, marking, opened } = exchange;
  const { keys } = opened.session.state.world;
  const effect = faultDecision?.effect;
  if (effect?.kind === 'error') marking.mark('error-body');
  if (effect !== undefined && 'reply' in effect) return effect.reply; // the call has an operation or a server, so the error of a session, 404 and 405 come before

  const isKeyless = isKeylessPreflight(exchange);
  if (forwardTo !== undefined) {
    if (!isKeyless) checkKnownKey(call.header, keys, marking.assume);
    return { wait: prepareForward(forwardTo, call, marking) };
  }
  if (isPreflight(call)) {
    if (!isKeyless) checkKnownKey(() => undefined, {}, marking.assume); // refuses it: a preflight has no key
    return { status: 204, headers: {}, body: null };
  }
  if (match === undefined) throw exchange.error;
  const { operation, params } = match;
  if (call.method === 'OPTIONS') {
    const allow = methodsAt(context.operations, call.path.slice(versionPath.length)).join(', ');
    return { status: 204, headers: { allow }, body: null };
  }

  checkApiKey(call.header, keys, operation.id, marking.assume);
  if (operation.contract.virtualKey) checkVirtualKey(call.header, keys, marking.assume);
  if (operation.contract.betaHeader) checkBetaHeader(call.header, marking.assume);
  return operation.source === 'own call'
    ? respondByOwnCall(exchange, operation, params)
    : respondThroughCache(exchange, operation, params);
};

type Params = Match<AnyOperation>['params'];

/** The reply of an operation of the contract. Without page faults and quotas, it depends only on the call and the world. */
const respondThroughCache = (exchange: Exchange, operation: ContractOperation, params: Params): Reply => {
  const { call, marking, opened, pageFault } = exchange;
  const { replies, state } = opened.session;
  const makeReply = (): Reply => respondByContract(exchange, operation, params);
  if (pageFault !== undefined || isLimited(exchange, operation)) return makeReply();
  return replies.getOrMake(call, state.world, marking, makeReply);
};

const respondByContract = (exchange: Exchange, operation: ContractOperation, params: Params): Reply => {
  const { pageFault, marking, opened } = exchange;
  const { world } = opened.session.state;
  const parsed = parse(exchange, operation, params);
  let result: object;
  let quota: Quota | undefined;
  if (pageFault === undefined) {
    result = operation.handle(parsed, world);
    quota = chargeQuota(exchange, operation, operation.quotaSubject?.(parsed.params, result));
  } else {
    quota = chargeQuota(exchange, operation); // first, since the fault may write
    result = refundIfRefused(quota, () =>
      pageWithFault(pageFault, contractListCall(operation, parsed, world)),
    );
  }
  const body = withAbsentValues(result, operation.contract.reply, marking.assume);
  const headers = quota ? { ...jsonHeaders, ...quota.headers } : jsonHeaders;
  return {
    status: 200,
    headers,
    ...toReplyBody(body),
    page: isContractList(operation) ? pageFacts(result) : undefined,
  };
};

/** The reply of a user's own call. The quota counts it before its handler runs, since the handler may write, or take long. */
const respondByOwnCall = (exchange: Exchange, operation: OwnOperation, params: Params): Reply | LateDraft => {
  const { call, pageFault, marking, opened } = exchange;
  const { name: session, journal, state } = opened.session;
  const parsed = parse(exchange, operation, params);
  const quota = chargeQuota(exchange, operation);
  const { makePage, readLast } = createOwnPages(call.query, parsed, pageFault);
  marking.mark('own-call');
  const completeOwnReply = (ownReply: Reply): Reply => {
    const { page, records } = (ownReply.status === 200 && readLast()) || {}; // a page that is made may not be sent
    if (records !== undefined) journal.noteList(operation.id, parsed.params, records);
    return { ...ownReply, page, headers: { ...quota?.headers, ...ownReply.headers } };
  };
  const reply = refundIfRefused(quota, () =>
    operation.handle({ ...parsed, header: call.header, session }, state.world, makePage),
  );
  if (!(reply instanceof Promise)) return completeOwnReply(reply);
  const fail = (error: unknown): never => {
    quota?.refund();
    throw error;
  };
  return { wait: () => reply.then(completeOwnReply, fail) };
};

/** Runs a part of a call that was counted. If it refuses the call, or fails, the call is not counted. */
const refundIfRefused = <Result>(quota: Quota | undefined, run: () => Result): Result => {
  try {
    return run();
  } catch (error) {
    quota?.refund();
    throw error;
  }
};

/** Checks parameters and body by the contract. */
const parse = (
  { call, marking }: Exchange,
  { contract, source }: AnyOperation,
  params: Params,
): AnyParsedCall => {
  const hasNoBody = contract.body === undefined || (source === 'own call' && call.body.length === 0);
  return {
    params: decodeParams(params),
    query: parseQuery(contract.query, call.query, marking.assume),
    body: hasNoBody ? {} : parseBody(call),
    assume: marking.assume,
  };
};

/** A call that was counted in the quotas. */
type Quota = ReturnType<Quotas['charge']>;

/** Counts the call in the quotas. The result has its headers; undefined if quotas do not limit the operation. */
const chargeQuota = (
  exchange: Exchange,
  operation: AnyOperation,
  subject?: QuotaSubject,
): Quota | undefined => {
  if (!isLimited(exchange, operation)) return undefined;
  const { opened, call, marking } = exchange;
  return opened.session.state.quotas.charge({ header: call.header, ...subject }, marking.assume);
};

const isLimited = ({ opened, marking }: Exchange, operation: AnyOperation): boolean =>
  opened.session.state.quotas.isEnforced &&
  (marking.assume('quota-scope') === 'all' ||
    operation.contract.virtualKey ||
    operation.source === 'own call');

/** The reply to an error, marked with the assumptions that it depends on. A bug gets a 500. */
export const replyToError = (error: unknown, marking?: Marking): Reply => {
  if (error instanceof GatewayError) marking?.mark(error.assumption);
  marking?.mark('error-body');
  if (error instanceof GatewayError) {
    const { assumption, refusal } = error;
    return { ...toErrorReply(refusal), refusedBy: { assumption, quota: refusal.quota ?? null } };
  }
  reportBug(error);
  return toErrorReply({ status: 500, message: describeBug(error) });
};
