// The third step of `answer`: the reply of a fault, or the checks of the call and the reply of its operation. An operation of the contract
// meets the quota after its handler, an own call before: its handler may write.
import { pageUnder, toListCall } from '../../core/faults/page-faults.ts';
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
import type { LateReply, Page, Reply } from '../../core/protocol/call.ts';
import { isPreflight } from '../../core/protocol/cors.ts';
import { errorReply, GatewayError, json } from '../../core/protocol/errors.ts';
import { decodeParams, versionPath } from '../../core/protocol/paths.ts';
import { parseQuery } from '../../core/protocol/query.ts';
import { type Match, methodsAt } from '../../core/protocol/router.ts';
import { describeBug, reportBug } from '../../core/util/bug.ts';
import { toJsonText } from '../../core/util/json.ts';
import { type Exchange, isCorsOpen } from './find.ts';
import { OwnPages } from './own-page.ts';

/** A reply that takes time, such as that of another server. */
type PendingReply = Pick<LateReply, 'wait'>;

/** The reply of a fault, an operation, another server, or a refusal. */
export const respond = (exchange: Exchange): Reply | PendingReply => {
  try {
    return respondOrThrow(exchange);
  } catch (error) {
    return toRefusal(exchange, error);
  }
};

/** The reply to a refused call, marked with the assumption of the refusal. A bug gets a 500. */
export const toRefusal = ({ marking: { mark } }: Exchange, error: unknown): Reply => {
  if (error instanceof GatewayError) mark(error.assumption);
  mark('error-body');
  return refusalReply(error);
};

/** Makes the reply, with the checks from the fault to the quota. @throws GatewayError from the first check that fails */
const respondOrThrow = (exchange: Exchange): Reply | PendingReply => {
  const { context, call, match, faults, marking, opened } = exchange;
  // A fault with its own reply wins over all errors of the call. The call is then not forwarded.
  const effect = faults?.effect;
  if (effect?.kind === 'error') marking.assume('error-body');
  if (effect !== undefined && 'reply' in effect) return effect.reply;
  if (exchange.forward !== undefined) return { wait: exchange.forward };
  if (isPreflight(call)) {
    if (!isCorsOpen(exchange)) checkKnownKey(() => undefined, {}, marking.assume); // a preflight has no key
    return { status: 204, headers: {}, body: null };
  }
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
  const isCacheable = exchange.pageFault === undefined && !isLimited(exchange, operation);
  return isCacheable ? replies.answer(respondByOperation, call, world, marking) : respondByOperation();
};

type Params = Match<AnyOperation>['params'];

/** The reply of an operation of the contract. */
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
const respondByOwnCall = (
  exchange: Exchange,
  operation: OwnOperation,
  params: Params,
): Reply | PendingReply => {
  const parsed = parse(exchange, operation, params);
  const quota = checkQuota(exchange, operation); // before the handler runs, since it may write
  const { journal, state } = exchange.opened.session;
  const pages = new OwnPages(exchange.call.query, parsed, exchange.pageFault);
  const complete = (reply: Reply): Reply => {
    quota?.count(); // not reached if the handler refuses the call: refused calls are not counted
    const { page, records } = pages.last ?? {};
    if (records !== undefined) journal.noteList(operation.id, parsed.params, records);
    return { ...reply, page, headers: { ...quota?.headers, ...reply.headers } };
  };
  const reply = operation.handle(parsed, state.world, pages.turn);
  return reply instanceof Promise ? { wait: () => reply.then(complete) } : complete(reply);
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

/** The body that the operation returns, or the page under a fault. */
const handle = (exchange: Exchange, operation: ContractOperation, parsed: AnyParsedCall): object => {
  const { world } = exchange.opened.session.state;
  return exchange.pageFault === undefined
    ? operation.handle(parsed, world)
    : pageUnder(exchange.pageFault, toListCall(operation, parsed, world));
};

const isLimited = ({ opened, marking }: Exchange, operation: AnyOperation): boolean =>
  opened.session.state.quotas.isEnforced &&
  (marking.assume('quota-scope') === 'all' || isList(operation) || operation.source === 'own call');

const checkQuota = (exchange: Exchange, operation: AnyOperation, subject?: QuotaSubject) => {
  if (!isLimited(exchange, operation)) return undefined;
  const { opened, call, marking } = exchange;
  return opened.session.state.quotas.check({ header: call.header, ...subject }, marking.assume);
};

/** The error reply of a refusal. A bug gets a 500. */
export const refusalReply = (error: unknown): Reply => {
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

/**
 * The JSON texts of records. A record never changes in place, so its text stays valid. This saves two thirds of the time
 * of a page (bench: "nothing cached" 0.19, "joined texts" 0.45 of bare node:http).
 */
const texts = new WeakMap<object, string>();

const recordText = (record: object): string => {
  const cachedText = texts.get(record);
  if (cachedText !== undefined) return cachedText;
  const text = toJsonText(record);
  texts.set(record, text);
  return text;
};

/** Writes the body of a reply as JSON. The body of a list is joined from the cached texts of its records. */
export const toReplyBody = (reply: object): Pick<Reply, 'body' | 'parts'> => {
  const data: unknown = 'data' in reply ? reply.data : undefined;
  if (!Array.isArray(data)) return { body: toJsonText(reply) };
  const parts: string[] = [];
  let separator = '{';
  for (const [name, value] of Object.entries(reply)) {
    parts.push(`${separator}"${name}":`);
    if (name === 'data') pushList(parts, data);
    else parts.push(JSON.stringify(value));
    separator = ',';
  }
  parts.push('}');
  return { body: parts.join(''), parts };
};

const pushList = (parts: string[], records: readonly object[]): void => {
  parts.push('[');
  for (const [at, record] of records.entries()) parts.push(at === 0 ? '' : ',', recordText(record));
  parts.push(']');
};
